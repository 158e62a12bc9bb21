"""Files and folders opened by the desktop's own programs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from kapture_panel.window.widgets.toasts import Toasts


def open_path(path: Path, toasts: Toasts) -> None:
    """Open a file or folder; where no program does, say so and offer its path."""
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        return
    kind = "folder" if path.is_dir() else "file"

    def copy() -> None:
        QApplication.clipboard().setText(str(path))
        toasts.tell("Path copied", tone="ok", is_kept=False)

    words = f"This desktop started no program for it. Open it yourself: {path}"
    toasts.tell(f"The {kind} did not open", words, "warn", action=("Copy path", copy))
