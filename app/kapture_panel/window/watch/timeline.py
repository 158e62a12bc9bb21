"""The strip of a tab's commands, with what exports them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.watch.timeline_model import TimelineModel
from kapture_panel.window.watch.timeline_strip import TimelineStrip
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.theme import Theme


class Timeline(QWidget):
    """Hidden while nothing was done. `export_asked` carries the ids of the rows that are shown."""

    export_asked = Signal(object)

    def __init__(self, model: TimelineModel, theme: Theme) -> None:
        super().__init__()
        self.model = model
        self.setProperty("kind", "title-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.strip = TimelineStrip(model, theme)
        export = "Export what was done in this tab as a recording"
        self.export_button = icon_button(
            theme, "mdi6.export-variant", export, lambda: self.export_asked.emit(model.ids)
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 8, 1)
        row.setSpacing(6)
        row.addWidget(self.strip, 1)
        row.addWidget(self.export_button)
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            changed.connect(lambda *_: self.setVisible(bool(model.ids)))
        self.hide()

    @property
    def row(self) -> Row | None:
        """The row that is looked at; None for now."""
        return self.strip.row
