"""Short messages over the window's corner: they come by themselves and never take the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.buttons import action_button, icon_button
from kapture_panel.window.widgets.focus_ring import LIES_OVER
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.notices_model import Action, NoticesModel
from kapture_panel.window.widgets.overlay import POPUP_MOVED, Overlay
from kapture_panel.window.widgets.theme import Theme

_WIDTH_PX = 320
_MARGIN_PX = 8
LIFE_MS = 6000
#: One with a button is not only read.
_WITH_BUTTON = 3
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, POPUP_MOVED)
_COMES = (QEvent.Type.Show, QEvent.Type.Hide)
#: How high a message usually is, and the head of a dock, which has buttons.
_USUAL_PX, _HEAD_PX = 60, 32
#: More than these would hide the window: notes give way, errors wait until one is closed.
MAX_SHOWN = 4


class Toast(QFrame):
    """One message; errors stay until they are closed, others until they have been there a while.

    Args:
        on_read: called when the person closes it.
    """

    def __init__(
        self,
        theme: Theme,
        title: str,
        text: str,
        tone: str,
        on_read: Callable[[], object],
        actions: Sequence[Action] = (),
    ) -> None:
        super().__init__()
        self.setProperty("kind", "toast")
        self.setProperty("tone", tone)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_WIDTH_PX)
        self.key = (title, text, tone)
        self.is_error = tone == "error"
        self._times = 1
        self._title_text = safe_text.line(title, 120)
        self.setAccessibleName(f"{self._title_text}: {safe_text.line(text, 300)}")
        self._title = Label(self._title_text, kind="strong")
        self._title.setWordWrap(True)
        said = Label(safe_text.text(text, 400), kind="secondary")
        said.setWordWrap(True)
        # Never shown before it has a parent: it would be a window for a moment, and take the focus.
        if not text:
            said.hide()
        close = icon_button(theme, "mdi6.close", "Close this message", on_read)
        close.clicked.connect(self.close)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 6, 6, 8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._title, 0, 0)
        grid.addWidget(close, 0, 1, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        # One button stands beside the words, more of them below.
        grid.addWidget(said, 1, 0, 1, 1 if len(actions) == 1 else 2)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.setContentsMargins(0, 4 if len(actions) > 1 else 0, 0, 0)
        for words, do in actions:
            row.addWidget(action_button(words, do))
        place = (1, 1, 1, 1) if len(actions) == 1 else (2, 0, 1, 2)
        grid.addLayout(row, *place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.life = QTimer(self)
        self.life.setSingleShot(True)
        self.life.setInterval(LIFE_MS * (_WITH_BUTTON if actions else 1))
        self.life.timeout.connect(self.close)
        if not self.is_error:
            self.life.start()

    @property
    def title(self) -> str:
        """The first line."""
        return self._title.text()

    def again(self) -> None:
        """The same thing happened once more."""
        self._times += 1
        self._title.setText(f"{self._title_text} ×{self._times}")
        if not self.is_error:
            self.life.start()

    def enterEvent(self, event: QEnterEvent) -> None:
        self.life.stop()

    def leaveEvent(self, event: QEvent) -> None:
        if not self.is_error:
            self.life.start()


class Toasts(QWidget):
    """The stack of messages at the bottom of `host`, as far right as a part of it goes; `notices` keeps them."""

    def __init__(self, host: QWidget, theme: Theme) -> None:
        super().__init__(host)
        self._host = host
        self._theme = theme
        self.notices = NoticesModel(self)
        #: Errors there is no room for yet: what `_show` takes.
        self._waiting: list[tuple[str, str, str, Sequence[Action]]] = []
        self._ground: QWidget | None = None
        self._free: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.setProperty(LIES_OVER, True)
        self.setAccessibleName("Messages")
        host.installEventFilter(self)
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
        for toast in self.shown:
            if toast.key == (title, text, tone):
                toast.again()
                self._place()
                return
        note = next((toast for toast in self.shown if not toast.is_error), None)
        if not self._has_room():
            if note is not None:
                self._leave(note)
            elif tone == "error":
                if not any(one[:3] == (title, text, tone) for one in self._waiting):
                    self._waiting.append((title, text, tone, actions))
                return
            elif len(self.shown) >= MAX_SHOWN:
                return
        self._show(title, text, tone, actions)

    def clear(self) -> None:
        """Take all away: they are being read elsewhere."""
        self._waiting.clear()
        for toast in self.shown:
            toast.close()

    def stand_below(self, ground: QWidget) -> None:
        """Keep to the right edge of this part of the host: what is in it, and what is right of it, stays in sight."""
        self._ground = ground
        ground.installEventFilter(self)
        self._place()

    def keep_free(self, part: QWidget) -> None:
        """Stay above a part as long as that is in sight."""
        self._free.append(part)
        part.installEventFilter(self)
        self._place()

    @property
    def shown(self) -> list[Toast]:
        """The messages in sight, the oldest first."""
        items = [self._column.itemAt(number) for number in range(self._column.count())]
        return [toast for item in items if item and isinstance(toast := item.widget(), Toast)]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The host hides, too, while it and all that is in it are destroyed.
        if event.type() in _MOVES or (event.type() in _COMES and watched in self._free):
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, title: str, text: str, tone: str, actions: Sequence[Action]) -> None:
        toast = Toast(self._theme, title, text, tone, partial(self.notices.read, title, text), actions)
        toast.destroyed.connect(self._on_closed)
        self._column.addWidget(toast)
        self._place()

    def _leave(self, note: Toast) -> None:
        """Have one go. It keeps its parent until Qt takes it away: else Python's collector would, at any moment."""
        note.hide()
        self._column.removeWidget(note)
        note.deleteLater()

    def _on_closed(self) -> None:
        if self._waiting and self._has_room():
            self._show(*self._waiting.pop(0))
        self._place()

    def _has_room(self) -> bool:
        """Whether one more hides nothing but the last rows of what is below the ground."""
        shown = self.shown
        if not shown or len(shown) >= MAX_SHOWN:
            return not shown
        below_px = self._corner.y() - self._ground_corner.y() - _HEAD_PX - _MARGIN_PX
        needed_px = sum(toast.heightForWidth(_WIDTH_PX) + self._column.spacing() for toast in shown) + _USUAL_PX
        return below_px <= 0 or needed_px <= below_px

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

    def _place(self) -> None:
        shown = [
            toast
            for toast in self.shown
            if not toast.isHidden() or not toast.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        ]
        self.setVisible(bool(shown))
        if not shown:
            return
        self._column.activate()
        height = sum(toast.heightForWidth(_WIDTH_PX) for toast in shown) + self._column.spacing() * (len(shown) - 1)
        self.resize(_WIDTH_PX, height)
        corner = QPoint(self._ground_corner.x(), self._corner.y())
        at = QRect(corner - QPoint(_WIDTH_PX + _MARGIN_PX, height + _MARGIN_PX), self.size())
        free = [QRect(part.mapTo(self._host, QPoint()), part.size()) for part in self._free if part.isVisible()]
        for part in sorted(free, key=QRect.y, reverse=True):
            if part.intersects(at):
                at.moveBottom(part.top() - _MARGIN_PX)
        self._go_beside(at, [overlay for overlay in self._host.findChildren(Overlay) if overlay.isVisible()])

    def _go_beside(self, at: QRect, overlays: list[Overlay]) -> None:
        """Go to `at`, or beside a popup that is there; where it leaves no room, under it: its buttons stay free."""
        for overlay in overlays:
            popup = overlay.geometry()
            if not popup.intersects(at):
                continue
            left, above = QRect(at), QRect(at)
            left.moveRight(popup.left() - _MARGIN_PX)
            above.moveBottom(popup.top() - _MARGIN_PX)
            free = next((place for place in (left, above) if self._host.rect().contains(place)), None)
            if free is None:
                self.move(at.topLeft())
                self.stackUnder(overlay)
                return
            at = free
        self.move(at.topLeft())
        self.raise_()
