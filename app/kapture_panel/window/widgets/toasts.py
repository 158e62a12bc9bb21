"""Short messages over the window's corner: they come by themselves and never take the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QEnterEvent, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.buttons import action_button, icon_button
from kapture_panel.window.widgets.focus_ring import LIES_OVER
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.notices_model import Action, NoticesModel
from kapture_panel.window.widgets.overlay import POPUP_MOVED, Overlay, bars_apart
from kapture_panel.window.widgets.theme import Theme

_WIDTH_PX, _SMALL_WIDTH_PX = 320, 260
#: In a lower or narrower window there is one at a time, with one line for its title.
_ROOMY_PX = QSize(960, 680)
_MARGIN_PX = 8
LIFE_MS = 6000
#: One with a button is not only read.
_WITH_BUTTON = 3
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, POPUP_MOVED)
_COMES = (QEvent.Type.Show, QEvent.Type.Hide)
#: The head of a dock, which has buttons.
_HEAD_PX = 32
#: More than these would hide the window.
MAX_SHOWN = 4
#: Beside what must stay in sight is better than above it, where the form is.
_UP_COSTS = 2


class Toast(QFrame):
    """One message; errors stay until they are closed, others until they have been there a while.

    `ended` comes when it is over, `let_go` when the person turns from it. `more` leads to those that wait.

    Args:
        on_read: called when the person closes it.
        is_kept: whether it is among the notices.
    """

    ended = Signal(object)
    let_go = Signal()

    def __init__(
        self,
        theme: Theme,
        title: str,
        text: str,
        tone: str,
        on_read: Callable[[], object],
        actions: Sequence[Action] = (),
        *,
        is_kept: bool = True,
    ) -> None:
        super().__init__()
        self.setProperty("kind", "toast")
        self.setProperty("tone", tone)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.key = (title, text, tone)
        self.is_error = tone == "error"
        self.is_kept = is_kept
        self._times = 1
        self._title_text = safe_text.line(title, 120)
        self.is_bare = not text and not actions
        self.setAccessibleName(f"{self._title_text}: {safe_text.line(text, 300)}")
        self._title = Label(self._title_text, kind="strong")
        said = Label(safe_text.text(text, 400), kind="secondary")
        said.setWordWrap(True)
        # Never shown before it has a parent: it would be a window for a moment, and take the focus.
        if not text:
            said.hide()
        self.more = QPushButton()
        self.more.setProperty("kind", "flat-small")
        self.more.hide()
        close = icon_button(theme, "mdi6.close", "Close this message", on_read)
        close.clicked.connect(self.close)
        self._lay_out(said, close, actions)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.life = QTimer(self)
        self.life.setSingleShot(True)
        self.life.setInterval(LIFE_MS * (_WITH_BUTTON if actions else 1))
        self.life.timeout.connect(self.close)
        if not self.is_error:
            self.life.start()

    def _lay_out(self, said: QWidget, close: QWidget, actions: Sequence[Action]) -> None:
        head = self._head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._title, 1)
        for button in (self.more, close):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._grid = grid = QGridLayout(self)
        above_px, below_px = (3, 3) if self.is_bare else (6, 8)
        grid.setContentsMargins(12, above_px, 6, below_px)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addLayout(head, 0, 0, 1, 2)
        # One button stands beside the words, more of them below.
        grid.addWidget(said, 1, 0, 1, 1 if len(actions) == 1 else 2)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.setContentsMargins(0, 4 if len(actions) > 1 else 0, 0, 0)
        for words, do in actions:
            row.addWidget(action_button(words, do))
        place = (1, 1, 1, 1) if len(actions) == 1 else (2, 0, 1, 2)
        grid.addLayout(row, *place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)

    @property
    def title(self) -> str:
        """The first line, whole."""
        return self._title_text + (f" ×{self._times}" if self._times > 1 else "")

    @property
    def is_held(self) -> bool:
        """Whether the person is about to press something of it."""
        focused = QApplication.focusWidget()
        return self.underMouse() or (focused is not None and self.isAncestorOf(focused))

    def again(self) -> None:
        """The same thing happened once more."""
        self._times += 1
        if not self.is_error:
            self.life.start()

    def tell_more(self, waiting: int) -> None:
        """Say how many wait for room, and lead there."""
        self.more.setText(f"{waiting} more")
        self.more.setAccessibleName(f"{figures.count(waiting, 'more message')}: show the notices")
        self.more.setHidden(waiting == 0)

    def fit(self, most_px: int, *, is_low: bool) -> int:
        """Take up to so much room, in one line if it `is_low`.

        Returns:
            How wide it wants to be: a title alone needs no more than its words.
        """
        for part in (self, self._title):
            part.ensurePolished()  # or its edge and its bold words are not counted before it is shown
        self._title.setWordWrap(False)
        self._title.setText(self.title)
        self._grid.activate()  # or it knows the size of the words before
        margins = self._grid.contentsMargins()
        edges_px = self.width() - self.contentsRect().width()  # of the style sheet
        whole_px = self._head.sizeHint().width() + margins.left() + margins.right() + edges_px
        if whole_px > most_px and is_low:
            room_px = self._title.sizeHint().width() - (whole_px - most_px)
            self._title.setText(_shortened(self.title, room_px, self._title.fontMetrics()))
        elif whole_px > most_px:
            self._title.setWordWrap(True)
        self._grid.activate()
        return min(whole_px, most_px) if self.is_bare else most_px

    def needed_px(self, width_px: int) -> int:
        """How high it is at a width."""
        return self.heightForWidth(width_px) if self.hasHeightForWidth() else self.sizeHint().height()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.ended.emit(self)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.life.stop()

    def leaveEvent(self, event: QEvent) -> None:
        if not self.is_error:
            self.life.start()
        self.let_go.emit()


class Toasts(QWidget):
    """The stack of messages at the bottom of `host`, as far right as a part of it goes; `notices` keeps them.

    Those that there is no room for wait.

    Args:
        on_more: shows the notices.
    """

    def __init__(self, host: QWidget, theme: Theme, on_more: Callable[[], object] | None = None) -> None:
        super().__init__(host)
        self._host = host
        self._theme = theme
        self._on_more = on_more
        self.notices = NoticesModel(self)
        #: In sight or waiting, the oldest first.
        self._toasts: list[Toast] = []
        self._ground: QWidget | None = None
        self._free: list[QWidget] = []
        self._is_placing = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.setProperty(LIES_OVER, True)
        self.setAccessibleName("Messages")
        host.installEventFilter(self)
        # Not at once: a widget that is being destroyed loses the focus, too.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)
        QApplication.instance().focusChanged.connect(self._soon.start)  # type: ignore[union-attr]
        self.hide()

    def tell(
        self,
        title: str,
        text: str = "",
        tone: str = "info",
        *,
        is_kept: bool = True,
        action: Action | None = None,
        also: Action | None = None,
    ) -> None:
        """Show a message.

        Args:
            tone: info, ok, warn or error.
            is_kept: whether it can be read again later; what only confirms a click need not be.
            action: words for a button on it, and what that does.
            also: another one, before it.
        """
        actions = [one for one in (also, action) if one is not None]
        if is_kept:
            self.notices.add(title, text, tone, actions)
        toast = next((one for one in self._toasts if one.key == (title, text, tone)), None)
        if toast is not None:
            toast.again()
        else:
            read = partial(self.notices.read, title, text)
            toast = Toast(self._theme, title, text, tone, read, actions, is_kept=is_kept)
            toast.ended.connect(self._on_ended)
            toast.let_go.connect(self._place, Qt.ConnectionType.QueuedConnection)  # still counts as under the mouse
            toast.more.clicked.connect(lambda: self._on_more() if self._on_more is not None else None)
            self._toasts.append(toast)
            self._column.addWidget(toast)
            toast.hide()
        self._place()

    def end(self, title: str, text: str) -> None:
        """Take one away: what it offers was done."""
        for toast in [one for one in self._toasts if one.key[:2] == (title, text)]:
            toast.close()

    def clear(self) -> None:
        """Take all away: they are being read elsewhere."""
        for toast in list(self._toasts):
            toast.close()

    def stand_below(self, ground: QWidget) -> None:
        """Keep to the right edge of this part of the host: what is in it, and what is right of it, stays in sight."""
        self._ground = ground
        ground.installEventFilter(self)
        self._place()

    def keep_free(self, part: QWidget) -> None:
        """Cover nothing of a part as long as that is in sight."""
        self._free.append(part)
        part.installEventFilter(self)
        self._place()

    @property
    def shown(self) -> list[Toast]:
        """The messages that have room, the oldest first."""
        return [toast for toast in self._toasts if not toast.isHidden()]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The host hides, too, while it and all that is in it are destroyed.
        if event.type() in _MOVES or (event.type() in _COMES and watched in self._free):
            self._place()
        return super().eventFilter(watched, event)

    def _on_ended(self, toast: Toast) -> None:
        self._toasts.remove(toast)
        self._column.removeWidget(toast)
        self._place()

    def _place(self) -> None:
        """Show as many as have room where they cover nothing that a person needs."""
        if self._is_placing or not isValid(self._host):  # hiding one moves the focus, and so does the end of the host
            return
        self._is_placing = True
        try:
            shown, at = self._found_room()
            for toast in self._toasts:
                toast.setVisible(toast in shown)
            self.setVisible(bool(shown))
            if shown:
                self.setGeometry(at)
                self.raise_()
        finally:
            self._is_placing = False

    def _found_room(self) -> tuple[list[Toast], QRect]:
        """The messages that have room, and where."""
        if not self._toasts:
            return [], QRect()
        is_low = self._host.width() < _ROOMY_PX.width() or self._host.height() < _ROOMY_PX.height()
        below_px = self._corner.y() - self._ground_corner.y() - _HEAD_PX - _MARGIN_PX
        blocks = self._blocks()
        # One that the person is about to press stays, and so its button's answer has room beside it.
        most = 1 + any(toast.is_held for toast in self._toasts) if is_low else MAX_SHOWN
        for number in range(min(len(self._toasts), most), 0, -1):
            shown = self._chosen(number, is_low=is_low)
            size = self._measure(shown, is_low=is_low)
            if number > 1 and 0 < below_px < size.height():
                continue  # it would hide more than the last rows of what is below the ground
            # Before the host is laid out nothing has its place.
            at = self._free_place(size, blocks) if self._host.isVisible() else QRect(QPoint(), size)
            if at is not None:
                return shown, at
        return [], QRect()

    def _chosen(self, number: int, *, is_low: bool) -> list[Toast]:
        """So many of them, the oldest first: what nobody has seen, the latest note or all that is latest where there is
        little room, then errors in their order; where there is room for one, the latest error before any note."""
        notes = [toast for toast in reversed(self._toasts) if not toast.is_error]
        errors = [toast for toast in self._toasts if toast.is_error]
        latest = errors[-1:] if number == 1 else self._toasts[-1:] if is_low else notes[:1]
        by_rank = sorted(dict.fromkeys([*latest, *errors, *notes]), key=lambda toast: not toast.is_held)
        return [toast for toast in self._toasts if toast in by_rank[:number]]

    def _measure(self, shown: list[Toast], *, is_low: bool) -> QSize:
        """How much room these take; they are as wide as the widest."""
        waiting = sum(toast.is_kept for toast in self._toasts if toast not in shown)
        for toast in shown:
            toast.tell_more(waiting if toast is shown[-1] and self._on_more is not None else 0)
        width_px = max(
            toast.fit(_SMALL_WIDTH_PX if is_low and not toast.is_bare else _WIDTH_PX, is_low=is_low) for toast in shown
        )
        heights = [toast.needed_px(width_px) for toast in shown]
        return QSize(width_px, sum(heights) + self._column.spacing() * (len(shown) - 1))

    @property
    def _corner(self) -> QPoint:
        """The lower right of the host, above its status line."""
        return self._host.rect().bottomRight() - QPoint(0, self._theme.px("statusbar"))

    @property
    def _ground_corner(self) -> QPoint:
        """The lower right of the ground, if it is in sight."""
        ground = self._ground
        if ground is None or not ground.isVisibleTo(self._host):
            return self._corner
        return ground.mapTo(self._host, ground.rect().bottomRight())

    def _blocks(self) -> list[QRect]:
        """What must stay in sight: the kept parts, the popups, and a button or line that has the focus."""
        popups = self._host.findChildren(Overlay, options=Qt.FindChildOption.FindDirectChildrenOnly)
        parts: list[QWidget] = [*self._free, *popups]
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton | QLineEdit) and not self.isAncestorOf(focused):
            parts.append(focused)
        there = [part for part in parts if part.isVisible() and self._host.isAncestorOf(part)]
        return [QRect(part.mapTo(self._host, QPoint()), part.size()) for part in there]

    def _free_place(self, size: QSize, blocks: list[QRect]) -> QRect | None:
        """The nearest to the corner where it covers none of these, nor the bars of the window."""
        corner = QPoint(self._ground_corner.x(), self._corner.y()) - QPoint(_MARGIN_PX, _MARGIN_PX)
        room = bars_apart(self._host)
        places = [
            QRect(QPoint(right - size.width() + 1, bottom - size.height() + 1), size)
            for right in {corner.x(), *(block.left() - 1 - _MARGIN_PX for block in blocks)}
            for bottom in {corner.y(), *(block.top() - 1 - _MARGIN_PX for block in blocks)}
            if right <= corner.x() and bottom <= corner.y()
        ]
        free = [at for at in places if room.contains(at) and not any(block.intersects(at) for block in blocks)]
        return min(free, key=lambda at: _far(at.bottomRight(), corner), default=None)


def _shortened(title: str, room_px: int, metrics: QFontMetrics) -> str:
    """A title in so much room: a name is cut last, be it in quotes or what the title begins with."""
    before, quote, rest = title.partition("“")
    name, end, after = rest.partition("”")
    if not end:
        return metrics.elidedText(title, Qt.TextElideMode.ElideRight, room_px)
    start = quote if before in ("", "Agent ") else f"…{quote}"  # a name in quotes says as much
    if metrics.horizontalAdvance(f"{start}{name}{end}…") > room_px:
        name_px = room_px - metrics.horizontalAdvance(f"{start}{end}{after}")
        name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, name_px)
    return metrics.elidedText(f"{start}{name}{end}{after}", Qt.TextElideMode.ElideRight, room_px)


def _far(at: QPoint, corner: QPoint) -> int:
    return corner.x() - at.x() + _UP_COSTS * (corner.y() - at.y())
