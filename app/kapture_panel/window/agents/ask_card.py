"""The card of one question: who wants what, where, why the person is asked, and how far a yes would go."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout

from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.check_box import CheckBox
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.pictures import Pictures

WIDTH_PX = 440
_PICTURE_PX = QSize(412, 120)
#: A card that has just appeared takes no click that was meant for what it covers.
SETTLE_MS = 600
MAX_PARAMS_CHARS = 2000
#: Scope → what its button says.
BUTTONS: dict[Scope, str] = {"once": "Allow once", "session": "This session", "always": "Always here"}
#: What is decided together → what a person calls it.
_PERMISSIONS = {
    "interact": "acting in frames of {site}",
    "secret": "password, card and one-time-code fields on {site}",
    "navigate": "going to {site}",
    "execute": "running code on {site}",
}


class AskCard(QFrame):
    """One question. `allowed` carries how far the yes goes, `denied` the reason that was typed and whether it is for
    the session; `dismissed` comes from a question that expired."""

    allowed = Signal(str)
    denied = Signal(str, bool)
    dismissed = Signal()

    def __init__(self, ask: Ask, expiry_s: float, pictures: Pictures) -> None:
        super().__init__()
        self.ask = ask
        self.is_open = ask.state == "open"
        self.yes: dict[Scope, QPushButton] = {}
        self.setProperty("kind", "ask")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH_PX)
        title = f"{safe_text.line(ask.client.name, 60)} wants to {ask.command.title.lower()}"
        self.setAccessibleName(f"{title}: {safe_text.line(ask.where, 300)}")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(14, 10, 12, 12)
        self.column.setSpacing(6)
        self._add(title, "strong")
        self._add(safe_text.text(ask.where, 400) or safe_text.line(ask.site), "secondary")
        if ask.why:
            self._add(f"You are asked because it {safe_text.line(ask.why, 400)}.", "")
        self.picture = Label()
        self.picture.setAccessibleName("The element it is about")
        self.column.addWidget(self.picture)
        self.picture.hide()
        exact = self._add(safe_text.text(_call(ask), MAX_PARAMS_CHARS), "code")
        exact.setAccessibleName("What exactly would be done")
        for address, query in _queries(ask):
            self._add(f"{safe_text.line(address, 60)} would be told {safe_text.text(query, 600)}", "small")
        self._add(_who(ask, expiry_s), "small")
        self.more = Label(kind="small")
        if not self.is_open:
            self._close_with_words()
            return
        self._offer(title)
        if ask.picture is not None:
            pictures.load(ask.picture, _PICTURE_PX * self.devicePixelRatioF(), self, self._show_picture)

    def _add(self, text: str, kind: str) -> Label:
        label = Label(text, kind=kind)
        label.setWordWrap(True)
        self.column.addWidget(label)
        if not text:
            label.hide()
        return label

    def _close_with_words(self) -> None:
        """Nobody decided in time; that stays to be read."""
        self._add("Nobody decided in time: it expired, and nothing was done. The agent may ask again.", "strong")
        row = QHBoxLayout()
        self.dismiss = QPushButton("Dismiss")
        self.dismiss.clicked.connect(self.dismissed)
        row.addWidget(self.dismiss)
        row.addStretch(1)
        row.addWidget(self.more)
        self.column.addLayout(row)

    def _offer(self, title: str) -> None:
        ask = self.ask
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for a denial, told to the agent")
        self.reason.setAccessibleName("Reason for a denial")
        self.reason.setMaxLength(300)
        self.column.addWidget(self.reason)
        self.for_session = CheckBox(self)
        self.for_session.setVisible("session" in ask.scopes)
        if "session" in ask.scopes:
            row = QHBoxLayout()
            words = "A denial holds for this session, too"
            self.for_session.setAccessibleName(words)
            row.addWidget(self.for_session)
            row.addWidget(Label(words, kind="small"), 1)
            self.column.addLayout(row)
        self.deny = QPushButton("Deny")
        self.deny.setProperty("kind", "primary")
        self.yes = {scope: QPushButton(BUTTONS[scope]) for scope in ask.scopes}
        #: The narrowest yes.
        self.allow = self.yes["once"]
        row = QHBoxLayout()
        row.setSpacing(5)
        for button in (self.deny, *self.yes.values()):
            row.addWidget(button)
            button.setEnabled(False)
        row.addStretch(1)
        row.addWidget(self.more)
        self.column.addLayout(row)
        meanings = dict(_meanings(ask))
        if len(ask.scopes) > 1:
            self._add("\n".join(f"{BUTTONS[scope]}: {meaning}" for scope, meaning in meanings.items()), "small")
        self.deny.setAccessibleDescription(title)
        for scope, button in self.yes.items():
            button.setAccessibleDescription(f"{title}; {meanings.get(scope, 'this call alone')}")
            button.clicked.connect(partial(self._on_yes, scope))
        self.deny.clicked.connect(lambda: self.denied.emit(self.reason.text(), self.for_session.isChecked()))
        # Enter in the field denies, as the button in front of it says.
        self.reason.returnPressed.connect(self.deny.click)
        settle = QTimer(self)
        settle.setSingleShot(True)
        settle.timeout.connect(self._on_settled)
        settle.start(SETTLE_MS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter never means yes: it presses Deny where that has the focus, and else nothing."""
        focused = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and focused in self.yes.values():
            event.accept()
        else:
            super().keyPressEvent(event)

    def _on_yes(self, scope: Scope) -> None:
        self.allowed.emit(scope)

    def _on_settled(self) -> None:
        for button in (self.deny, *self.yes.values()):
            button.setEnabled(True)

    def _show_picture(self, image: QImage) -> None:
        if image.isNull():
            return
        ratio = self.devicePixelRatioF()
        aspect, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        room = _PICTURE_PX * ratio
        is_large = image.width() > room.width() or image.height() > room.height()
        shown = QPixmap.fromImage(image.scaled(room, aspect, smooth) if is_large else image)
        shown.setDevicePixelRatio(ratio)
        self.picture.setPixmap(shown)
        self.picture.show()
        self.updateGeometry()


def _call(ask: Ask) -> str:
    return f"{ask.command.short_name} {json.dumps(ask.params, ensure_ascii=False)}"


def _queries(ask: Ask) -> Iterator[tuple[str, str]]:
    """(host, what its query says, decoded) of each address in what would be done: data leaves in them."""
    for value in _texts(ask.params):
        try:
            parts = urlsplit(value)
        except ValueError:
            continue
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        if pairs and (parts.netloc or value[:1] in "/?"):
            yield parts.netloc or ask.site, ", ".join(f"{name} = {told}" for name, told in pairs)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _meanings(ask: Ask) -> Iterator[tuple[Scope, str]]:
    """Each wider yes in words."""
    name, site = safe_text.line(ask.client.name, 60), safe_text.line(ask.site, 100)
    what = _PERMISSIONS.get(ask.permission, "files of the same folder").format(site=site)
    if "session" in ask.scopes:
        yield "session", f"{what}, until {name} disconnects"
    if "always" in ask.scopes:
        yield (
            "always",
            f"{what}, for {name} started by {safe_text.line(ask.client.program, 200)}, until you change it",
        )


def _who(ask: Ask, expiry_s: float) -> str:
    client = ask.client
    pid = f" · pid {client.pid}" if client.pid else ""
    started = (
        f" · started by {safe_text.line(client.parent, 60)} ({safe_text.line(client.program, 200)})"
        if client.program
        else ""
    )
    clock = time.strftime("%H:%M", time.localtime(ask.made_at + expiry_s))
    until = f"expired at {clock}" if ask.state == "expired" else f"waits until {clock}"
    return f"{client.kind}{pid}{started} · the name is what it says of itself · {until}"
