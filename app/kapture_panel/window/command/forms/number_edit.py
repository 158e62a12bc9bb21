"""A line for a number that may be left empty."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from kapture_panel.core.basics.free_json import Schema
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.label import Label

_INTEGER = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WIDTH_PX = 72
_WIDTH_WITH_UNIT_PX = 108


class NumberEdit(QLineEdit):
    """Shows its default as placeholder and its unit at the right; Up and Down step through whole numbers."""

    def __init__(self, schema: Schema, name: str) -> None:
        super().__init__()
        self._default = schema.get("default")
        self._low, self._high = schema.get("minimum"), schema.get("maximum")
        self.setAccessibleName(name)
        if self._default is not None:
            self.setPlaceholderText(figures.number(self._default))
        if unit := schema.get("unit", ""):
            shown = Label(unit, kind="small")
            row = QHBoxLayout(self)
            row.setContentsMargins(0, 0, 8, 0)
            row.addStretch()
            row.addWidget(shown)
            shown.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.setTextMargins(0, 0, shown.sizeHint().width() + 6, 0)
        self.setFixedWidth(_WIDTH_WITH_UNIT_PX if unit else _WIDTH_PX)

    def value(self) -> Any:
        """The number; None when empty; what is not a number comes back as the text it is."""
        text = re.sub(r"[\s\u202f\u00a0]", "", self.text())
        if not text:
            return None
        if _INTEGER.fullmatch(text):
            return int(text)
        return float(text) if _NUMBER.fullmatch(text) else self.text()

    def show_value(self, value: Any) -> None:
        """Show a number, a text that should have been one, or nothing for None."""
        self.setText("" if value is None else value if isinstance(value, str) else repr(value))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        if step is None or event.type() != QEvent.Type.KeyPress:
            super().keyPressEvent(event)
            return
        value = self.value()
        if isinstance(value, str):
            return
        if value is None:
            value = self._default if self._default is not None else (self._low or 0) - step
        value += step * (10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        if self._low is not None:
            value = max(value, self._low)
        if self._high is not None:
            value = min(value, self._high)
        self.show_value(value)
        self.textEdited.emit(self.text())
