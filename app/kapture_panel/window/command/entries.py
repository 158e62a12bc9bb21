"""What can be done by a menu or a key in the form."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "toggle_json",
        "Parameters as form or JSON",
        "Command",
        "mdi6.code-json",
        keys=("Ctrl+J",),
        also="edit parameters raw",
        order=160,
    ),
    Entry("go_commands", "Go to commands", "Go to", "mdi6.arrow-right-thin", keys=("Ctrl+2",), order=360),
    Entry("pick", "Pick the target in the page", "Command", "mdi6.crosshairs", order=430),
    Entry(
        "save_template",
        "Save as a template …",
        "Command",
        "mdi6.star-plus-outline",
        full="Save as a template",
        also="keep store preset",
        order=440,
    ),
    Entry("copy_as", "Copy call or answer …", "Command", "mdi6.content-copy", full="Copy call or answer", order=450),
    Entry(
        "run", "Run the command", "Command", "mdi6.play", keys=("Ctrl+Enter", "Ctrl+Return"), part="command", order=540
    ),
    Entry(
        "cancel",
        "Cancel the running command",
        "Command",
        "mdi6.stop",
        keys=("Escape",),
        part="command",
        also="stop abort end interrupt",
        order=550,
    ),
    Entry(
        "search_result", "Search in the result", "Command", "mdi6.magnify", keys=("Ctrl+F",), part="command", order=560
    ),
    Entry("next_place", "Next match", "Command", keys=("Return", "Enter"), part="search", order=570),
    Entry(
        "previous_place",
        "Previous match",
        "Command",
        keys=("Shift+Return", "Shift+Enter"),
        part="search",
        order=580,
    ),
    Entry("close_search", "Close the search", "Command", keys=("Escape",), part="search", order=590),
)
