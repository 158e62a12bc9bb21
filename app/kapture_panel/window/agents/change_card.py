"""A change of a client's file, shown before it is made: what would be written, Apply and Cancel."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from kapture_panel.installing.plans import Plan
from kapture_panel.window.agents.entries import ENTRIES
from kapture_panel.window.widgets import safe_text, scrolling
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import Theme

_MAX_CHARS = 20_000
#: More lines of a diff than these scroll.
_MOST_LINES = 12
#: How the lines of a diff begin, and their colours.
_LINES = (("…", "text_secondary"), ("+", "ok"), ("-", "error"))
_GROUNDS = {"ok": "ok_bg", "error": "error_bg"}


class ChangeCard(QFrame):
    """`applied` carries the plan; `closed` comes when the person does not want it, or has read why it cannot be."""

    applied = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._plan: Plan | None = None
        self.title = Label(kind="strong")
        self.title.setWordWrap(True)
        self.words = Label(kind="secondary")
        self.words.setWordWrap(True)
        self.diff = TextEdit(min_lines=1, max_lines=_MOST_LINES, is_mono=True)
        self.diff.is_whole = True
        self.diff.setReadOnly(True)
        self.diff.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        _Colours(self.diff.document(), theme)
        self.diff.setAccessibleName("What would change")
        self.apply = QPushButton("Apply")
        self.apply.setProperty("kind", "primary")
        self.cancel = QPushButton("Cancel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addWidget(self.diff)
        row = QHBoxLayout()
        row.addWidget(self.apply)
        row.addWidget(self.cancel)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        self.apply.clicked.connect(self._on_apply)
        self.cancel.clicked.connect(self.closed)
        bind(ENTRIES["close_change"], self, self.cancel.click)

    @property
    def is_asking(self) -> bool:
        """Whether a change waits for the person's word."""
        return self._plan is not None

    def offer(self, title: str, plan: Plan) -> None:
        """Ask whether the plan is wanted."""
        self._plan = plan
        self._show(title, _words(plan))
        self.diff.setPlainText(safe_text.text(_lines_of(plan), _MAX_CHARS))
        self.diff.show()
        self.apply.setVisible(True)
        self.apply.setEnabled(True)
        self.cancel.setText("Cancel")
        self.apply.setFocus()
        scrolling.bring_in_sight(self.apply)

    def tell(self, title: str, words: str) -> None:
        """Say what was done, or why nothing was."""
        self._plan = None
        self._show(title, words)
        self.diff.hide()
        self.apply.setVisible(False)
        self.cancel.setText("Close")
        self.cancel.setFocus()

    def _show(self, title: str, words: str) -> None:
        self.title.setText(title)
        self.words.setText(safe_text.text(words, 2000))
        self.setAccessibleName(f"{title}: {words}")

    def _on_apply(self) -> None:
        if self._plan is not None:
            self.apply.setEnabled(False)
            self.applied.emit(self._plan)


def _lines_of(plan: Plan) -> str:
    """The lines that change, and those around them, without the names of files, which the words above have; "…" stands
    where lines are left out."""
    lines = plan.diff().split("\n")[2:]
    is_from_the_top = re.match(r"@@ -[01][, ]", lines[0]) is not None
    return "\n".join("…" if line.startswith("@@") else line for line in lines[is_from_the_top:])


def _words(plan: Plan) -> str:
    """What becomes of the file."""
    if plan.before is None:
        return f"{plan.path} does not exist yet. Kapture creates it with this text."
    if plan.after is None:
        return f"This deletes {plan.path}: nothing but Kapture is in it."
    if plan.restores is not None:
        return f"This makes {plan.path} as it was before, from the copy beside it, which goes."
    return f"This changes {plan.path}. A copy of the old file stays beside it."


class _Colours(QSyntaxHighlighter):
    """What comes is green, what goes red, and what only says where is grey; the signs before the lines say it, too."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        role = next((role for begins, role in _LINES if text.startswith(begins)), "")
        if role:
            look = QTextCharFormat()
            look.setForeground(self._theme.color(role))
            if role in _GROUNDS:
                look.setBackground(self._theme.color(_GROUNDS[role]))
            self.setFormat(0, len(text), look)
