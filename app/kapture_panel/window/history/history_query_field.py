"""The field of the history's search: finds as it is typed in, completes keys and values, says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QListView

from kapture_panel.core.stores import history_query
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.search_field import SearchField
from kapture_panel.window.widgets.theme import Theme, mark
from kapture_panel.window.widgets.throttle import Throttle

_DELAY_MS = 120
_HELP = """Words are looked for in agent, command, site and what came out.
agent:codex   site:shop   cmd:fill   tab:k3x9a
status:error   kind:person   after:10:30   before:2d
-cmd:snapshot   leaves rows out
"two words"   belong together"""


class QueryField(SearchField):
    """`asked` comes shortly after a change; `problem` is the message to put under the field.

    Args:
        values: known values by key, for completions.
    """

    asked = Signal()

    def __init__(self, theme: Theme, values: Callable[[], Mapping[str, Iterable[str]]]) -> None:
        super().__init__("Filter history")
        self._values = values
        self.setProperty("kind", "filter")
        self.offer_hints("agent:  site:  status:  cmd:  or words", "agent:  site:  cmd:", "Filter")
        self.setToolTip(safe_text.tooltip(_HELP))
        self.setMinimumWidth(90)
        self.problem = Label(kind="field-problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self._found = QStringListModel(self)
        self.popup = QListView()
        self.popup.setAccessibleName("Words for the filter")
        self.popup.setProperty("kind", "boxed")
        self.popup.setProperty("mono", True)
        self._completer = QCompleter(self._found, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setPopup(self.popup)
        self._completer.setWidget(self)
        self._completer.activated.connect(self._take)
        typing = Throttle(self, self.asked.emit, _DELAY_MS)
        self.textChanged.connect(typing.ask)
        self.textEdited.connect(lambda _text: self._offer())

    def say(self, problems: Iterable[str]) -> None:
        """Say under the field what is wrong with it."""
        said = "\n".join(safe_text.line(problem) for problem in problems)
        self.problem.setText(said)
        self.problem.setVisible(bool(said))
        self.setAccessibleDescription(said)
        mark(self, invalid=bool(said))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.popup.isVisible() or self.text()):
            if self.popup.isVisible():
                self.popup.hide()
            else:
                self.clear()
            return
        super().keyPressEvent(event)

    def _offer(self) -> None:
        words = history_query.completions(self.text(), self.cursorPosition(), self._values())
        self._found.setStringList(words)
        if words and self.hasFocus():
            self._completer.complete()
        else:
            self.popup.hide()

    def _take(self, word: str) -> None:
        """Put a completion in the place of the word it completes; a key waits for its value, which follows."""
        text = self.text()
        start, end = history_query.word_at(text, self.cursorPosition())
        whole = word if word.endswith(":") else f"{word} "
        self.setText(text[:start] + whole + text[end:].lstrip())
        self.setCursorPosition(start + len(whole))
        if word.endswith(":"):
            self._offer()
