"""The messages of this run, to be read again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kapture_panel.window.widgets.buttons import action_button, text_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.notices_model import Action, Notice, NoticesModel
from kapture_panel.window.widgets.overlay import CornerOverlay
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.rows_list import RowsList
from kapture_panel.window.widgets.theme import Theme

_SIZE_PX = QSize(420, 460)


class NoticesView(CornerOverlay):
    """Opening it counts as reading. What a message could do, it can do here.

    `copied` carries the whole text of a message.
    """

    copied = Signal(str)
    opened = Signal()

    def __init__(self, host: QWidget, model: NoticesModel, theme: Theme) -> None:
        super().__init__(host, "Notices", _SIZE_PX)
        self._model = model
        head = self.head("Notices", theme)
        self.list = RowsList(model, theme, "Notices, newest first")
        self.list.selectionModel().currentChanged.connect(self._show)
        self.nothing = Label("No notices yet.", kind="secondary")
        self.whole = Label()
        self.whole.setWordWrap(True)
        self.copy = text_button(theme, "mdi6.content-copy", "Copy", self._on_copy)
        self.copy.setAccessibleName("Copy the chosen notice")
        row = QHBoxLayout()
        row.addWidget(self.whole, 1)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.nothing)
        column.addWidget(self.list, 1)
        column.addLayout(row)
        self.ways = QWidget()
        row = QHBoxLayout(self.ways)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addStretch()
        column.addWidget(self.ways)

    def first(self) -> QWidget:
        """The list; without notices there is nothing but the popup itself."""
        return self.list if self._model.rowCount() else self

    def open(self) -> None:
        """Show them, the latest chosen."""
        if self.isHidden():
            is_empty = self._model.rowCount() == 0
            self.nothing.setVisible(is_empty)
            self.copy.setVisible(not is_empty)
            self.whole.setVisible(not is_empty)
            self.list.setVisible(not is_empty)
            self.list.setCurrentIndex(self._model.index(0))
            self._show(self.list.currentIndex())
            self._model.read_all()
            self.opened.emit()
        super().open()

    def _show(self, index: QModelIndex) -> None:
        notice: Notice | None = index.data(ITEM)
        self.whole.setText(_words(notice) if notice else "")
        self._offer(notice.actions if notice else ())

    def _offer(self, actions: Sequence[Action]) -> None:
        """Have a button for each of these and no other."""
        row = self.ways.layout()
        assert row is not None
        for old in self.ways.findChildren(QPushButton):
            old.hide()
            row.removeWidget(old)
            old.deleteLater()
        for words, do in actions:
            row.addWidget(action_button(words, do))
        self.ways.setVisible(bool(actions))

    def _on_copy(self) -> None:
        notice: Notice | None = self.list.currentIndex().data(ITEM)
        if notice is not None:
            self.copied.emit(_words(notice))


def _words(notice: Notice) -> str:
    return f"{notice.title}\n{notice.text}" if notice.text else notice.title
