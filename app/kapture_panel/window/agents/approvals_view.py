"""Cards over the window's corner for what agents ask: they come by themselves and never take the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kapture_panel.core.gates.approvals import Approvals, Ask, Scope
from kapture_panel.window.agents.ask_card import WIDTH_PX, AskCard
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

_MARGIN_PX = 12


class ApprovalsView(QWidget):
    """The oldest open question at the lower right of `host`, and how many wait behind it. One that expired stays until
    it is dismissed, behind those that can be answered still.

    `asked` comes with every new question, `changed` whenever their number changes.
    """

    asked = Signal(object)
    changed = Signal()

    def __init__(
        self, approvals: Approvals, host: QWidget, theme: Theme, subscriptions: Subscriptions, pictures: Pictures
    ) -> None:
        super().__init__(host)
        self._approvals = approvals
        self._host = host
        self._theme = theme
        self._pictures = pictures
        self._expired: list[Ask] = []
        self.card: AskCard | None = None
        self.setAccessibleName("Questions of agents")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        subscriptions.connect(approvals.added, self._on_added)
        subscriptions.connect(approvals.settled, self._on_settled)
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

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            before = self.height()
            self._place()
            if self.height() != before:
                self.changed.emit()  # a picture has come into the card
        return super().event(event)

    def _on_added(self, ask: Ask) -> None:
        self._show()
        self.asked.emit(ask)

    def _on_settled(self, ask: Ask) -> None:
        if ask.state == "expired":
            self._expired.append(ask)
        self._show()

    def _dismiss(self, ask: Ask) -> None:
        self._expired.remove(ask)
        self._show()

    def _show(self) -> None:
        asks = [*self._approvals, *self._expired]
        first = asks[0] if asks else None
        shown = (self.card.ask, self.card.is_open) if self.card is not None else None
        if self.card is not None and (first is None or shown != (first, first.state == "open")):
            self.card.hide()
            self.card.deleteLater()
            self.card = None
        if first is not None and self.card is None:
            self.card = self._card_of(first)
            self._column.addWidget(self.card)
        if self.card is not None:
            behind = len(asks) - 1
            self.card.more.setText(f"{behind} more {'waits' if behind == 1 else 'wait'}" if behind else "")
        self.setVisible(first is not None)
        self._place()
        self.changed.emit()

    def _card_of(self, ask: Ask) -> AskCard:
        card = AskCard(ask, self._approvals.expiry_s, self._pictures)
        card.allowed.connect(lambda scope: self._allow(ask, scope))
        card.denied.connect(lambda reason, for_session: self._approvals.deny(ask, reason, for_session=for_session))
        card.dismissed.connect(lambda: self._dismiss(ask))
        return card

    def _allow(self, ask: Ask, scope: Scope) -> None:
        self._approvals.allow(ask, scope)

    def _place(self) -> None:
        if self.card is None:
            return
        self._column.activate()
        height = self.card.heightForWidth(WIDTH_PX)
        self.resize(WIDTH_PX, height)
        room = self._host.rect().bottomRight()
        self.move(room - QPoint(WIDTH_PX + _MARGIN_PX, height + _MARGIN_PX + self._theme.px("statusbar")))
        self.raise_()
