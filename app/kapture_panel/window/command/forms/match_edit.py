"""A line that can say at its right how many elements it matches."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from kapture_panel.window.widgets.label import Label

_GAP_PX = 8


class MatchEdit(QLineEdit):
    """What it says goes when the line is edited, since it is not true any more."""

    def __init__(self) -> None:
        super().__init__()
        self._said = Label(kind="matches")
        self._said.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, _GAP_PX, 0)
        row.addStretch()
        row.addWidget(self._said)
        self._said.hide()
        self.textChanged.connect(lambda _text: self.say(""))

    @property
    def said(self) -> str:
        """What stands at the right."""
        return self._said.text()

    def say(self, text: str, tone: str = "") -> None:
        """Put a word at the right, in the colour of `tone`; empty for none."""
        self._said.setText(text)
        self._said.set_tone(tone)
        self._said.setVisible(bool(text))
        self.setTextMargins(0, 0, self._said.sizeHint().width() + _GAP_PX if text else 0, 0)
