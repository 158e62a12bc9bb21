"""The live console of all tabs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.console import LEVELS, ConsoleLine
from kapture_panel.window.page.console_model import CONTEXTS, MORE, TEXT, ConsoleModel, LineFilter, as_text
from kapture_panel.window.page.console_table import ConsoleTable
from kapture_panel.window.page.entries import ENTRIES
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.filter_field import FilterField
from kapture_panel.window.widgets.filter_row import FilterRow
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.save_dialog import SaveDialog
from kapture_panel.window.widgets.slices import Slices
from kapture_panel.window.widgets.small_choice import SmallChoice
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.tab_choice import TabChoice
from kapture_panel.window.widgets.tail import Tail
from kapture_panel.window.widgets.theme import Theme, mark
from kapture_panel.window.widgets.throttle import Throttle

_LEVEL_ICONS = {
    "debug": "mdi6.bug-outline",
    "log": "mdi6.text",
    "info": "mdi6.information-outline",
    "warn": "mdi6.alert-outline",
    "error": "mdi6.close-circle-outline",
}
_STEP_LINES = 100
#: Levels that have a colour.
_TELLING = ("warn", "error")
#: What a chip takes beside its count, with the gap to the next, and what all else in the title of the dock takes.
_CHIP_PX, _SWITCH_PX = 30, 174
#: A chip is rounded up to so much more with words.
_ROUNDED_PX = 1
#: What stands there besides once the dock floats.
_FLOATING_PX = 64
#: Chips that go in a narrow dock, in this order.
_SPARE_LEVELS = ("debug", "info")
_CELL_PADDING_PX = 18
_LEAST_WRAP_CHARS = 20


class ConsoleView(QWidget):
    """Follows the newest line while it is in sight; a line with more text opens below itself.

    `tools` are the level chips, which stand in the title of the dock.
    """

    copied = Signal(str)
    saved = Signal(str, int)
    failed = Signal(str)
    cleared = Signal()

    def __init__(self, model: ConsoleModel, tabs: Tabs, subscriptions: Subscriptions, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._theme = theme
        self._copying, self._saving = Slices(self), Slices(self)
        self.chips: dict[str, QPushButton] = {}
        self.tools = _Chips()
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        for level in reversed(LEVELS):
            row.addWidget(self._chip(level))
        self.field = FilterField(theme, "Filter console lines", "Filter · newest last")
        self.filter = self.field.edit
        self.field.changed.connect(self._apply_filter)
        self.tab = TabChoice(tabs, subscriptions, "Console of which tab")
        contexts = {"Everywhere": "", **{words: name for name, words in CONTEXTS.items()}}
        self.context = SmallChoice("Console of pages or workers", contexts)
        for choice in (self.tab, self.context):
            choice.currentIndexChanged.connect(lambda _at: self._apply_filter())
        buttons = (
            icon_button(theme, "mdi6.content-copy", "Copy console lines", self.copy),
            icon_button(theme, "mdi6.content-save-outline", "Save console lines", self.ask_where_to_save),
            icon_button(theme, "mdi6.delete-outline", "Clear console", self.cleared.emit),
        )
        self._make_dropped_row()
        self._make_table(theme)
        self._wrapping = Throttle(self, self._wrap_again)
        self._wrapped_chars = 0
        self.table.horizontalHeader().sectionResized.connect(self._wrapping.ask)
        self.tail = Tail(self.table, "line")
        self.new_pill = self.tail.pill
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(FilterRow(self.field, (self.context, self.tab), buttons))
        column.addWidget(self.field.problem)
        column.addWidget(self._dropped_row)
        column.addWidget(self.table)
        model.counted.connect(self._show_counts)
        model.counted.connect(self._show_dropped)
        model.modelReset.connect(self._say_why_empty)
        self._show_counts()
        self._show_dropped()

    def _make_dropped_row(self) -> None:
        #: Above the oldest line that is left.
        self.dropped = ElidedLabel(kind="small")
        self._dropped_row = QWidget()
        self._dropped_row.setProperty("kind", "ruled")
        self._dropped_row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dropped_row.setToolTip("Newer ones needed the room")
        dropped = QHBoxLayout(self._dropped_row)
        dropped.setContentsMargins(8, 3, 8, 4)
        dropped.addWidget(self.dropped)

    def _make_table(self, theme: Theme) -> None:
        self.table = ConsoleTable(self._model, theme)
        self.table.say_when_empty("What pages write to their console appears here.")
        self.table.activated.connect(self._on_activated)
        self.table.clicked.connect(self._on_clicked)
        for name, act in (
            ("copy_lines", self.copy),
            ("open_line", lambda: self._open_current(True)),
            ("close_line", lambda: self._open_current(False)),
        ):
            bind(ENTRIES[name], self.table, act, Qt.ShortcutContext.WidgetShortcut)

    def follow(self) -> None:
        """Go to the newest line and stay with it."""
        self.tail.follow()

    @property
    def is_following(self) -> bool:
        """Whether the newest line stays in sight."""
        return self.tail.is_following

    def copy(self) -> None:
        """Copy the selected lines, or all that are shown."""
        texts: list[str] = []
        lines = self._model.lines(self.table.selected_rows() or None)
        self._copying.begin(_in_parts(lines, texts.append), lambda: self.copied.emit("\n".join(texts)))

    def ask_where_to_save(self) -> None:
        """Ask for a file and save there."""
        dialog = SaveDialog(self, "Save console lines", "kapture-console.txt", ".txt", "Text (*.txt *.log)")
        dialog.fileSelected.connect(self.save)
        dialog.open()

    def save(self, path: str) -> None:
        """Write the selected lines, or all that are shown, to a file; `saved` or `failed` tells when it is done."""
        if self._saving.is_working:
            self.failed.emit("another file is still being written")
            return
        lines = self._model.lines(self.table.selected_rows() or None)

        problem = ""

        def writing() -> Iterator[None]:
            nonlocal problem
            try:
                with Path(path).open("w", encoding="utf-8") as file:
                    yield from _in_parts(lines, lambda text: file.write(text + "\n"))
            except OSError as error:
                problem = str(error)

        def written() -> None:
            if problem:
                self.failed.emit(problem)
            else:
                self.saved.emit(path, len(lines))

        self._saving.begin(writing(), written)

    def toggle(self, row: int) -> None:
        """Show all of a line's text, or no more of it."""
        before = self._model.rowCount()
        self.tail.hold()
        first = self._model.open(row, self._wrap_chars())
        self.table.setCurrentIndex(self._model.index(first, TEXT))
        parts = self._model.rowCount() - before
        if parts > 0:
            self.table.scrollTo(self._model.index(first + parts, TEXT))
            self.table.scrollTo(self._model.index(first, TEXT))
            # Even at the end: the tail would take what is read away with the next line.
            self.tail.hold()
        else:
            self.tail.look()

    def _wrap_again(self) -> None:
        chars = self._wrap_chars()
        if chars != self._wrapped_chars:
            self._wrapped_chars = chars
            self._model.wrap_again(chars)

    def _wrap_chars(self) -> int:
        char_px = QFontMetricsF(self._theme.mono()).horizontalAdvance("0")
        return max(_LEAST_WRAP_CHARS, int((self.table.columnWidth(TEXT) - _CELL_PADDING_PX) / char_px))

    def _chip(self, level: str) -> QPushButton:
        chip = QPushButton()
        chip.setProperty("kind", "chip")
        chip.setCheckable(True)
        chip.setChecked(True)
        chip.toggled.connect(lambda _on: self._apply_filter())
        self.chips[level] = chip
        return chip

    def _colour(self, level: str, number: int) -> None:
        """What did not happen has no colour."""
        tone = level if number and level in _TELLING else ""
        if self.chips[level].property("level") != tone:
            mark(self.chips[level], level=tone)
            self._theme.tint(self.chips[level], _LEVEL_ICONS[level], tone or "text_secondary", 13)

    def _apply_filter(self) -> None:
        levels = frozenset(level for level, chip in self.chips.items() if chip.isChecked())
        context = str(self.context.currentData())
        self._model.set_filter(LineFilter(self.field.value, levels, self.tab.tab_id, context))

    def _show_counts(self) -> None:
        """Counts, with words as far as there is room: the most telling levels have them first."""
        counts = self._model.counts
        metrics = self.chips["error"].fontMetrics()
        bare = {level: metrics.horizontalAdvance(_short(counts[level])) + _CHIP_PX for level in self.chips}
        around_px = _SWITCH_PX + (_FLOATING_PX if isinstance(self.window(), QDockWidget) else 0)
        room_px, left_px = self.width() - around_px, sum(bare.values())
        words_px = left_px
        for level in _SPARE_LEVELS:
            # One that hides its lines stays, or nobody would know.
            is_spare = left_px > room_px and self.chips[level].isChecked()
            left_px -= bare[level] if is_spare else 0
            self.chips[level].setHidden(is_spare)
        staying = [level for level in bare if level not in _SPARE_LEVELS or not self.chips[level].isChecked()]
        self.tools.least_px = sum(bare[level] for level in staying)
        for level, chip in self.chips.items():
            number = self._model.counts[level]
            self._colour(level, number)
            words = f"{figures.number(number)} {_words(level, number)}"
            # What follows one without has none either: it adds up to more than the room.
            words_px += metrics.horizontalAdvance(f" {_words(level, number)}") + _ROUNDED_PX
            chip.setText(f"{_short(number)} {_words(level, number)}" if words_px <= room_px else _short(number))
            chip.setAccessibleName(f"Show {words}")
            chip.setToolTip(safe_text.tooltip(words))

    def _show_dropped(self) -> None:
        number = self._model.dropped
        self.dropped.show_line(f"{figures.count(number, 'older line')} dropped")
        self._dropped_row.setVisible(number > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_counts()

    def _say_why_empty(self) -> None:
        hides = self._model.counts.total() > 0
        self.table.say_when_empty(
            "No line matches the filter." if hides else "What pages write to their console appears here."
        )

    def _on_activated(self, index: QModelIndex) -> None:
        self.toggle(index.row())

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == MORE:
            self.toggle(index.row())

    def _open_current(self, wanted: bool) -> None:
        row = self.table.currentIndex().row()
        if row >= 0 and self._model.is_open(row) != wanted:
            self.toggle(row)


class _Chips(QWidget):
    """The chips of the levels; what goes when the dock is narrower, words and then chips, does not keep it wide."""

    least_px = 0

    def minimumSizeHint(self) -> QSize:
        return QSize(self.least_px, super().minimumSizeHint().height())


def _in_parts(lines: list[ConsoleLine], take: Callable[[str], object]) -> Iterator[None]:
    """Hand `lines` over as text, some at a time."""
    for at in range(0, len(lines), _STEP_LINES):
        take("\n".join(map(as_text, lines[at : at + _STEP_LINES])))
        yield


def _words(level: str, number: int) -> str:
    """A level beside its count: "errors", "warning", "info"."""
    word = {"warn": "warning", "error": "error", "log": "log"}.get(level)
    return level if word is None else word if number == 1 else f"{word}s"


def _short(number: int) -> str:
    """A count for a chip, whose tooltip says it exactly: "9 999", "12k"."""
    return figures.number(number) if number < 10_000 else f"{number // 1000}k"
