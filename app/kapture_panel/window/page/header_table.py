"""Facts and headers of a request: names and values, under a heading each."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QHeaderView, QTreeWidget, QTreeWidgetItem

from kapture_panel.window.page.request_parts import Pairs
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.cell_delegate import MARGIN_PX, CellDelegate
from kapture_panel.window.widgets.entries import SHARED, bind
from kapture_panel.window.widgets.roles import TONE
from kapture_panel.window.widgets.theme import Theme

#: What the names take at most; longer ones are cut.
_MOST_NAME_PX = 190
_INDENTATION_PX = 16


class HeaderTable(QTreeWidget):
    """Ctrl+C copies the value under the cursor, of a heading all that is under it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setProperty("mono", True)
        self.setAccessibleName("Request and headers")
        self.setItemDelegate(CellDelegate(theme, self))
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENTATION_PX)
        self.setTabKeyNavigation(False)
        header = self.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        bind(SHARED["copy_value"], self, self._copy, Qt.ShortcutContext.WidgetShortcut)

    def show_groups(self, groups: list[tuple[str, Pairs]]) -> None:
        """Show the groups that have anything in them; those that were closed stay so."""
        items = (self.topLevelItem(at) for at in range(self.topLevelItemCount()))
        closed = {item.data(0, Qt.ItemDataRole.UserRole) for item in items if item and not item.isExpanded()}
        self.clear()
        for title, pairs in groups:
            if not pairs:
                continue
            heading = QTreeWidgetItem([f"{title} · {len(pairs)}" if "headers" in title else title])
            heading.setData(0, Qt.ItemDataRole.UserRole, title)
            font = QFont(self.font())
            font.setBold(True)
            heading.setFont(0, font)
            self.addTopLevelItem(heading)
            heading.setFirstColumnSpanned(True)
            for name, value in pairs:
                item = QTreeWidgetItem([safe_text.line(name, 200), safe_text.line(value)])
                item.setData(0, TONE, "text_secondary")
                item.setToolTip(1, safe_text.tooltip(value))
                heading.addChild(item)
            heading.setExpanded(title not in closed)
        self._fit(safe_text.line(name, 200) for _title, pairs in groups for name, _value in pairs)

    def _fit(self, names: Iterable[str]) -> None:
        """Give the names no more room than they need: the values are what is read."""
        longest = max(map(self.fontMetrics().horizontalAdvance, names), default=0)
        self.header().resizeSection(0, min(2 * _INDENTATION_PX + longest + 2 * MARGIN_PX, _MOST_NAME_PX))

    def _copy(self) -> None:
        item = self.currentItem()
        if item is not None:
            below = [item.child(at) for at in range(item.childCount())]
            lines = [f"{child.text(0)}: {child.text(1)}" for child in below if child] or [item.text(1)]
            QApplication.clipboard().setText("\n".join(lines))
