"""What can be done by a menu or a key in the screenshots."""

from __future__ import annotations

from kapture_panel.window.widgets.entries import Entry, table

ENTRIES = table(
    Entry(
        "shoot",
        "Screenshot current tab",
        "Browser",
        "mdi6.camera-outline",
        places=frozenset({"tray"}),
        also="picture photo image save page",
        order=120,
    ),
    Entry("go_screenshots", "Go to screenshots", "Go to", "mdi6.arrow-right-thin", keys=("Ctrl+3",), order=370),
    Entry("delete_shot", "Delete the chosen screenshot", "Screenshots", keys=("Del",), part="screenshots", order=700),
    Entry("zoom_in", "Zoom in", "Screenshots", keys=("+", "="), part="lightbox", order=710),
    Entry("zoom_out", "Zoom out", "Screenshots", keys=("-",), part="lightbox", order=720),
    Entry("zoom_fit", "Fit to the window", "Screenshots", keys=("F",), part="lightbox", order=730),
    Entry("zoom_whole", "Actual size", "Screenshots", keys=("0",), part="lightbox", order=740),
    Entry("copy_picture", "Copy the picture", "Screenshots", keys=("Ctrl+C",), part="lightbox", order=750),
    Entry("save_picture", "Save the picture", "Screenshots", keys=("Ctrl+S",), part="lightbox", order=760),
    Entry("open_picture", "Open it in a tab", "Screenshots", keys=("Ctrl+O",), part="lightbox", order=770),
    Entry("remove_picture", "Delete it", "Screenshots", keys=("Del",), part="lightbox", order=780),
    Entry("close_picture", "Close it", "Screenshots", keys=("Escape",), part="lightbox", order=790),
)
