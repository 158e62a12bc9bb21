"""How many elements a selector matches, asked while it is typed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.command.forms.target_field import TargetField

log = logging.getLogger(__name__)

#: The person has stopped typing for this long.
PAUSE_MS = 300


class MatchCounter(QObject):
    """Asks the tab once the typing pauses; a tab that is busy, and one that is not there, is not asked.

    Args:
        count: see `Ways.count`.
        tab: the tab commands are for.
    """

    def __init__(
        self,
        count: Callable[[Tab, str], Coroutine[Any, Any, int]],
        tab: Callable[[], Tab | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._count = count
        self._tab = tab
        self._target: TargetField | None = None
        self._task: asyncio.Task[None] | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._on_pause)

    def on_typed(self, target: TargetField) -> None:
        """Count what `target` matches, unless more is typed."""
        self.cancel()
        self._target = target
        self._pause.start()

    def cancel(self) -> None:
        """Count nothing: what was typed, or the page it was typed for, is another."""
        self._pause.stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _on_pause(self) -> None:
        tab, target = self._tab(), self._target
        if tab is None or tab.state != "connected" or target is None or not isValid(target):
            return
        if selector := target.selector:
            self._task = tasks.spawn(self._ask(tab, target, selector), "count what a selector matches")

    async def _ask(self, tab: Tab, target: TargetField, selector: str) -> None:
        try:
            number, problem = await self._count(tab, selector), ""
        except KaptureError as error:
            if error.code != "INVALID_SELECTOR":
                return  # Run will tell; nobody has asked yet
            number, problem = 0, error.message
        except Exception:  # the outermost door of what typing began
            log.exception("counting what a selector matches failed")
            return
        if isValid(target) and target.selector == selector:
            if problem:
                target.show_error(problem)
            else:
                target.show_matches(number)
