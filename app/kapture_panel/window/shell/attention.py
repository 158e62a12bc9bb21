"""Telling a person who looks elsewhere that they are asked something."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.registry.pairing import PairingRequest
from kapture_panel.window.shell.tray import Tray
from kapture_panel.window.widgets import plain


class Attention:
    """A question never takes the focus: the tray tells of it, and without a tray `window` shows itself."""

    def __init__(self, window: QWidget, tray: Tray) -> None:
        self._window = window
        self._tray = tray

    def draw_to_ask(self, ask: Ask) -> None:
        """An agent's command waits for a yes."""
        who = plain.line(ask.client.name, 60)
        self._draw("A question for you", f"{who} wants to {ask.command.title.lower()} on {plain.line(ask.site)}")

    def draw_to_pairing(self, request: PairingRequest) -> None:
        """A browser wants to be let in."""
        words = f"{plain.line(request.browser, 60)} wants to be paired; compare the codes."
        self._draw("A browser wants to be paired", words)

    def _draw(self, title: str, words: str) -> None:
        window = self._window
        if window.isVisible() and not window.isMinimized():
            return
        if self._tray.is_available:
            self._tray.notify(title, words)
        elif not window.isVisible():
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            window.show()
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
