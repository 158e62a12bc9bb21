"""The live console of all tabs."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.console import LEVELS
from kapture_panel.window import figures
from kapture_panel.window.models.console_model import ConsoleModel
from kapture_panel.window.theme import Theme
from kapture_panel.window.throttle import Throttle
from kapture_panel.window.views.buttons import icon_button
from kapture_panel.window.views.dock import TitleBar
from kapture_panel.window.views.table import Table

_LEVEL_ICONS = {
    "debug": "mdi6.bug-outline",
    "log": "mdi6.text",
    "info": "mdi6.information-outline",
    "warn": "mdi6.alert-outline",
    "error": "mdi6.close-circle-outline",
}
_FILTER_DELAY_MS = 120


class ConsoleView(QWidget):
    """Follows the newest line while it is in sight; scrolled up it holds and counts what is new."""

    copied = Signal(str)
    cleared = Signal()

    def __init__(self, model: ConsoleModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._new_lines = 0
        self._is_following = True
        self.title_bar = TitleBar("Console", theme)
        self.chips: dict[str, QPushButton] = {}
        chips = QWidget()
        row = QHBoxLayout(chips)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        for level in reversed(LEVELS):
            row.addWidget(self._chip(level, theme))
        self.title_bar.add(chips)
        self.filter = QLineEdit()
        self.filter.setProperty("kind", "filter")
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter console lines")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(64)
        self.filter.setMaximumWidth(160)
        self._filtering = Throttle(self, self._apply_filter, _FILTER_DELAY_MS)
        self.filter.textChanged.connect(self._filtering.ask)
        self.title_bar.add(self.filter)
        self.title_bar.add(icon_button(theme, "mdi6.content-copy", "Copy console lines", self.copy))
        self.title_bar.add(icon_button(theme, "mdi6.delete-outline", "Clear console", self.cleared.emit))
        self.table = Table(model, theme, "Console lines")
        self.table.set_columns(theme, (12, 5, 0, 16), spare=(3, 1))
        self.table.say_when_empty("What pages write to their console appears here.")
        copy = QShortcut(QKeySequence.StandardKey.Copy, self.table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy)
        self.new_pill = QPushButton(self.table)
        self.new_pill.setProperty("kind", "new-lines")
        self.new_pill.setAccessibleName("Go to the newest line")
        self.new_pill.clicked.connect(self.follow)
        self.new_pill.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        model.rowsInserted.connect(self._on_inserted)
        model.modelReset.connect(self._on_reset)
        model.trimmed.connect(self._on_trimmed)
        model.counted.connect(self._show_counts)
        bar = self.table.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(lambda *_: self._keep_tail())
        self._show_counts()

    def follow(self) -> None:
        """Go to the newest line and stay with it."""
        self._is_following = True
        self._new_lines = 0
        self.new_pill.hide()
        self.table.scrollToBottom()

    @property
    def is_following(self) -> bool:
        """Whether the newest line stays in sight."""
        return self._is_following

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_pill()
        self._keep_tail()

    def _chip(self, level: str, theme: Theme) -> QPushButton:
        chip = QPushButton()
        chip.setProperty("kind", "chip")
        chip.setProperty("level", level)
        theme.tint(chip, _LEVEL_ICONS[level], level if level in ("warn", "error") else "text_secondary", 13)
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.toggled.connect(lambda _on: self._apply_filter())
        self.chips[level] = chip
        return chip

    def _apply_filter(self) -> None:
        levels = frozenset(level for level, chip in self.chips.items() if chip.isChecked())
        self._model.set_filter(self.filter.text().strip(), levels)

    def _show_counts(self) -> None:
        for level, chip in self.chips.items():
            number = self._model.counts[level]
            words = figures.count(
                number, "warning" if level == "warn" else level if level == "error" else f"{level} line"
            )
            chip.setText(figures.number(number))
            chip.setAccessibleName(f"Show {words}")
            chip.setToolTip(words)

    def copy(self) -> None:
        """Copy the selected lines, or all that are shown."""
        self.copied.emit(self._model.as_text(self.table.selected_rows() or None))

    def _on_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        if self._is_following:
            self.table.scrollToBottom()
            return
        self._new_lines += last - first + 1
        self.new_pill.setText(f"↓ {figures.number(self._new_lines)} new")
        self.new_pill.adjustSize()
        self._place_pill()
        self.new_pill.show()

    def _on_reset(self) -> None:
        self.follow()

    def _on_trimmed(self, rows: int) -> None:
        if not self._is_following:
            bar = self.table.verticalScrollBar()
            bar.setValue(max(0, bar.value() - rows))

    def _on_scrolled(self, value: int) -> None:
        if value >= self.table.verticalScrollBar().maximum():
            self._is_following = True
            self._new_lines = 0
            self.new_pill.hide()
        else:
            self._is_following = False

    def _keep_tail(self) -> None:
        if self._is_following:
            self.table.scrollToBottom()

    def _place_pill(self) -> None:
        room = self.table.viewport().rect()
        self.new_pill.move((room.width() - self.new_pill.width()) // 2, room.height() - self.new_pill.height() - 8)
