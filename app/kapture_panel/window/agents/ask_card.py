"""The card of one question: what it says, and the buttons that answer it, which stay in sight at any size."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.window.agents import ask_words
from kapture_panel.window.agents.ask_text import AskText
from kapture_panel.window.agents.ask_words import BUTTONS
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.check_box import CheckBox
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.theme import Theme

#: A picture is read no larger than this.
_PICTURE_PX = AskText.PICTURE_PX
#: A card that has just appeared takes no click that was meant for what was there before.
SETTLE_MS = 600
#: About two lines; what is more scrolls.
_LEAST_PX = 44


class AskCard(QFrame):
    """One question. `allowed` carries how far the yes goes, `denied` the reason that was typed and whether it is for
    the session; `dismissed` comes from a question that cannot be answered any more."""

    allowed = Signal(str)
    denied = Signal(str, bool)
    dismissed = Signal()
    #: What it says needs another height than before.
    grown = Signal()

    def __init__(self, ask: Ask, expiry_s: float, names: BrowserNames, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self.ask = ask
        self.is_open = ask.state == "open"
        self._expiry_s = expiry_s
        self._names = names
        self.yes: dict[Scope, QPushButton] = {}
        self.setProperty("kind", "ask")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = ask_words.title(ask)
        self.setAccessibleName(f"{title}: {safe_text.line(ask.where, 300)}")
        self.text = AskText(theme)
        self.rest = AskText(theme)
        self.rest.setAccessibleName("Details of the question")
        self.rest.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.rest.hide()
        for text in (self.text, self.rest):
            text.document().documentLayout().documentSizeChanged.connect(lambda _size: self.grown.emit())
        self.more = QPushButton("Details")
        self.more.setCheckable(True)
        self.more.setProperty("kind", "toggle")
        self.more.setAccessibleName("Details of the question")
        self.more.toggled.connect(self._on_details)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 8, 8, 10)
        self.column.setSpacing(8)
        self.area = QScrollArea()
        self.column.addWidget(self.area, 1)
        self.buttons = FlowLayout(5, 5)
        if self.is_open:
            self._denial = self._make_denial()
            self._offer(title)
        else:
            self.dismiss = QPushButton("Dismiss")
            self.dismiss.clicked.connect(self.dismissed)
            self.buttons.addWidget(self.dismiss)
            self.buttons.addWidget(self.more)
        self.column.addLayout(self.buttons)
        self._fill_area()
        self.refresh()
        if ask.picture is not None:
            pictures.load(ask.picture, _PICTURE_PX * self.devicePixelRatioF(), self, self._show_picture)

    @property
    def words(self) -> str:
        """What it says."""
        return "\n".join(text.toPlainText() for text in (self.text, self.rest))

    def refresh(self) -> None:
        """Say what holds now: whether the agent waits for the answer changes."""
        self.text.show_blocks(ask_words.essentials(self.ask, self._expiry_s, self._names))
        self.rest.show_blocks(ask_words.details(self.ask, self._expiry_s) if self.more.isChecked() else [])

    def wanted_px(self, width_px: int) -> int:
        """How high it is when all of it is in sight."""
        return self._inside_px() + self._frame_px(width_px)

    def _fill_area(self) -> None:
        """What scrolls where there is no room: the words, and what goes with a denial."""
        inside = QWidget()
        inside.setProperty("kind", "page")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.column.spacing())
        column.addWidget(self.text)
        column.addWidget(self.rest)
        if self.is_open:
            self._denial.hide()
            column.addWidget(self._denial)
        column.addStretch(1)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumHeight(_LEAST_PX)
        self.area.verticalScrollBar().rangeChanged.connect(self._show_details)
        self.area.setWidget(inside)

    def event(self, event: QEvent) -> bool:
        """Buttons that are other than before may take fewer lines, too."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._keep_buttons()
        return is_done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """However many lines the buttons take, all of them are in sight."""
        super().resizeEvent(event)
        self._keep_buttons()

    def _keep_buttons(self) -> None:
        self.setMinimumHeight(_LEAST_PX + self._frame_px(self.width()))

    def _inner_px(self, width_px: int) -> int:
        margins = self.column.contentsMargins()
        return width_px - margins.left() - margins.right() - 2 * self.frameWidth()

    def _inside_px(self) -> int:
        """How high what scrolls is."""
        details_px = 0
        if self.more.isChecked():
            details_px = self.rest.wanted_px + self.column.spacing()
            if self.is_open:
                details_px += self._denial.heightForWidth(self.area.viewport().width()) + self.column.spacing()
        return self.text.wanted_px + details_px + 2 * self.area.frameWidth()

    def _frame_px(self, width_px: int) -> int:
        """How high all is that does not scroll."""
        margins, gap_px = self.column.contentsMargins(), self.column.spacing()
        buttons_px = self.buttons.heightForWidth(self._inner_px(width_px))
        return margins.top() + margins.bottom() + 2 * self.frameWidth() + gap_px + buttons_px

    def _offer(self, title: str) -> None:
        ask = self.ask
        self.deny = QPushButton("Deny")
        self.deny.setProperty("kind", "primary")
        self.yes = {scope: QPushButton(BUTTONS[scope]) for scope in ask.scopes}
        #: The narrowest yes.
        self.allow = self.yes["once"]
        for button in (self.deny, *self.yes.values()):
            button.setEnabled(False)
        for button in (self.deny, *self.yes.values(), self.more):
            self.buttons.addWidget(button)
        meanings = ask_words.meanings(ask)
        self.deny.setAccessibleDescription(f"{title}; {ask_words.WHY_NOT}")
        self.deny.setToolTip(safe_text.tooltip(f"Deny: nothing is done. {ask_words.WHY_NOT}"))
        for scope, button in self.yes.items():
            meaning = meanings.get(scope, "only this time; you are asked again the next time")
            button.setAccessibleDescription(f"{title}; {meaning}")
            button.setToolTip(safe_text.tooltip(f"{BUTTONS[scope]}: {meaning}"))
            button.clicked.connect(partial(self.allowed.emit, scope))
        self.deny.clicked.connect(lambda: self.denied.emit(self.reason.text(), self.for_session.isChecked()))
        # Enter in the field denies, as the button in front of it says.
        self.reason.returnPressed.connect(self.deny.click)
        settle = QTimer(self)
        settle.setSingleShot(True)
        settle.timeout.connect(self._on_settled)
        settle.start(SETTLE_MS)

    def _make_denial(self) -> QWidget:
        """What goes with a denial; it is among the details."""
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(6)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Why? For the agent")
        self.reason.setAccessibleName("Reason for a denial, told to the agent")
        self.reason.setToolTip("The agent is told this reason when you press Deny")
        self.reason.setMaxLength(300)
        column.addWidget(self.reason)
        self.for_session = CheckBox(self)
        self.for_session.setVisible("session" in self.ask.scopes)
        if "session" in self.ask.scopes:
            row = QHBoxLayout()
            words = Label("Deny this for the whole session", kind="small")
            words.setWordWrap(True)
            self.for_session.setAccessibleName(words.text())
            row.addWidget(self.for_session)
            row.addWidget(words, 1)
            column.addLayout(row)
        return part

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter never means yes: it presses Deny where that has the focus, and else nothing."""
        focused = QApplication.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and focused in self.yes.values():
            event.accept()
        else:
            super().keyPressEvent(event)

    def _on_details(self, is_wanted: bool) -> None:
        self.rest.setVisible(is_wanted)
        if self.is_open:
            self._denial.setVisible(is_wanted)
        self.refresh()
        self.grown.emit()

    def _show_details(self) -> None:
        """Where not all has room, scroll to them as soon as the layout knows how high it is; from then on a person who
        writes a reason stays where they are, whatever grows."""
        focused = QApplication.focusWidget()
        is_writing = self.is_open and focused is not None and self._denial.isAncestorOf(focused)
        if self.more.isChecked() and not is_writing:
            self.area.verticalScrollBar().setValue(self.rest.y())

    def _on_settled(self) -> None:
        for button in (self.deny, *self.yes.values()):
            button.setEnabled(True)

    def _show_picture(self, image: QImage) -> None:
        if not image.isNull():
            self.text.show_picture(image)
