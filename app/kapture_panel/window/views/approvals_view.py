"""Cards over the window's corner for what agents ask: they come by themselves and never take the focus."""

from __future__ import annotations

import json
import time

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.approvals import Approvals, Ask
from kapture_panel.window import plain
from kapture_panel.window.links import Links
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.label import Label

_WIDTH_PX = 380
_MARGIN_PX = 12
#: A card that has just appeared takes no click that was meant for what it covers.
SETTLE_MS = 600
MAX_PARAMS_CHARS = 2000


class AskCard(QFrame):
    """One question. `decided` carries whether it was allowed, and the reason typed for a denial."""

    decided = Signal(bool, str)

    def __init__(self, ask: Ask, expiry_s: float) -> None:
        super().__init__()
        self.ask = ask
        self.setProperty("kind", "ask")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_WIDTH_PX)
        title = f"{plain.line(ask.client.name, 60)} wants to {ask.command.title.lower()}"
        self.setAccessibleName(f"{title}: {plain.line(ask.where, 300)}")
        exact = Label(plain.text(_call(ask), MAX_PARAMS_CHARS), kind="code")
        exact.setAccessibleName("What exactly would be done")
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for a denial, told to the agent")
        self.reason.setAccessibleName("Reason for a denial")
        self.reason.setMaxLength(300)
        self.deny = QPushButton("Deny")
        self.deny.setProperty("kind", "primary")
        self.allow = QPushButton("Allow once")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 12, 12)
        column.setSpacing(6)
        for label in (
            Label(title, kind="strong"),
            Label(plain.text(ask.where, 400), kind="secondary"),
            exact,
            Label(_who(ask, expiry_s), kind="small"),
        ):
            label.setWordWrap(True)
            column.addWidget(label)
        column.addWidget(self.reason)
        row = QHBoxLayout()
        row.addWidget(self.deny)
        row.addWidget(self.allow)
        row.addStretch(1)
        self.more = Label(kind="small")
        row.addWidget(self.more)
        column.addLayout(row)
        for button in (self.deny, self.allow):
            button.setAccessibleDescription(title)
            button.setEnabled(False)
        self.deny.clicked.connect(lambda: self.decided.emit(False, self.reason.text()))
        self.allow.clicked.connect(lambda: self.decided.emit(True, ""))
        # Enter in the field denies, as the button in front of it says.
        self.reason.returnPressed.connect(self.deny.click)
        settle = QTimer(self)
        settle.setSingleShot(True)
        settle.timeout.connect(self._on_settled)
        settle.start(SETTLE_MS)

    def _on_settled(self) -> None:
        self.deny.setEnabled(True)
        self.allow.setEnabled(True)


class ApprovalsView(QWidget):
    """The oldest open question at the lower right of `host`, and how many wait behind it.

    `asked` comes with every new question, `changed` whenever their number changes.
    """

    asked = Signal(object)
    changed = Signal()

    def __init__(self, approvals: Approvals, host: QWidget, theme: Theme, links: Links) -> None:
        super().__init__(host)
        self._approvals = approvals
        self._host = host
        self._theme = theme
        self.card: AskCard | None = None
        self.setAccessibleName("Questions of agents")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        links.connect(approvals.added, self._on_added)
        links.connect(approvals.settled, lambda _ask: self._show())
        host.installEventFilter(self)
        self._show()

    @property
    def covered_px(self) -> int:
        """How much of the host's height the cards take, from the bottom."""
        return self.height() + _MARGIN_PX if self.isVisibleTo(self._host) else 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _on_added(self, ask: Ask) -> None:
        self._show()
        self.asked.emit(ask)

    def _show(self) -> None:
        asks = list(self._approvals)
        first = asks[0] if asks else None
        if self.card is not None and self.card.ask is not first:
            self.card.hide()
            self.card.deleteLater()
            self.card = None
        if first is not None and self.card is None:
            self.card = AskCard(first, self._approvals.expiry_s)
            self.card.decided.connect(lambda is_allowed, reason: self._decide(first, is_allowed, reason))
            self._column.addWidget(self.card)
        if self.card is not None:
            behind = len(asks) - 1
            self.card.more.setText(f"{behind} more {'waits' if behind == 1 else 'wait'}" if behind else "")
        self.setVisible(first is not None)
        self._place()
        self.changed.emit()

    def _decide(self, ask: Ask, is_allowed: bool, reason: str) -> None:
        if is_allowed:
            self._approvals.allow(ask)
        else:
            self._approvals.deny(ask, reason)

    def _place(self) -> None:
        if self.card is None:
            return
        self._column.activate()
        height = self.card.heightForWidth(_WIDTH_PX)
        self.resize(_WIDTH_PX, height)
        room = self._host.rect().bottomRight()
        self.move(room - QPoint(_WIDTH_PX + _MARGIN_PX, height + _MARGIN_PX + self._theme.px("statusbar")))
        self.raise_()


def _call(ask: Ask) -> str:
    return f"{ask.command.short_name} {json.dumps(ask.params, ensure_ascii=False)}"


def _who(ask: Ask, expiry_s: float) -> str:
    pid = f" · pid {ask.client.pid}" if ask.client.pid else ""
    until = time.strftime("%H:%M", time.localtime(ask.made_at + expiry_s))
    return f"{ask.client.kind}{pid} · the name is what it says of itself · waits until {until}"
