"""Telling a person who looks elsewhere that they are asked something."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from kapture_panel.window.shell.tray import Tray


class Attention:
    """A question never takes the focus: the tray tells of it, and without a tray `window` shows itself."""

    def __init__(self, window: QWidget, tray: Tray) -> None:
        self._window = window
        self._tray = tray

    def draw(self, title: str, words: str) -> None:
        """Tell of a question, unless the window is in sight."""
        window = self._window
        if window.isVisible() and not window.isMinimized():
            return
        if self._tray.is_available:
            self._tray.notify(title, words)
        elif not window.isVisible():
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            window.show()
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)

    def notify(self, title: str, words: str) -> None:
        """Tell something, unless the window is shown."""
        if not self._window.isVisible():
            self._tray.notify(title, words)
