"""One request with its headers and bodies."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from kapture_panel.core.stores.network_log import Request
from kapture_panel.window.page.entries import ENTRIES
from kapture_panel.window.page.requests_model import address_of, status_of
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.theme import Theme

_TITLE_HEIGHT_PX = 28
_AT = re.compile(r"^time: (\d+)", re.MULTILINE)
_HEADING = re.compile(r"^(?:request|response) (?:headers|body)\b")
_NAME = re.compile(r"^(?:  [\w-]+|status|type|time|source):")
#: So long a body has no headings in it, and colouring it costs time.
_MAX_COLOURED_BLOCKS = 400


class RequestDetail(QWidget):
    """Shows what the extension tells of a request, its secrets already masked; plain text, bounded there."""

    closed = Signal()
    copied = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._title = ElidedLabel(kind="strong")
        bar = QWidget()
        bar.setProperty("kind", "ruled")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar.setFixedHeight(_TITLE_HEIGHT_PX)
        row = QHBoxLayout(bar)
        row.setContentsMargins(10, 0, 6, 1)
        row.setSpacing(4)
        row.addWidget(self._title, 1)
        row.addWidget(icon_button(theme, "mdi6.content-copy", "Copy request details", self._copy))
        row.addWidget(icon_button(theme, "mdi6.close", "Close request details", self.closed.emit))
        self.note = Label(kind="field-problem")
        self.note.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("mono", True)
        self.text.setProperty("kind", "flat")
        self.text.setAccessibleName("Request details")
        self.text.setTabChangesFocus(True)
        _Colours(self.text.document(), theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.note)
        column.addWidget(self.text, 1)
        bind(ENTRIES["close_request"], self, self.closed.emit)

    def show_request(self, request: Request) -> None:
        """Show what the list knows, until the rest is there."""
        self._title.show_line(f"{request.method} {address_of(request)}")
        self._say("")
        self.text.setPlainText(_summary(request))

    def show_details(self, told: str) -> None:
        """Show everything about the request."""
        self._say("")
        self.text.setPlainText(
            _AT.sub(lambda at: f"time: {figures.clock(int(at[1]) / 1000, millis=True)}", safe_text.text(told), count=1)
        )

    def show_problem(self, why: str) -> None:
        """Say why there is no more than the list knows."""
        self._say(safe_text.line(why))

    def _say(self, problem: str) -> None:
        self.note.setText(problem)
        self.note.setVisible(bool(problem))

    def _copy(self) -> None:
        self.copied.emit(self.text.toPlainText())


def _summary(request: Request) -> str:
    took = figures.duration(request.ms)
    lines = (
        f"{safe_text.line(request.method)} {safe_text.line(request.url)}",
        f"status: {safe_text.line(request.failure) or status_of(request)}",
        f"type: {safe_text.line(request.type)}",
        f"time: {figures.clock(request.at / 1000, millis=True)}{f'; {took} in all' if took else ''}",
        f"source: {safe_text.line(request.source)}{f'; {figures.size(request.bytes)}' if request.bytes else ''}",
    )
    return "\n".join(lines)


class _Colours(QSyntaxHighlighter):
    """Headings stand out, names step back."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        if self.currentBlock().blockNumber() > _MAX_COLOURED_BLOCKS:
            return
        heading, name = _HEADING.match(text), _NAME.match(text)
        look = QTextCharFormat()
        if heading:
            look.setFontWeight(QFont.Weight.Bold)
            self.setFormat(0, len(text), look)
        elif name:
            look.setForeground(self._theme.color("text_secondary"))
            self.setFormat(0, name.end(), look)
