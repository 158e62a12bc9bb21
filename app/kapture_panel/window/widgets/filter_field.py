"""A filter for words or a pattern; a wrong pattern says so and changes nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.search_field import SearchField
from kapture_panel.window.widgets.text_filter import TextFilter
from kapture_panel.window.widgets.theme import Theme, mark
from kapture_panel.window.widgets.throttle import Throttle

_DELAY_MS = 120


class FilterField(QWidget):
    """`value` is the last filter that could be read; `problem` is the message to put under the row.

    Args:
        theme: colours the button for patterns.
        name: what a screen reader says.
        hint: what stands in it where there is room for more than "Filter".
    """

    changed = Signal()

    def __init__(self, theme: Theme, name: str, hint: str = "Filter") -> None:
        super().__init__()
        self.value = TextFilter()
        self.edit = SearchField(name)
        self.edit.setProperty("kind", "filter")
        self.edit.offer_hints(hint, "Filter")
        self.edit.setMinimumWidth(70)
        self.pattern = QToolButton()
        self.pattern.setProperty("kind", "toggle")
        self.pattern.setCheckable(True)
        self.pattern.setAccessibleName(f"{name} by a regular expression")
        self.pattern.setToolTip(safe_text.tooltip("Regular expression"))
        theme.tint(self.pattern, "mdi6.regex")
        self.problem = Label(kind="field-problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        row.addWidget(self.edit, 1)
        row.addWidget(self.pattern)
        self.setFocusProxy(self.edit)
        typing = Throttle(self, self._read, _DELAY_MS)
        self.edit.textChanged.connect(typing.ask)
        self.pattern.toggled.connect(lambda _on: self._read())

    def _read(self) -> None:
        text = self.edit.text()
        try:
            wanted = TextFilter(text if self.pattern.isChecked() else text.strip(), is_pattern=self.pattern.isChecked())
        except ValueError as error:
            self._say(safe_text.line(error))
            return
        self._say("")
        if wanted != self.value:
            self.value = wanted
            self.changed.emit()

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.edit.setAccessibleDescription(problem)
        mark(self.edit, invalid=bool(problem))
