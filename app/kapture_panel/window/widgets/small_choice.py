"""A low combo box for rows of filters."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyleOptionComboBox

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.theme import mark

_MAX_PX = 116
_LEAST_PX = 66
#: The arrow and the room around the words.
_AROUND_PX = 38


class SmallChoice(ComboBox):
    """The first choice filters nothing; any other is marked, since it hides things.

    Args:
        name: what a screen reader says.
        choices: words → data.
    """

    def __init__(self, name: str, choices: Mapping[str, object]) -> None:
        super().__init__()
        self.setProperty("kind", "filter")
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(_MAX_PX)
        #: It is no narrower.
        self.least_px = _LEAST_PX
        for words, data in choices.items():
            self.addItem(words, data)
        self.currentIndexChanged.connect(lambda at: mark(self, chosen=at > 0))
        self.currentTextChanged.connect(lambda text: self.setToolTip(safe_text.tooltip(text)))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = self.width() - _AROUND_PX
        option.currentText = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.least_px, super().minimumSizeHint().height())

    @property
    def whole_px(self) -> int:
        """How wide it is when the choice that filters nothing, which says what it is about, is whole."""
        return min(self.fontMetrics().horizontalAdvance(self.itemText(0)) + _AROUND_PX, _MAX_PX)
