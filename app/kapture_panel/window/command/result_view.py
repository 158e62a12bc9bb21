"""How a command went, and what it answered, seen in the ways that fit it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.core import summary
from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.command import snippets
from kapture_panel.window.command.entries import ENTRIES
from kapture_panel.window.command.result_head import IMAGE, RAW, TABLE, TEXT, TREE, VIEWS, ResultHead
from kapture_panel.window.command.result_search import (
    SearchBar,
    Searched,
    SearchedTable,
    SearchedText,
    SearchedTree,
    mark_color,
)
from kapture_panel.window.widgets import next_steps, safe_text
from kapture_panel.window.widgets.code_edit import CodeView
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.json_tree import JsonTree
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.picture_view import PictureView
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.records_model import RecordsModel, records_in
from kapture_panel.window.widgets.table import Table
from kapture_panel.window.widgets.theme import Theme

_MAX_TEXT_CHARS = 1_000_000
#: The line that says how it went and a few lines of the answer; in a narrow window the tools below that line.
_LEAST_PX = 110
_TOOLS_PX = 34
#: What the title, one whole field of the form and the bar below it take first.
_FORM_PX = 170
#: Until there is an answer, the form gets all the room but the line that says so; in a part of the window that is no
#: higher than this, that line's, too.
_SHORT_PX = 340
_EMPTY_PX = 48
#: Tables go from edge to edge, as those of the other rooms do; the others begin below the head.
_PANE_LEFT_PX = 8


class ResultView(QWidget):
    """Stays as it is until the next command begins.

    `copied` tells what was put on the clipboard; `shot_opened` carries the stored picture that was opened,
    `picture_opened` the name and the bytes of one that is in no store.

    Args:
        config: the JSON that adds the panel to an MCP client, for what a call is copied as.
    """

    shot_opened = Signal(object)
    picture_opened = Signal(str, bytes)
    copied = Signal(str)

    def __init__(self, theme: Theme, pictures: Pictures, config: str) -> None:
        super().__init__()
        self._config = config
        self._call: tuple[Command, Params] | None = None
        self._outcome: Answer | KaptureError | None = None
        self._pictures = pictures
        #: The picture that is shown: a stored one, or the bytes of one that is in no store.
        self._shown: Shot | bytes | None = None
        self._raw: Any = None
        self.head = ResultHead(theme, self.search)
        self.head.views.picked.connect(self._show_view)
        self.head.copy_menu.aboutToShow.connect(self.fill_copy_menu)
        self.message = _message()
        self._make_panes(theme)
        marked = partial(mark_color, theme)
        self._searched: list[Searched | None] = [
            SearchedTree(self.tree, self.tree.json_model),
            SearchedTable(self.table, self._records),
            None,
            SearchedText(self.text, marked),
            SearchedText(self.raw, marked),
        ]
        self.search_bar = SearchBar(theme)
        self.search_bar.closed.connect(self._focus_pane)
        bind(ENTRIES["search_result"], self, self.search)
        self._is_empty = True
        self._room_px = 0
        self._lay_out()

    def _make_panes(self, theme: Theme) -> None:
        """A pane for each of the `VIEWS`, in their order."""
        self.tree = JsonTree(theme)
        self._records = RecordsModel(self)
        self.table = Table(self._records, theme, "Result as a table")
        header = self.table.horizontalHeader()
        header.show()
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.picture = PictureView()
        self.picture.opened.connect(self._open_picture)
        self.text = _text_pane("Result as text")
        self.raw = CodeView("Result as JSON", theme)
        self._stack = QStackedWidget()
        # Where there is too little room, what is cut is a pane, which scrolls, and not the head.
        self._stack.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        for pane in (self.tree, self.table, self.picture, self.text, self.raw):
            self._stack.addWidget(pane)

    def _lay_out(self) -> None:
        self._hint = Label("The answer appears here.", kind="secondary")
        self._hint.setContentsMargins(16, 12, 16, 12)
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.head)
        column.addWidget(self.message)
        column.addWidget(self.search_bar)
        column.addWidget(self._stack, 100)
        # Keeps the message at the top when there is nothing below it.
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._hint, 0, Qt.AlignmentFlag.AlignTop)
        whole.addWidget(self._body)
        self._body.hide()

    def begin(self, command: Command, params: Params) -> None:
        """Show nothing, as at the start of a run of `command`."""
        self._call = (command, params)
        self._outcome = None
        self.search_bar.forget()
        self._body.hide()
        self._is_empty = False
        self.name_beside(command)

    def name_beside(self, command: Command) -> None:
        """Say whose answer this is where `command`, which is in the form, is another."""
        ran = self._call[0] if self._call is not None else command
        self.head.whose.setText(safe_text.line(ran.title))
        self.head.whose.setVisible(ran is not command)
        self._share_room()

    def show_answer(self, answer: Answer) -> None:
        """Show what a command answered."""
        self._say("✓ done", "ok", answer.ms, summary.of(answer))
        self.message.hide()
        self._outcome = answer
        self._shown = picture = answer.shot or answer.image
        tree = {name: part for name, part in snippets.answer_tree(answer).items() if name != "snapshot"}
        text = answer.snapshot or snippets.text_in(answer.result)
        records = records_in(answer.result)
        self._fill(tree, records, text)
        offered = [TREE, RAW]
        if records:
            offered.append(TABLE)
        if picture is not None:
            offered.append(IMAGE)
            self.picture.show_image(QImage())
            source = picture if isinstance(picture, bytes) else picture.path
            self._pictures.load(source, None, self, lambda image: self._on_picture(picture, image))
        if text:
            offered.append(TEXT)
        preferred = {"image": IMAGE, "table": TABLE, "text": TEXT}.get(answer.command.result, TREE)
        self._offer(offered, preferred if preferred in offered else TREE)

    def let_go(self, ids: Collection[int]) -> None:
        """Show nothing more of an answer whose row is gone."""
        if isinstance(self._outcome, Answer) and self._outcome.row_id in ids:
            self._outcome = self._shown = None
            self._fill({}, None, "")
            self.picture.show_image(QImage())
            self._body.hide()
            self._is_empty = True
            self._share_room()

    def show_error(self, error: KaptureError, ms: float) -> None:
        """Show why a command failed."""
        self._shown = None
        self._outcome = error
        self._say(f"✗ {error.code}", "error", ms, "")
        self.message.setText(safe_text.text(next_steps.words(error), 2000))
        self.message.show()
        # The message stands above.
        about = {"param": error.param} if error.param else {}
        done = {"doneBefore": error.done_before} if error.done_before else {}
        self._fill({"details": {**about, **error.details, **done}}, None, "")
        if error.details:
            self._offer([TREE, RAW], TREE)
        else:
            self._offer([], TREE)

    def show_cancelled(self, ms: float) -> None:
        """Show that the person took the command back."""
        self._shown = None
        self._outcome = None
        self._say("cancelled", "neutral", ms, "you stopped it before it answered")
        self.message.hide()
        self._offer([], TREE)

    @property
    def offered(self) -> list[str]:
        """The ways the result can be seen."""
        return [VIEWS[number] for number, button in enumerate(self.head.views.buttons) if not button.isHidden()]

    @property
    def shown(self) -> str:
        """The way it is seen."""
        return VIEWS[self._stack.currentIndex()]

    def search(self) -> None:
        """Search in what is shown."""
        if self.head.search_button.isVisible() and self.head.search_button.isEnabled():
            self.search_bar.open_search()
            self.search_bar.search_in(self._searched[self._stack.currentIndex()])

    def show_copy_menu(self) -> None:
        """Offer what there is to copy, under its button."""
        button = self.head.copy_button
        self.head.copy_menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))

    def fill_copy_menu(self) -> None:
        """Offer what there is to copy."""
        self.head.copy_menu.clear()
        if self._call is not None:
            command, params = self._call
            for words, snippet in snippets.CALLS.items():
                self._add_copy(words, partial(snippet, command, params, self._config))
            self.head.copy_menu.addSeparator()
        if isinstance(self._outcome, Answer):
            self._add_copy("Answer as JSON", partial(snippets.answer_json, self._outcome))
            self._add_copy("Answer as text", partial(snippets.answer_text, self._outcome))
        elif self._outcome is not None:
            error = self._outcome
            self._add_copy("Error as JSON", partial(json.dumps, error.as_wire(), indent=2, ensure_ascii=False))
            self._add_copy("Error as text", partial(snippets.error_text, error))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def fit(self, height_px: int) -> None:
        """Share `height_px` with the form."""
        self._room_px = height_px
        self._share_room()

    def _share_room(self) -> None:
        fits = self.head.share_room(self.width())
        if self._is_empty:
            least_px = _EMPTY_PX if self._room_px > _SHORT_PX else 0
        else:
            wanted_px = _LEAST_PX if fits else _LEAST_PX + _TOOLS_PX
            least_px = max(min(wanted_px, self._room_px - _FORM_PX), 0)
        self.setMinimumHeight(least_px)
        self._hint.setVisible(self._is_empty and self.height() >= _EMPTY_PX)

    def _focus_pane(self) -> None:
        pane = self._stack.currentWidget()
        if pane is not None and self._body.isVisible():
            pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_copy(self, words: str, make: Callable[[], str]) -> None:
        self.head.copy_menu.addAction(words).triggered.connect(lambda: self._copy(words, make()))

    def _copy(self, words: str, text: str) -> None:
        QApplication.clipboard().setText(text)
        self.copied.emit(f"Copied: {words}")

    def _say(self, words: str, tone: str, ms: float, said: str) -> None:
        self.head.say(words, tone, ms, said)
        self._is_empty = False
        self._share_room()
        self._body.show()

    def _fill(self, tree: JsonObject, records: list[JsonObject] | None, text: str) -> None:
        self.tree.show_value(tree)
        self._records.show(records or [])
        self.text.setPlainText(safe_text.text(text, _MAX_TEXT_CHARS))
        self._raw = tree
        self.raw.clear()

    def _offer(self, numbers: list[int], first: int) -> None:
        self.head.views.setVisible(bool(numbers))
        self._stack.setVisible(bool(numbers))
        self.head.search_button.setVisible(bool(numbers))
        self.head.copy_button.setVisible(self._call is not None or self._outcome is not None)
        if not numbers:
            self.search_bar.close_search()
        if numbers:
            self.head.views.show_only(sorted(numbers))
            self.head.views.choose([first])
            self._show_view(first)
        self._share_room()

    def _show_view(self, number: int) -> None:
        # Pretty JSON of a large answer costs time, so it is made when it is looked at.
        if number == RAW and not self.raw.document().characterCount() > 1:
            self.raw.show_code(safe_text.text(json.dumps(self._raw, indent=2, ensure_ascii=False), _MAX_TEXT_CHARS))
        if number == TABLE:
            self.table.resizeColumnsToContents()
            # The last one takes what is left.
            for column in range(self._records.columnCount() - 1):
                self.table.setColumnWidth(column, min(self.table.columnWidth(column) + 8, 320))
        self._stack.setContentsMargins(0 if number == TABLE else _PANE_LEFT_PX, 0, 0, 0)
        self._stack.setCurrentIndex(number)
        self.head.search_button.setEnabled(self._searched[number] is not None)
        self.search_bar.search_in(self._searched[number])

    def _on_picture(self, picture: Shot | bytes, image: QImage) -> None:
        if picture is self._shown:
            self.picture.show_image(image)

    def _open_picture(self) -> None:
        if isinstance(self._shown, Shot):
            self.shot_opened.emit(self._shown)
        elif self._shown is not None and self._call is not None:
            command, params = self._call
            self.picture_opened.emit(Path(str(params.get("path", command.short_name))).name, self._shown)


def _message() -> Label:
    message = Label(kind="message-error")
    message.setWordWrap(True)
    message.setAccessibleName("Why the command failed")
    message.setContentsMargins(16, 0, 16, 6)
    message.setTextInteractionFlags(message.textInteractionFlags().TextSelectableByMouse)
    return message


def _text_pane(name: str) -> QPlainTextEdit:
    pane = QPlainTextEdit()
    pane.setReadOnly(True)
    pane.setTabChangesFocus(True)
    pane.setProperty("mono", True)
    pane.setProperty("kind", "flat")
    pane.setAccessibleName(name)
    return pane
