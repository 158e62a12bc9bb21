"""The row above a table that says what is shown, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kapture_panel.window.widgets.filter_field import FilterField

_HEIGHT_PX = 30


class FilterRow(QWidget):
    """The field takes what the choices and buttons leave."""

    def __init__(self, field: FilterField, choices: Iterable[QWidget], buttons: Iterable[QWidget]) -> None:
        super().__init__()
        self.setProperty("kind", "ruled")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 1)
        row.setSpacing(6)
        row.addWidget(field, 1)
        for choice in choices:
            row.addWidget(choice)
        for button in buttons:
            row.addWidget(button)
