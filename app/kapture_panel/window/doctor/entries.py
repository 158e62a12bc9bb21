"""What can be done by a menu or a key in the doctor."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "doctor",
        "Doctor",
        "Panel",
        "mdi6.stethoscope",
        keys=("F9",),
        places=frozenset({"menu"}),
        full="Doctor: check every connection",
        also="check test connection problem help",
        order=50,
    ),
)
