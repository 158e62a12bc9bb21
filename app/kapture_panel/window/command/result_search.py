"""Search in a result: in its tree, its table or its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Protocol

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLineEdit, QPlainTextEdit, QTextEdit, QTreeView, QWidget

from kapture_panel.window.command.entries import ENTRIES
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.json_model import JsonModel
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.records_model import RecordsModel
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.throttle import Throttle

#: More places than this are not told apart: nobody goes through them one by one.
MAX_PLACES = 10_000
_MAX_MARKED = 500
_TYPING_MS = 120
_MARK_ALPHA = 70


class Searched(Protocol):
    """Something that can be searched."""

    def find(self, words: str) -> Sequence[Any]:
        """The places where `words` stand, whatever their case, at most `MAX_PLACES`."""

    def show(self, places: Sequence[Any], current: int) -> None:
        """Show one of the places, and where the others are; none at all when there are none."""


class SearchedText:
    """A text; every place is marked, the current one chosen.

    Args:
        color: the colour of the marks.
    """

    def __init__(self, pane: QPlainTextEdit, color: Callable[[], QColor]) -> None:
        self._pane = pane
        self._color = color

    def find(self, words: str) -> Sequence[tuple[int, int]]:
        text = self._pane.document().toRawText()
        # Not by lower(): that makes two letters of some, and places are counted in the text as it is.
        found = list(islice(re.finditer(re.escape(words), text, re.IGNORECASE), MAX_PLACES))
        places: list[tuple[int, int]] = []
        done = wide = 0
        for match in found:
            # Qt counts in UTF-16, where a letter beyond the first plane counts twice.
            wide += sum(letter > "\uffff" for letter in text[done : match.start()])
            inner = sum(letter > "\uffff" for letter in match.group())
            places.append((match.start() + wide, match.end() + wide + inner))
            wide += inner
            done = match.end()
        return places

    def show(self, places: Sequence[tuple[int, int]], current: int) -> None:
        mark = QTextCharFormat()
        mark.setBackground(self._color())
        near = range(max(0, current - _MAX_MARKED // 2), min(len(places), current + _MAX_MARKED // 2))
        selections = []
        for number in near:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self._cursor(places[number])
            selection.format = mark
            selections.append(selection)
        self._pane.setExtraSelections(selections)
        if places:
            self._pane.setTextCursor(self._cursor(places[current]))
            self._pane.ensureCursorVisible()

    def _cursor(self, place: tuple[int, int]) -> QTextCursor:
        cursor = QTextCursor(self._pane.document())
        cursor.setPosition(place[0])
        cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
        return cursor


class SearchedTree:
    """Keys and values of a JSON tree, in branches that are closed too; a place is the rows that lead to it."""

    def __init__(self, view: QTreeView, model: JsonModel) -> None:
        self._view = view
        self._model = model

    def find(self, words: str) -> Sequence[tuple[int, ...]]:
        return self._model.find(words, MAX_PLACES)

    def show(self, places: Sequence[tuple[int, ...]], current: int) -> None:
        if not places:
            return
        index = QModelIndex()
        for row in places[current]:
            if index.isValid():
                self._view.expand(index)
            index = self._model.index(row, 0, index)
        self._view.setCurrentIndex(index)
        self._view.scrollTo(index)


class SearchedTable:
    """The cells of a table; a place is a row and a column."""

    def __init__(self, view: QAbstractItemView, model: RecordsModel) -> None:
        self._view = view
        self._model = model

    def find(self, words: str) -> Sequence[tuple[int, int]]:
        return self._model.find(words, MAX_PLACES)

    def show(self, places: Sequence[tuple[int, int]], current: int) -> None:
        if places:
            index = self._model.index(*places[current])
            self._view.setCurrentIndex(index)
            self._view.scrollTo(index)


class SearchBar(QWidget):
    """A line for what is searched, how many places there are, and the way through them.

    `closed` tells that the person has done with it.
    """

    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._searched: Searched | None = None
        self._places: Sequence[Any] = ()
        self._current = 0
        self.line = QLineEdit()
        self.line.setProperty("kind", "filter")
        self.line.setPlaceholderText("Search in the result")
        self.line.setAccessibleName("Search in the result")
        self.line.setMaximumWidth(280)
        self._typing = Throttle(self, self._search, _TYPING_MS)
        self.line.textChanged.connect(lambda _text: self._typing.ask())
        self.count = Label(kind="small")
        self.count.setMinimumWidth(self.fontMetrics().horizontalAdvance("10 000 of 10 000+"))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 6)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(icon_button(theme, "mdi6.chevron-up", "Previous match (Shift+Enter)", self.go_back))
        row.addWidget(icon_button(theme, "mdi6.chevron-down", "Next match (Enter)", self.go_next))
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(icon_button(theme, "mdi6.close", "Close the search (Esc)", self.close_search))
        bind(ENTRIES["next_place"], self.line, self.go_next)
        bind(ENTRIES["previous_place"], self, self.go_back)
        bind(ENTRIES["close_search"], self, self.close_search)
        self.hide()

    def open_search(self) -> None:
        """Let the person type at once."""
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def close_search(self) -> None:
        """Search no more."""
        if not self.isHidden():
            self.hide()
            self._mark_nothing()
            self.closed.emit()

    def forget(self) -> None:
        """Another answer is on its way: what was looked for in the last one is not looked for in it."""
        self.hide()
        self.line.clear()
        self._typing.stop()
        self._mark_nothing()
        self.count.setText("")

    def search_in(self, searched: Searched | None) -> None:
        """Search in something else from now on; None where nothing can be searched."""
        if searched is not self._searched:
            self._mark_nothing()
        self._searched = searched
        self.setEnabled(searched is not None)
        if not self.isHidden():
            self._search()

    def go_next(self) -> None:
        """Go to the next place, from the last to the first."""
        self._go(1)

    def go_back(self) -> None:
        """Go to the place before, from the first to the last."""
        self._go(-1)

    def _go(self, step: int) -> None:
        if self._typing.isActive():
            self._typing.flush()
        elif self._places:
            self._current = (self._current + step) % len(self._places)
            self._show()

    def _search(self) -> None:
        words = self.line.text()
        self._places = self._searched.find(words) if self._searched is not None and words else ()
        self._current = 0
        self._show()

    def _show(self) -> None:
        if self._searched is not None:
            self._searched.show(self._places, self._current)
        number = len(self._places)
        more = "+" if number == MAX_PLACES else ""
        told = f"{figures.number(self._current + 1)} of {figures.number(number)}{more}" if number else "nothing found"
        self.count.setText(told if self.line.text() else "")

    def _mark_nothing(self) -> None:
        self._places = ()
        if self._searched is not None:
            self._searched.show((), 0)


def mark_color(theme: Theme) -> QColor:
    """The ground of found text, in both looks."""
    color = theme.color("warn")
    color.setAlpha(_MARK_ALPHA)
    return color
