"""The row above a table that says what is shown, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kapture_panel.window.widgets.filter_field import FilterField
from kapture_panel.window.widgets.small_choice import SmallChoice

_HEIGHT_PX = 30
_GAP_PX = 6


class FilterRow(QWidget):
    """The field takes what the choices and buttons leave. Where that is too little, choices that filter nothing go,
    the first before the others; the last stays."""

    def __init__(self, field: FilterField, choices: Sequence[SmallChoice], buttons: Iterable[QWidget]) -> None:
        super().__init__()
        self._spare = choices[:-1]
        self.setProperty("kind", "ruled")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 1)
        row.setSpacing(_GAP_PX)
        row.addWidget(field, 1)
        for choice in choices:
            row.addWidget(choice)
        for button in buttons:
            row.addWidget(button)
        for choice in choices:
            choice.least_px = choice.whole_px
        for choice in self._spare:
            choice.currentIndexChanged.connect(lambda _at: self._share_room())

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        return QSize(whole.width() - sum(_px(one) for one in self._spare if not one.isHidden()), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        needed = self.minimumSizeHint().width() + sum(map(_px, self._spare))
        for choice in self._spare:
            is_gone = needed > self.width() and choice.currentIndex() == 0
            needed -= _px(choice) if is_gone else 0
            choice.setHidden(is_gone)


def _px(choice: SmallChoice) -> int:
    """What a choice takes with the gap beside it."""
    return choice.minimumSizeHint().width() + _GAP_PX
