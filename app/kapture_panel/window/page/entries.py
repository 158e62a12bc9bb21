"""What can be done by a menu or a key in console and network log."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "clear_console",
        "Clear console",
        "Console",
        "mdi6.trash-can-outline",
        places=frozenset({"menu"}),
        also="empty delete log",
        order=190,
    ),
    Entry(
        "clear_network",
        "Clear requests",
        "Console",
        "mdi6.trash-can-outline",
        places=frozenset({"menu"}),
        also="empty delete network",
        order=200,
    ),
    Entry("go_console", "Go to console", "Go to", "mdi6.arrow-right-thin", keys=("Ctrl+5",), order=390),
    Entry("go_network", "Go to network", "Go to", "mdi6.arrow-right-thin", keys=("Ctrl+7",), order=410),
    Entry(
        "save_console",
        "Save console lines …",
        "Console",
        "mdi6.content-save-outline",
        full="Save console lines",
        also="export download log file",
        order=460,
    ),
    Entry(
        "save_requests",
        "Save requests as HTTP archive …",
        "Console",
        "mdi6.content-save-outline",
        full="Save requests as HTTP archive",
        places=frozenset({"menu"}),
        also="export har network download file",
        order=205,
    ),
    Entry(
        "copy_lines",
        "Copy the chosen lines",
        "Console",
        "mdi6.content-copy",
        keys=("Ctrl+C",),
        part="console",
        order=640,
    ),
    Entry("open_line", "Open a line of several rows", "Console", keys=("Right",), part="console", order=650),
    Entry("close_line", "Close a line of several rows", "Console", keys=("Left",), part="console", order=660),
    Entry("close_request", "Close the details of a request", "Console", keys=("Escape",), part="network", order=670),
)
