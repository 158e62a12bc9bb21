"""How far an export is, and a button to cancel it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.label import Label

_HEIGHT_PX = 30
_PARTS = 1000


class HistoryExportBar(QWidget):
    """Shown while an export goes on."""

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "ruled")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT_PX)
        self.bar = QProgressBar()
        self.bar.setRange(0, _PARTS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Export")
        self.cancel = QPushButton("Cancel")
        self.cancel.setProperty("kind", "flat-small")
        self.cancel.setAccessibleName("Cancel the export")
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 8, 1)
        row.setSpacing(8)
        self.words = Label(kind="small")
        row.addWidget(self.words)
        row.addWidget(self.bar, 1)
        row.addWidget(self.cancel)
        self.hide()

    def begin(self, rows: int | None) -> None:
        """Show it at its beginning, with the number of rows where that is known."""
        self.words.setText(f"Exporting {figures.count(rows, 'row')} …" if rows is not None else "Exporting …")
        self.bar.setValue(0)
        self.show()

    def show_progress(self, done: int, whole: int) -> None:
        """Show how much of it is done."""
        self.bar.setValue(_PARTS * done // whole)
