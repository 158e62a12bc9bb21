"""A live tail: a table that follows its newest row while that is in sight."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QPushButton

from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.table import Table


class Tail(QObject):
    """Scrolled up, the table holds still and a pill counts what is new.

    Args:
        table: its model announces `appended(n)` and `trimmed(n)`.
        what: one of its rows in a word.
    """

    def __init__(self, table: Table, what: str) -> None:
        super().__init__(table)
        self._table = table
        self._bar = table.verticalScrollBar()
        self._new_rows = 0
        self.is_following = True
        self.pill = QPushButton(table)
        self.pill.setProperty("kind", "new-lines")
        self.pill.setAccessibleName(f"Go to the newest {what}")
        self.pill.clicked.connect(self.follow)
        self.pill.hide()
        model = table.model()
        model.appended.connect(self._on_appended)  # type: ignore[attr-defined]
        model.trimmed.connect(self._on_trimmed)  # type: ignore[attr-defined]
        model.modelReset.connect(self.follow)
        self._bar.valueChanged.connect(self._on_scrolled)
        self._bar.rangeChanged.connect(self._keep)
        table.installEventFilter(self)

    def follow(self) -> None:
        """Go to the newest row and stay with it."""
        had_focus = self.pill.hasFocus()
        self._be_at_end()
        self._table.scrollToBottom()
        if had_focus:
            self._table.setFocus()

    def hold(self) -> None:
        """Stay where the table is until it is scrolled to its end."""
        self.is_following = False

    def look(self) -> None:
        """Follow again if the end is in sight, once new rows are laid out."""
        QTimer.singleShot(0, self, lambda: self._on_scrolled(self._bar.value()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_pill()
            self._keep()
        return super().eventFilter(watched, event)

    def _on_appended(self, rows: int) -> None:
        if self.is_following:
            self._table.scrollToBottom()
            return
        last = self._table.model().rowCount() - 1
        if self._table.rowViewportPosition(last) + self._table.rowHeight(last) <= self._table.viewport().height():
            return  # there is room for all of them
        self._new_rows += rows
        self.pill.setText(f"↓ {figures.number(self._new_rows)} new")
        self.pill.adjustSize()
        self._place_pill()
        self.pill.show()

    def _on_trimmed(self, rows: int) -> None:
        if not self.is_following:
            self._bar.setValue(max(0, self._bar.value() - rows))

    def _on_scrolled(self, value: int) -> None:
        if value >= self._bar.maximum():
            self._be_at_end()
        else:
            self.is_following = False

    def _be_at_end(self) -> None:
        self.is_following = True
        self._new_rows = 0
        self.pill.hide()

    def _keep(self) -> None:
        if self.is_following:
            self._table.scrollToBottom()

    def _place_pill(self) -> None:
        room = self._table.viewport().geometry()
        self.pill.move(room.x() + (room.width() - self.pill.width()) // 2, room.bottom() + 1 - self.pill.height() - 8)
