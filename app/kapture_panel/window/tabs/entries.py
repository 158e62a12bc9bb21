"""What can be done by a menu or a key in the tabs."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry("go_tabs", "Go to tabs", "Go to", "mdi6.arrow-right-thin", keys=("Ctrl+1",), order=350),
)
