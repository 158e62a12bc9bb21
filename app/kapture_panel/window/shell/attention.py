"""Telling a person who looks elsewhere that they are asked something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication, QWidget

from kapture_panel.window.shell.notifications import Notifications
from kapture_panel.window.shell.tray import Tray
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.background import Background
from kapture_panel.window.widgets.shell import Call

#: After so long without a window of ours in front the person has left.
_LEFT_MS = 300


class Attention:
    """A question never takes the focus: the desktop tells of it, and without one `window` shows itself.

    Args:
        raise_window: a press on the desktop's message wants the window.
    """

    def __init__(self, window: QWidget, tray: Tray, background: Background, raise_window: Callable[[], object]) -> None:
        self._window = window
        self._tray = tray
        self._background = background
        self._raise_window = raise_window
        self._notifications = Notifications()
        #: Questions that are open and were not told of, for the panel was in front.
        self._seen: list[Call] = []
        #: Each call that is told of: the number of its message once it is shown.
        self._told: dict[Call, int] = {}
        # Between two windows of ours, or for a menu, none is in front for a moment.
        self._leaving = QTimer(window, singleShot=True, interval=_LEFT_MS)
        self._leaving.timeout.connect(self._on_left)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusWindowChanged.connect(self.on_moved)

    def draw(self, call: Call) -> None:
        """Tell of a question, or once the person leaves the panel while it is open."""
        self._seen.append(call)
        self._on_left()

    def on_moved(self, _window: QWindow | None = None) -> None:
        """The focus is in another window, or the panel's was hidden or made small."""
        self._leaving.start()

    def drop(self, call: Call) -> None:
        """The question is settled: nobody need come."""
        if call in self._seen:
            self._seen.remove(call)
        number = self._told.pop(call, 0)
        if number:
            self._background.start(self._notifications.take_back(number), "Take a message back")

    def notify(self, title: str, words: str) -> None:
        """Tell something, unless the window is shown."""
        if not self._window.isVisible():
            self._tray.notify(title, words)

    def release(self) -> None:
        """Let go of the desktop."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusWindowChanged.disconnect(self.on_moved)
        self._leaving.stop()
        self._notifications.release()

    @property
    def _is_in_front(self) -> bool:
        window = self._window
        return QApplication.activeWindow() is not None and window.isVisible() and not window.isMinimized()

    def _on_left(self) -> None:
        """Tell of what is open, once."""
        if self._is_in_front:
            return
        calls, self._seen = self._seen, []
        for call in calls:
            self._told[call] = 0
            self._background.start(self._tell(call), "Tell of a question")

    async def _tell(self, call: Call) -> None:
        actions: dict[str, tuple[str, Callable[[], object]]] = {"default": ("Show", self._raise_window)}
        if call.deny is not None:
            actions["deny"] = ("Deny", call.deny)
        number = await self._notifications.show(call.title, safe_text.unmarked(call.words), actions)
        if not number:
            self._tell_without_buttons(call)
        elif call in self._told:
            self._told[call] = number
        else:  # settled while it was on its way
            await self._notifications.take_back(number)

    def _tell_without_buttons(self, call: Call) -> None:
        window = self._window
        if call not in self._told:  # settled meanwhile
            return
        if self._tray.is_available:
            self._tray.notify(call.title, call.words)
        elif window.isVisible():
            QApplication.alert(window)
        else:
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            window.show()
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
