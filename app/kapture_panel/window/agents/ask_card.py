"""The card of one question: what it says, and the buttons that answer it, which stay in sight at any size."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.window.agents import ask_words
from kapture_panel.window.agents.ask_denial import AskDenial
from kapture_panel.window.agents.ask_text import AskText
from kapture_panel.window.agents.ask_words import BUTTONS
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.theme import Theme

#: A picture is read no larger than this.
_PICTURE_PX = AskText.PICTURE_PX
#: A card that has just appeared takes no click that was meant for what was there before.
SETTLE_MS = 600
#: About two lines; what is more scrolls.
_LEAST_PX = 44
#: Between the words and what opens more of them.
_FOLD_GAP_PX = 2


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
        # What nobody can answer any more does not call.
        self.setProperty("kind", "ask" if self.is_open else "card")
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
        self.more = _fold("Details")
        self.more.setCheckable(True)
        self.more.setAccessibleName("Details of the question")
        self.more.toggled.connect(self._on_details)
        #: Opens the place of a reason; `back` leads back from it.
        self.because = _fold(ask_words.BECAUSE)
        self.because.clicked.connect(lambda: self._show_denial(True))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 8, 8, 10)
        self.column.setSpacing(8)
        self.area = QScrollArea()
        self.column.addWidget(self.area, 1)
        self.buttons = FlowLayout(6, 6)
        if self.is_open:
            self.denial = AskDenial(ask_words.denial_for_session(ask))
            self.column.addWidget(self.denial)
            self._offer(title)
        else:
            self.dismiss = QPushButton("Dismiss")
            self.dismiss.clicked.connect(self.dismissed)
            self.because.hide()
            self.buttons.addWidget(self.dismiss)
        self.column.addLayout(self.buttons)
        self._fill_area()
        self._make_pinned()
        self.refresh()
        if ask.picture is not None:
            pictures.load(ask.picture, _PICTURE_PX * self.devicePixelRatioF(), self, self._show_picture)

    def _make_pinned(self) -> None:
        #: What it wants, over the first line of what scrolls once the title itself is out of sight.
        self.pinned = ElidedLabel(kind="pinned")
        self.pinned.setParent(self)
        self.pinned.show_line(ask_words.headline(self.ask))
        self.pinned.hide()

    @property
    def words(self) -> str:
        """What it says."""
        return "\n".join(text.toPlainText() for text in (self.text, self.rest))

    def refresh(self) -> None:
        """Say what holds now: whether the agent waits for the answer changes."""
        has_yes = self.is_open and not self.denial.isVisibleTo(self)
        self.text.show_blocks(ask_words.essentials(self.ask, self._expiry_s, self._names, has_yes=has_yes))
        self.rest.show_blocks(ask_words.details(self.ask, self._expiry_s) if self.more.isChecked() else [])

    def wanted_px(self, width_px: int) -> int:
        """How high it is when all of it is in sight."""
        return self._inside_px(width_px) + self._frame_px(width_px)

    def _fill_area(self) -> None:
        """What scrolls where there is no room."""
        inside = QWidget()
        inside.setProperty("kind", "page")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_FOLD_GAP_PX)
        column.addWidget(self.text)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.rest)
        column.addWidget(self.because, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setProperty("kind", "flat")
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setMinimumHeight(_LEAST_PX)
        self.area.verticalScrollBar().rangeChanged.connect(self._show_details)
        self.area.verticalScrollBar().valueChanged.connect(self._pin_title)
        self.area.setWidget(inside)

    def event(self, event: QEvent) -> bool:
        """Buttons that are other than before may take fewer lines, too."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._keep_buttons()
            self._keep_bar()
        return is_done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """However many lines the buttons take, all of them are in sight."""
        super().resizeEvent(event)
        self._keep_buttons()
        self._keep_bar()
        self._pin_title()

    def _keep_buttons(self) -> None:
        self.setMinimumHeight(_LEAST_PX + self._frame_px(self.width()))

    def _keep_bar(self) -> None:
        """A scroll bar makes lines shorter, and so more of them: none where all has room without it."""
        has_room = self._inside_px(self.width()) <= self.area.height()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if has_room else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.area.setVerticalScrollBarPolicy(policy)

    def _inner_px(self, width_px: int) -> int:
        # The frame is wider at the left.
        margins, frame = self.column.contentsMargins(), self.contentsMargins()
        return width_px - margins.left() - margins.right() - frame.left() - frame.right()

    def _inside_px(self, width_px: int) -> int:
        """How high what scrolls is where nothing has to."""
        frame_px = 2 * self.area.frameWidth()
        inner_px, gap_px = self._inner_px(width_px) - frame_px, _FOLD_GAP_PX
        texts = [self.text, self.rest] if self.more.isChecked() else [self.text]
        folds = [fold for fold in (self.more, self.because) if not fold.isHidden()]
        parts = [text.px_at(inner_px) for text in texts] + [fold.sizeHint().height() for fold in folds]
        return sum(parts) + gap_px * (len(parts) - 1) + frame_px

    def _frame_px(self, width_px: int) -> int:
        """How high all is that does not scroll."""
        margins, frame, gap_px = self.column.contentsMargins(), self.contentsMargins(), self.column.spacing()
        inner_px = self._inner_px(width_px)
        buttons_px = self.buttons.heightForWidth(inner_px)
        if self.is_open and self.denial.isVisibleTo(self):
            buttons_px += self.denial.heightForWidth(inner_px) + gap_px
        return margins.top() + margins.bottom() + frame.top() + frame.bottom() + gap_px + buttons_px

    def _offer(self, title: str) -> None:
        ask = self.ask
        self.deny = QPushButton("Deny")
        self.deny.setProperty("kind", "primary")
        self.back = QPushButton("Back")
        self.back.clicked.connect(lambda: self._show_denial(False))
        self.back.hide()
        self.yes = {scope: QPushButton(BUTTONS[scope]) for scope in ask.scopes}
        #: The narrowest yes.
        self.allow = self.yes["once"]
        for button in (self.deny, *self.yes.values()):
            button.setEnabled(False)
        for button in (self.deny, *self.yes.values(), self.back):
            self.buttons.addWidget(button)
        meanings = ask_words.meanings(ask)
        self.deny.setAccessibleDescription(f"{title}; {ask_words.WHY_NOT}")
        self.deny.setToolTip(safe_text.tooltip(f"Deny: nothing is done. {ask_words.WHY_NOT}"))
        for scope, button in self.yes.items():
            meaning = meanings.get(scope, "only this time; you are asked again the next time")
            button.setAccessibleDescription(f"{title}; {meaning}")
            button.setToolTip(safe_text.tooltip(f"{BUTTONS[scope]}: {meaning}"))
            button.clicked.connect(partial(self.allowed.emit, scope))
        self.deny.clicked.connect(self._on_deny)
        # Enter in the field denies, as the button in front of it says.
        self.denial.reason.returnPressed.connect(self.deny.click)
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

    def _on_deny(self) -> None:
        """What is not in sight is not told."""
        is_told = self.denial.isVisibleTo(self)
        self.denied.emit(self.denial.reason.text() if is_told else "", is_told and self.denial.for_session.isChecked())

    def _show_denial(self, is_wanted: bool) -> None:
        """The reason stands where the other answers stood: there is no room for both in a small window."""
        self.denial.setVisible(is_wanted)
        for widget in (*self.yes.values(), self.because):
            widget.setVisible(not is_wanted)
        self.back.setVisible(is_wanted)
        self.refresh()
        (self.denial.reason if is_wanted else self.because).setFocus(Qt.FocusReason.OtherFocusReason)
        self._keep_buttons()
        self.grown.emit()

    def _on_details(self, is_wanted: bool) -> None:
        self.rest.setVisible(is_wanted)
        self.more.setArrowType(Qt.ArrowType.DownArrow if is_wanted else Qt.ArrowType.RightArrow)
        self.refresh()
        if not is_wanted:
            self.area.verticalScrollBar().setValue(0)
        self.grown.emit()

    def _show_details(self) -> None:
        """Where not all has room, scroll to them as soon as the layout knows how high it is."""
        if self.more.isChecked():
            self.area.verticalScrollBar().setValue(self.more.y() - self.pinned.sizeHint().height())

    def _pin_title(self) -> None:
        """Who wants what stays in sight, whatever is scrolled to."""
        place = self.area.geometry()
        self.pinned.setGeometry(place.x(), place.y(), self.area.viewport().width(), self.pinned.sizeHint().height())
        self.pinned.setVisible(self.area.verticalScrollBar().value() > 0)
        self.pinned.raise_()

    def _on_settled(self) -> None:
        for button in (self.deny, *self.yes.values()):
            button.setEnabled(True)

    def _show_picture(self, image: QImage) -> None:
        if not image.isNull():
            self.text.show_picture(image)


def _fold(words: str) -> QToolButton:
    """What opens more, at the end of the words."""
    fold = QToolButton()
    fold.setText(words)
    fold.setProperty("kind", "fold")
    fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    fold.setArrowType(Qt.ArrowType.RightArrow)
    fold.setIconSize(QSize(10, 10))
    fold.setMinimumWidth(1)  # the words above are no wider than the card, whatever is below them
    fold.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return fold
