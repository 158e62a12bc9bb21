"""The card of a browser that wants to be paired: it comes by itself and never takes the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.registry.pairing import PairingDesk, PairingRequest
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.focus_ring import LIES_OVER
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.overlay import bars_apart
from kapture_panel.window.widgets.subscriptions import Subscriptions

_WIDTH_PX = 380
_MARGIN_PX = 12
#: One word is enough to be pressed.
_BUTTON_PX = 72
#: It may cover so much of the width of the window's middle, where the form is.
_MOST_OF_MIDDLE = 0.25
#: A card that has just appeared takes no click that was meant for what it covers.
SETTLE_MS = 600


class PairingCard(QFrame):
    """One request, or why it came to nothing. `allowed`, `refused` and `closed` are the person's clicks."""

    allowed = Signal()
    refused = Signal()
    closed = Signal()

    def __init__(self, request: PairingRequest) -> None:
        super().__init__()
        self.request = request
        self.setProperty("kind", "pairing")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_WIDTH_PX)
        browser = safe_text.line(request.browser, 60)
        self.title = Label(f"{browser} wants to be paired", kind="strong")
        self.title.setWordWrap(True)
        self.code = Label(f"{request.code[:3]} {request.code[3:]}", kind="pairing-code")
        self.code.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.code.setAccessibleName(f"Code: {' '.join(request.code)}")
        self.words = Label(kind="secondary")
        self.words.setWordWrap(True)
        self.pair = QPushButton("Yes")
        self.pair.setProperty("kind", "primary")
        self.refuse = QPushButton("No")
        self.close_button = QPushButton("Close")
        for button, clicked in (
            (self.pair, self.allowed),
            (self.refuse, self.refused),
            (self.close_button, self.closed),
        ):
            button.setMinimumWidth(_BUTTON_PX)
            button.setAccessibleDescription(self.title.text())
            button.clicked.connect(clicked.emit)
        row = QHBoxLayout()
        for button in (self.pair, self.refuse, self.close_button):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 12, 12)
        column.setSpacing(8)
        for part in (self.title, self.code, self.words):
            column.addWidget(part)
        column.addLayout(row)
        self.pair.setEnabled(False)
        settle = QTimer(self)
        settle.setSingleShot(True)
        settle.timeout.connect(lambda: self.pair.setEnabled(True))
        settle.start(SETTLE_MS)
        self.tell()

    def tell(self) -> None:
        """Say how it stands."""
        request = self.request
        is_open = request.state == "open"
        self.code.setVisible(is_open)
        self.pair.setVisible(is_open and not request.is_allowed)
        self.refuse.setVisible(is_open)
        self.close_button.setVisible(not is_open)
        if not is_open:
            self.title.setText("The code has expired")
            words = "Nobody compared it in time. Press “Try again” on the browser's page."
        elif request.is_allowed:
            words = "Now press Yes on the browser's page, too, if it shows this code."
        elif request.is_confirmed:
            words = "Somebody pressed Yes on the browser's page. Do both codes match?"
        else:
            words = "Its page shows a code, too. Do both codes match? If you did not ask for this, press No."
        self.words.setText(words)
        self.setAccessibleName(f"{self.title.text()}: {words}")


class PairingView(QWidget):
    """The one card, over `host`. `asked` comes with every request, `changed` with its size."""

    asked = Signal(object)
    changed = Signal()

    def __init__(self, desk: PairingDesk, host: QMainWindow, subscriptions: Subscriptions) -> None:
        super().__init__(host)
        self._desk = desk
        self._host = host
        self.card: PairingCard | None = None
        self.setProperty(LIES_OVER, True)
        self.setAccessibleName("Pairing")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        subscriptions.connect(desk.asked, self._on_asked)
        subscriptions.connect(desk.changed, self._on_changed)
        subscriptions.connect(desk.settled, self._on_settled)
        middle = host.centralWidget()
        assert middle is not None
        self._middle = middle
        for one in (host, middle):
            one.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def _on_asked(self, request: PairingRequest) -> None:
        self._take_away()
        card = self.card = PairingCard(request)
        card.allowed.connect(lambda: self._desk.allow(request))
        card.refused.connect(lambda: self._desk.refuse(request))
        card.closed.connect(self._take_away)
        self._column.addWidget(card)
        self._place()
        self.changed.emit()
        self.asked.emit(request)

    def _on_changed(self, request: PairingRequest) -> None:
        if self.card is not None and self.card.request is request:
            self.card.tell()
            self._place()

    def _on_settled(self, request: PairingRequest) -> None:
        if self.card is None or self.card.request is not request:
            return
        if request.state == "expired":
            self._on_changed(request)
        else:
            self._take_away()

    def _take_away(self) -> None:
        if self.card is not None:
            self.card.hide()
            self.card.deleteLater()
            self.card = None
            self._place()
            self.changed.emit()

    def _place(self) -> None:
        self.setVisible(self.card is not None)
        if self.card is None:
            return
        self._column.activate()
        height = self.card.heightForWidth(_WIDTH_PX)
        self.resize(_WIDTH_PX, height)
        self.move(self._found_place(self.size()))
        self.raise_()

    def _found_place(self, size: QSize) -> QPoint:
        """At the upper right; under the middle of a narrow window, where it would lie over much of the form."""
        room = bars_apart(self._host)
        upper = QPoint(room.right() - size.width() - _MARGIN_PX, room.top())
        middle = self._middle.geometry()
        is_much = middle.right() - upper.x() > middle.width() * _MOST_OF_MIDDLE
        if not is_much or room.bottom() - middle.bottom() < size.height() / 2:  # nothing to lie over but the middle
            return upper
        left = middle.right() - size.width() - _MARGIN_PX
        return QPoint(max(left, _MARGIN_PX), room.bottom() + 1 - size.height())
