"""What can be done by a menu or a key where the page is watched."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "watch",
        "Watch the page, or the command",
        "Watch",
        "mdi6.eye-outline",
        keys=("F4",),
        places=frozenset({"view"}),
        also="live mirror screen cast view",
        order=345,
    ),
    Entry(
        "step_in",
        "Take over the watched page (step in), or give it back",
        "Watch",
        "mdi6.gesture-tap",
        keys=("Shift+F4",),
        also="take over mouse keyboard control log in captcha give back",
        order=347,
    ),
    Entry(
        "all_tabs",
        "All tabs at a glance, or the one",
        "Watch",
        "mdi6.view-grid-outline",
        keys=("Ctrl+G",),
        places=frozenset({"view"}),
        also="grid thumbnails overview live wall",
        order=348,
    ),
    Entry(
        "point",
        "Point at a place of the watched page, with a note to the agent",
        "Watch",
        "mdi6.comment-arrow-left-outline",
        keys=("Shift+F8",),
        also="annotate comment mark show here this button",
        order=347,
    ),
    Entry(
        "record_tab",
        "Record the watched tab as a video, or end that",
        "Watch",
        "mdi6.video-outline",
        also="film movie webm screencast capture",
        order=349,
    ),
    Entry("no_note", "Write no note", "Watch", keys=("Escape",), part="note", order=351),
    Entry("live_again", "From what was done back to now", "Watch", keys=("Escape",), part="timeline", order=350),
    Entry("one_tab", "Back from all tabs to the one", "Watch", keys=("Escape",), part="grid", order=349),
    Entry(
        "follow_agents",
        "Follow agents while watching",
        "Watch",
        "mdi6.crosshairs-gps",
        also="driven tab live",
        order=346,
    ),
)
