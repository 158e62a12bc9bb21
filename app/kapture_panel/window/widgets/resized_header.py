"""The header of a table whose columns a person widens by hand."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView


class ResizedHeader(QHeaderView):
    """`resized(column, px)` tells what a person's mouse has changed, and nothing that the program changes itself."""

    resized = Signal(int, int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setSectionsClickable(True)
        self._before: dict[int, int] = {}

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, column: int) -> None:
        """The arrow points down when the largest, or newest, stands first; Qt's points up then."""
        super().initStyleOptionForIndex(option, column)
        arrows = QStyleOptionHeader.SortIndicator
        turned = {arrows.SortUp: arrows.SortDown, arrows.SortDown: arrows.SortUp}
        option.sortIndicator = turned.get(option.sortIndicator, option.sortIndicator)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._before = {column: self.sectionSize(column) for column in range(self.count())}
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        before, self._before = self._before, {}
        for column, px in before.items():
            is_own = self.sectionResizeMode(column) == QHeaderView.ResizeMode.Interactive
            if is_own and not self.isSectionHidden(column) and self.sectionSize(column) != px:
                self.resized.emit(column, self.sectionSize(column))
