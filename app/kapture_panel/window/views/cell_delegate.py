"""Cells of tables and trees, written in the colour their model names."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.models.roles import TONE, Index
from kapture_panel.window.theme import Theme

_MIN_HEIGHT_PX = 19


class CellDelegate(QStyledItemDelegate):
    """Rows are selected whole, so that no single cell shows the focus."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(size.height(), _MIN_HEIGHT_PX))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        color = self._theme.color(index.data(TONE) or "text")
        option.palette.setColor(QPalette.ColorRole.Text, color)
        option.palette.setColor(QPalette.ColorRole.HighlightedText, color)
