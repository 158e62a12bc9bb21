"""What can be done by a menu or a key in the first page."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "welcome",
        "Getting started",
        "Panel",
        "mdi6.flag-outline",
        places=frozenset({"menu"}),
        also="first page start help agents clients install",
        order=60,
    ),
    Entry(
        "demo",
        "See the demo",
        "Panel",
        "mdi6.play-circle-outline",
        places=frozenset({"menu"}),
        also="example try show agent shop",
        order=65,
    ),
)
