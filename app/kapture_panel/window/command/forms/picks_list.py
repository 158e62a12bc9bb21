"""The names of an element that was chosen in the page, the best first."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

from kapture_panel.core.wire.results import Candidate
from kapture_panel.window.widgets import figures, safe_text, scrolling
from kapture_panel.window.widgets.roles import ITEM

_ROW_PX = 24
_FRAME_PX = 2
#: With less room the name itself needs it all.
_ROOMY_PX = 360


class PicksList(QTreeWidget):
    """One row per candidate: what a command takes, what it goes by, how many elements it matches.

    `chosen` carries a candidate when its row becomes the current one, `closed` comes with Enter, Escape or a click.
    """

    chosen = Signal(object)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "boxed")
        self.setProperty("mono", True)
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Ways to name the element")
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(40)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(self._on_current)
        self.itemClicked.connect(lambda _item, _column: self.closed.emit())

    def show_candidates(self, candidates: list[Candidate]) -> None:
        """Show other candidates and choose the first."""
        self.clear()
        for candidate in candidates:
            row = QTreeWidgetItem([safe_text.line(candidate.value), safe_text.line(candidate.kind), matches(candidate)])
            row.setData(0, ITEM, candidate)
            row.setToolTip(0, safe_text.tooltip(candidate.value))
            row.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row.setSizeHint(0, QSize(0, _ROW_PX))
            self.addTopLevelItem(row)
        self.setFixedHeight(len(candidates) * _ROW_PX + 2 * _FRAME_PX)
        self.setCurrentIndex(self.model().index(0, 0))
        scrolling.bring_in_sight(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnHidden(1, event.size().width() < _ROOMY_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.closed.emit()
            return
        super().keyPressEvent(event)

    def _on_current(self, current: QTreeWidgetItem | None) -> None:
        if current is not None:
            self.chosen.emit(current.data(0, ITEM))


def matches(candidate: Candidate) -> str:
    """How many elements a candidate matches, and whether a command would take this one."""
    if candidate.matches == 1:
        return "1 match"
    return f"{'first' if candidate.first else 'not first'} of {figures.number(candidate.matches)}"
