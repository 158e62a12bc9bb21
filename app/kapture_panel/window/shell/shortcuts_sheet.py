"""All shortcuts, to be searched."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from kapture_panel.window.shell.shortcuts_model import ShortcutsModel
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.entries import Entry
from kapture_panel.window.widgets.overlay import Overlay
from kapture_panel.window.widgets.roles import ITEM, Index
from kapture_panel.window.widgets.search_field import SearchField
from kapture_panel.window.widgets.theme import Theme

_SIZE_PX = QSize(460, 620)
_MARGIN_PX = 12


class ShortcutsSheet(Overlay):
    """A list to read; choosing a row does nothing."""

    def __init__(self, host: QWidget, entries: Sequence[Entry], theme: Theme) -> None:
        super().__init__(host, "Keyboard shortcuts")
        self._model = ShortcutsModel(entries, self)
        head = self.head("Keyboard shortcuts", theme)
        head.setContentsMargins(6, 2, 2, 0)
        self.filter = SearchField("Filter shortcuts", theme)
        self.filter.setPlaceholderText("Filter shortcuts")
        self.filter.textChanged.connect(self._model.set_filter)
        self.list = QListView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Delegate(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Shortcuts")
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)

    def first(self) -> QWidget:
        """The field."""
        return self.filter

    def wanted(self, room: QRect) -> QRect:
        """In the middle, under the toolbar."""
        size = _SIZE_PX.boundedTo(room.size())
        return QRect(room.center().x() - size.width() // 2, room.top(), size.width(), size.height())

    def open(self) -> None:
        """Show all of them."""
        if self.isHidden():
            self.filter.clear()
        super().open()


class _Delegate(QStyledItemDelegate):
    """A row without ITEM is a heading."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, self._theme.px("list_row") + (4 if index.data(ITEM) is None else 2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, one = self._theme, index.data(ITEM)
        row: QRect = option.rect
        painter.save()
        if one is None:
            font = theme.font(small=True)
            font.setCapitalization(QFont.Capitalization.AllUppercase)
            painter.setFont(font)
            painter.setPen(theme.color("text_secondary"))
            paint.line(painter, row.adjusted(_MARGIN_PX, 6, -_MARGIN_PX, 0), str(index.data()))
        else:
            paint.background(painter, option, theme)
            painter.setFont(theme.mono())
            painter.setPen(theme.color("text_secondary"))
            width = painter.fontMetrics().horizontalAdvance(one.shown_keys)
            keys = QRect(row.right() - _MARGIN_PX - width, row.top(), width, row.height())
            painter.drawText(keys, int(Qt.AlignmentFlag.AlignVCenter), one.shown_keys)
            painter.setFont(theme.font())
            painter.setPen(theme.color("text"))
            paint.line(painter, row.adjusted(_MARGIN_PX, 0, -(width + 2 * _MARGIN_PX), 0), one.title)
        painter.restore()
