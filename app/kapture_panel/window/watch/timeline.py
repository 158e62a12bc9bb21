"""The strip of a tab's commands, with what exports them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.watch.timeline_model import TimelineModel
from kapture_panel.window.watch.timeline_strip import TimelineStrip
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.theme import Theme


class Timeline(QWidget):
    """Hidden while nothing was done. `export_asked` carries the ids of the rows that are shown; `record_asked` comes
    when the person wants pictures in it.

    Args:
        records: whether pictures are recorded.
    """

    export_asked = Signal(object)
    record_asked = Signal()

    def __init__(self, model: TimelineModel, records: Callable[[], bool], theme: Theme) -> None:
        super().__init__()
        self.model = model
        self._records = records
        self.setProperty("kind", "title-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.strip = TimelineStrip(model, theme)
        export = "Export what was done in this tab as a recording"
        self.export_button = icon_button(
            theme, "mdi6.export-variant", export, lambda: self.export_asked.emit(model.ids)
        )
        row = QHBoxLayout()
        row.setContentsMargins(6, 0, 8, 1)
        row.setSpacing(6)
        row.addWidget(self.strip, 1)
        row.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.why_empty = self._make_why_empty()
        column.addWidget(self.why_empty)
        column.addLayout(row)
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved, model.dataChanged):
            changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show it if anything was done, and say why it has no pictures if it has none."""
        has_rows = bool(self.model.ids)
        self.setVisible(has_rows)
        self.why_empty.setVisible(has_rows and not self._records() and not self.model.has_pictures)

    def _make_why_empty(self) -> QWidget:
        part = QWidget()
        line = QHBoxLayout(part)
        line.setContentsMargins(10, 4, 8, 0)
        line.setSpacing(8)
        words = ElidedLabel(kind="small")
        words.show_line("No pictures were recorded.")
        self.record = QPushButton("Record pictures")
        self.record.setProperty("kind", "flat-small")
        self.record.setAccessibleName("Record pictures of the page from now on")
        self.record.clicked.connect(self.record_asked)
        line.addWidget(words, 1)
        line.addWidget(self.record)
        return part

    @property
    def row(self) -> Row | None:
        """The row that is looked at; None for now."""
        return self.strip.row
