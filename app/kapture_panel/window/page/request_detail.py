"""One request with its headers and bodies."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kapture_panel.core.stores.network_log import Request
from kapture_panel.window.page.entries import ENTRIES
from kapture_panel.window.page.header_table import HeaderTable
from kapture_panel.window.page.request_parts import parts_of
from kapture_panel.window.page.requests_model import address_of, status_of
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.code_edit import CodeEdit
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.theme import Theme

_TITLE_HEIGHT_PX = 28
_AT = re.compile(r"^time: (\d+)", re.MULTILINE)
_STATUS = re.compile(r"^status: .*", re.MULTILINE)
_VIEWS = ("Headers", "Sent", "Answer")
_HEADERS, _SENT, _ANSWER = range(len(_VIEWS))


class RequestDetail(QWidget):
    """Shows what the extension tells of a request, its secrets already masked and bounded there.

    `told` is that text; *Copy* copies it whole.
    """

    closed = Signal()
    copied = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._title = ElidedLabel(kind="strong")
        self.views = Segments(_VIEWS, "Parts of the request")
        self.views.choose([0])
        self.views.picked.connect(lambda _at: self._show_view())
        bar = QWidget()
        bar.setProperty("kind", "ruled")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar.setFixedHeight(_TITLE_HEIGHT_PX)
        row = QHBoxLayout(bar)
        row.setContentsMargins(6, 0, 6, 1)
        row.setSpacing(4)
        row.addWidget(self._title)
        row.addWidget(self.views)
        row.addStretch(1)
        row.addWidget(icon_button(theme, "mdi6.content-copy", "Copy request details", self._copy))
        row.addWidget(icon_button(theme, "mdi6.close", "Close request details", self.closed.emit))
        self.note = Label(kind="field-problem")
        self.note.setWordWrap(True)
        self.table = HeaderTable(theme)
        self.about = Label(kind="small")
        self.about.setContentsMargins(10, 4, 10, 4)
        self.body = CodeEdit(min_lines=1, max_lines=1)
        self.body.setReadOnly(True)
        self.body.setProperty("kind", "flat")
        self.body.setAccessibleName("Body")
        self.body.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.body.wear(theme)
        self._parts = parts_of("")
        self.told = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.note)
        column.addWidget(self.table, 1)
        column.addWidget(self.about)
        column.addWidget(self.body, 1)
        bind(ENTRIES["close_request"], self, self.closed.emit)

    def show_request(self, request: Request) -> None:
        """Show what the list knows, until the rest is there."""
        self._title.show_line(f"{request.method} {address_of(request)}")
        self._say("")
        self._show(_summary(request))

    def show_status(self, request: Request) -> None:
        """The request has gone on: say how it stands, beside what was told of it before."""
        self._show(_STATUS.sub(lambda _before: _status(request), self.told, count=1))

    def show_details(self, told: str) -> None:
        """Show everything about the request."""
        self._say("")
        self._show(
            _AT.sub(lambda at: f"time: {figures.clock(int(at[1]) / 1000, millis=True)}", safe_text.text(told), count=1)
        )

    def show_problem(self, why: str) -> None:
        """Say why there is no more than the list knows."""
        self._say(safe_text.line(why))

    def let_go(self) -> None:
        """Keep nothing of what was shown."""
        self._title.show_line("")
        self._say("")
        self._show("")
        self.about.clear()
        self.body.clear()

    def _say(self, problem: str) -> None:
        self.note.setText(problem)
        self.note.setVisible(bool(problem))

    def _copy(self) -> None:
        self.copied.emit(self.told)

    def _show(self, told: str) -> None:
        self.told = told
        parts = self._parts = parts_of(told)
        self.table.show_groups(
            [
                ("General", parts.general),
                ("Response headers", parts.response_headers),
                ("Request headers", parts.request_headers),
            ]
        )
        there = [_HEADERS, *([_SENT] if parts.request_body else []), *([_ANSWER] if parts.response_body else [])]
        self.views.show_only(there)
        # Which request it is stands in its row, and among the facts.
        self.views.setVisible(len(there) > 1)
        self._title.setVisible(len(there) == 1)
        if self.views.chosen[0] not in there:
            self.views.choose([_HEADERS])
        self._show_view()

    def _show_view(self) -> None:
        """Show the part that is chosen."""
        chosen = self.views.chosen[0]
        body = {_SENT: self._parts.request_body, _ANSWER: self._parts.response_body}.get(chosen)
        self.table.setVisible(body is None)
        self.about.setVisible(body is not None)
        self.body.setVisible(body is not None)
        if body is not None:
            self.about.setText(safe_text.line(body.about))
            if self.body.text() != body.text:
                self.body.show_text(body.text)


def _summary(request: Request) -> str:
    took = figures.duration(request.ms)
    lines = (
        f"{safe_text.line(request.method)} {safe_text.line(request.url)}",
        _status(request),
        f"type: {safe_text.line(request.type)}",
        f"time: {figures.clock(request.at / 1000, millis=True)}{f'; {took} in all' if took else ''}",
        f"source: {safe_text.line(request.source)}{f'; {figures.size(request.bytes)}' if request.bytes else ''}",
    )
    return "\n".join(lines)


def _status(request: Request) -> str:
    return f"status: {safe_text.line(request.failure) or status_of(request)}"
