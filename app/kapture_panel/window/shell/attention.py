"""Telling a person who looks elsewhere that they are asked something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from kapture_panel.window.shell.notifications import Notifications
from kapture_panel.window.shell.tray import Tray
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.background import Background
from kapture_panel.window.widgets.shell import Call


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
        #: Each call that is told of: the number of its message once it is shown.
        self._told: dict[Call, int] = {}

    def draw(self, call: Call) -> None:
        """Tell of a question, unless the panel is in front."""
        if QApplication.activeWindow() is None or not self._window.isVisible() or self._window.isMinimized():
            self._told[call] = 0
            self._background.start(self._tell(call), "Tell of a question")

    def drop(self, call: Call) -> None:
        """The question is settled: nobody need come."""
        number = self._told.pop(call, 0)
        if number:
            self._background.start(self._notifications.take_back(number), "Take a message back")

    def notify(self, title: str, words: str) -> None:
        """Tell something, unless the window is shown."""
        if not self._window.isVisible():
            self._tray.notify(title, words)

    def release(self) -> None:
        """Let go of the desktop."""
        self._notifications.release()

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
        if window.isVisible() and not window.isMinimized():
            return
        if self._tray.is_available:
            self._tray.notify(call.title, call.words)
        elif not window.isVisible():
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            window.show()
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
