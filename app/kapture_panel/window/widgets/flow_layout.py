"""A layout that fills lines from left to right and wraps."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items keep their preferred size, those that expand take what is left of their line."""

    def __init__(self, spacing_px: int, line_spacing_px: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._line_spacing_px = line_spacing_px
        self.setSpacing(spacing_px)
        self.setContentsMargins(QMargins(0, 0, 0, 0))

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def widgets(self) -> list[QWidget]:
        """The widgets in order."""
        return [widget for item in self._items if (widget := item.widget()) is not None]

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), is_measuring=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, is_measuring=False)

    def sizeHint(self) -> QSize:
        width = sum(item.sizeHint().width() for item in self._items) + self.spacing() * max(len(self._items) - 1, 0)
        return QSize(width, max((item.sizeHint().height() for item in self._items), default=0))

    def minimumSize(self) -> QSize:
        width = max((item.minimumSize().width() for item in self._items), default=0)
        return QSize(width, max((item.minimumSize().height() for item in self._items), default=0))

    def _arrange(self, rect: QRect, *, is_measuring: bool) -> int:
        x, y, line_height = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            least = item.minimumSize().width()
            size = item.sizeHint().boundedTo(QSize(max(rect.width(), least), 10_000))
            is_greedy = bool(item.expandingDirections() & Qt.Orientation.Horizontal)
            needed = least if is_greedy else size.width()
            if x > rect.x() and x + needed > rect.x() + rect.width():
                x, y, line_height = rect.x(), y + line_height + self._line_spacing_px, 0
            if is_greedy:
                size.setWidth(max(least, rect.x() + rect.width() - x))
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
            if not is_measuring:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self.spacing()
            line_height = max(line_height, size.height())
        return y + line_height - rect.y()
