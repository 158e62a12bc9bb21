"""What can be done by a menu or a key in the history."""

from __future__ import annotations

from kapture_panel.core.stores.forgetting import Kind
from kapture_panel.window.widgets.entries import Entry, table

#: What of the history can be forgotten, as History's menu says it and as it is said without that.
FORGET: dict[Kind, tuple[str, str]] = {
    "hour": ("The last hour …", "the last hour"),
    "tab": ("This tab …", "this tab"),
    "agent": ("This agent …", "this agent"),
    "site": ("This site …", "this site"),
    "everything": ("Everything …", "everything"),
}
ENTRIES = table(
    Entry(
        "export_history",
        "Export history …",
        "History",
        "mdi6.export-variant",
        places=frozenset({"menu"}),
        full="Export history",
        also="save download file recording script",
        order=180,
    ),
    Entry("go_history", "Go to history", "Go to", "mdi6.arrow-right-thin", keys=("Ctrl+6",), order=400),
    Entry(
        "record_pictures",
        "Record pictures",
        "History",
        "mdi6.record-circle-outline",
        also="save screenshots flight recorder",
        order=470,
    ),
    Entry(
        "record_typed",
        "Keep what is typed",
        "History",
        "mdi6.form-textbox",
        also="text values passwords recording privacy",
        order=480,
    ),
    *(
        Entry(
            f"forget_{kind}",
            words,
            "History",
            "mdi6.eraser",
            full=f"Forget {what}",
            also="delete clear remove history erase privacy",
            order=490,
        )
        for kind, (words, what) in FORGET.items()
    ),
    Entry(
        "run_again",
        "Run the chosen row again",
        "History",
        "mdi6.replay",
        keys=("Enter", "Return"),
        part="history",
        order=680,
    ),
    Entry("close_row", "Close the details of a row", "History", keys=("Escape",), part="history", order=690),
)
