"""What can be done by a menu or a key in the palette."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "palette",
        "Find a command, tab or action",
        "Panel",
        "mdi6.magnify",
        keys=("Ctrl+K",),
        places=frozenset({"menu"}),
        order=20,
    ),
    Entry("open_chosen", "Open what is chosen", "Finder", keys=("Enter", "Return"), part="palette", order=610),
    Entry(
        "run_chosen",
        "Run the chosen command at once",
        "Finder",
        keys=("Ctrl+Enter", "Ctrl+Return"),
        part="palette",
        order=620,
    ),
)
