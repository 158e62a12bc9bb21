"""The dock of what agents ask: it comes by itself, takes no focus and covers nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QListView, QVBoxLayout, QWidget

from kapture_panel.core.gates.approvals import Approvals, Ask, Scope
from kapture_panel.core.gates.pause import Pause
from kapture_panel.window.agents import ask_words
from kapture_panel.window.agents.ask_card import AskCard
from kapture_panel.window.agents.asks_model import AsksModel
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.row_delegate import RowDelegate
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

#: More rows than these scroll: the card needs the room.
_MOST_ROWS = 3
_MARGIN_PX = 6


class ApprovalsView(QWidget):
    """One question whole, and as soon as several wait all of them as rows above it. One that went out of date stays
    until it is dismissed, behind those that can be answered still.

    `asked` comes with every new question, `changed` whenever their number changes. `told` carries a title and words
    about an answer that nobody waited for. `left` comes when the last card goes while it has the focus.
    """

    asked = Signal(object)
    changed = Signal()
    #: It wants another height than before.
    grown = Signal()
    told = Signal(str, str)
    left = Signal()

    def __init__(
        self,
        approvals: Approvals,
        pause: Pause,
        names: BrowserNames,
        theme: Theme,
        subscriptions: Subscriptions,
        pictures: Pictures,
    ) -> None:
        super().__init__()
        self._approvals = approvals
        self._pause = pause
        self._names = names
        self._theme = theme
        self._pictures = pictures
        self._closed: list[Ask] = []
        self._model = AsksModel(self)
        self.card: AskCard | None = None
        self.title_bar = TitleBar("Questions", theme)
        self.setAccessibleName("Questions of agents")
        self.list = QListView()
        self.list.setModel(self._model)
        self.list.setItemDelegate(RowDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Questions that wait")
        self.list.selectionModel().currentChanged.connect(lambda index, _before: self._choose(index.data(ITEM)))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.list, 1)
        self._place = QVBoxLayout()
        self._place.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        self._column.addLayout(self._place)
        subscriptions.connect(approvals.added, self._on_added)
        subscriptions.connect(approvals.settled, self._on_settled)
        subscriptions.connect(approvals.waited, self._on_waited)
        self._show()

    @property
    def asks(self) -> list[Ask]:
        """All that is shown."""
        return [*self._approvals, *self._closed]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower dock wants to be higher."""
        super().resizeEvent(event)
        self._share_room()
        if event.oldSize().width() != event.size().width():
            self.grown.emit()

    def wanted_px(self) -> int:
        """How high it is when all of it is in sight."""
        rows = self._model.rowCount()
        return self._rows_px(min(rows, _MOST_ROWS) if rows > 1 else 0) + self._card_px()

    def _rows_px(self, rows: int) -> int:
        return rows * max(self.list.sizeHintForRow(0), 0) + 2 * self.list.frameWidth() if rows else 0

    def _card_px(self) -> int:
        return self.card.wanted_px(self.width() - 2 * _MARGIN_PX) + 2 * _MARGIN_PX if self.card is not None else 0

    def _share_room(self) -> None:
        """The rows get what the card leaves, at least one and no more than they need."""
        left_px = self.height() - self._card_px() - 2 * self.list.frameWidth()
        whole = left_px // max(self.list.sizeHintForRow(0), 1)
        rows = max(1, min(self._model.rowCount(), _MOST_ROWS, whole))
        # Not a fixed height, which the window would have to grow for.
        self.list.setMinimumHeight(max(self._rows_px(1), 1))
        self.list.setMaximumHeight(max(self._rows_px(rows), 1))
        self.list.scrollTo(self.list.currentIndex())

    def _on_added(self, ask: Ask) -> None:
        self._show()
        self.asked.emit(ask)

    def _on_settled(self, ask: Ask) -> None:
        if ask.state in ask_words.CLOSED:
            self._closed.append(ask)
        elif ask.state == "withdrawn":
            wanted = f"It wanted to {ask_words.wish(ask)}."
            if self._pause.is_on:
                self.told.emit(f"The pause ended {ask_words.name(ask)}'s question", f"{wanted} It may ask again.")
            else:
                self.told.emit(f"{ask_words.name(ask)} withdrew its question", wanted)
        self._show()

    def _on_waited(self, ask: Ask) -> None:
        if self.card is not None and self.card.ask is ask:
            self.card.refresh()

    def _dismiss(self, ask: Ask) -> None:
        self._closed.remove(ask)
        self._show()

    def _show(self) -> None:
        asks = self.asks
        shown = self.card.ask if self.card is not None else None
        # One that closes while it is read gives way to one that can be answered.
        chosen = shown if shown in asks and (shown.state == "open" or not len(self._approvals)) else None
        if chosen is None and asks:
            chosen = asks[0]
        self._model.show(asks)
        self._put(chosen)
        self.list.setVisible(len(asks) > 1)
        self._share_room()
        self.title_bar.say(str(len(self._approvals)) if len(self._approvals) else "")
        self.changed.emit()

    def _choose(self, ask: Ask | None) -> None:
        if ask is not None:
            self._put(ask)

    def _put(self, ask: Ask | None) -> None:
        """Have the card of this question, which keeps what was typed into it."""
        if ask is not None:
            row = self._model.index(self._model.row_of(ask))
            if self.list.currentIndex() != row:
                self.list.setCurrentIndex(row)
        shown = (self.card.ask, self.card.is_open) if self.card is not None else None
        focused = QApplication.focusWidget()
        had_focus = self.card is not None and focused is not None and self.card.isAncestorOf(focused)
        if self.card is not None and (ask is None or shown != (ask, ask.state == "open")):
            self.card.hide()
            self._place.removeWidget(self.card)
            self.card.deleteLater()
            self.card = None
        if ask is not None and self.card is None:
            self.card = self._card_of(ask)
            # What it needs depends on its width, which it has from the layout only later.
            self.card.resize(self.width() - 2 * _MARGIN_PX, self.card.height())
            self._place.addWidget(self.card, 1)
            if had_focus:
                self.card.text.setFocus(Qt.FocusReason.OtherFocusReason)
        elif ask is None and had_focus:
            self.left.emit()

    def _card_of(self, ask: Ask) -> AskCard:
        card = AskCard(ask, self._approvals.expiry_s, self._names, self._pictures, self._theme)
        card.allowed.connect(lambda scope: self._allow(ask, scope))
        card.denied.connect(lambda reason, for_session: self._approvals.deny(ask, reason, for_session=for_session))
        card.dismissed.connect(lambda: self._dismiss(ask))
        card.grown.connect(self.grown)
        return card

    def _allow(self, ask: Ask, scope: Scope) -> None:
        is_waited_for = ask.waiting > 0
        if self._approvals.allow(ask, scope) and not is_waited_for:
            self.told.emit("Allowed, but nothing was done yet", ask_words.late_yes(ask, self._approvals.expiry_s))
