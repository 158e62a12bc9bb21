"""What can be done by a menu or a key in the browsers."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "start_browser",
        "Start browser",
        "Browser",
        "mdi6.application-outline",
        keys=("Ctrl+B",),
        places=frozenset({"menu", "tray"}),
        also="show open launch chrome",
        order=80,
    ),
    Entry(
        "close_browser",
        "Close browser",
        "Browser",
        "mdi6.close-circle-outline",
        places=frozenset({"menu"}),
        also="stop quit exit end shut down disconnect",
        order=90,
    ),
    Entry(
        "own_browser",
        "Use your own browser …",
        "Browser",
        "mdi6.web",
        places=frozenset({"menu"}),
        full="Use your own browser",
        also="connect pair chrome edge brave",
        order=100,
    ),
    Entry(
        "browsers",
        "Your browsers",
        "Browser",
        "mdi6.monitor-multiple",
        keys=("F7",),
        places=frozenset({"menu"}),
        also="disconnect unpair remove paired",
        order=110,
    ),
    Entry(
        "places",
        "Remote places …",
        "Browser",
        "mdi6.server-network",
        places=frozenset({"menu"}),
        full="Remote places: browsers on other machines",
        also="grid selenium cdp add test",
        order=115,
    ),
)
