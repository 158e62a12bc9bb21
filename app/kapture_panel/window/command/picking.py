"""The person chooses the target of a command in the page itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.results import Picked
from kapture_panel.window.command.forms.target_field import TargetField

log = logging.getLogger(__name__)


class Picking(QObject):
    """One choosing at a time. `picked` carries the field it was for, when the person is done in the page.

    Args:
        pick: see `Ways.pick`.
        shown: the fields of the form that is there now.
    """

    picked = Signal(object)

    def __init__(
        self,
        pick: Callable[[Tab], Coroutine[Any, Any, Picked]],
        shown: Callable[[], list[TargetField]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._pick = pick
        self._shown = shown
        self._task: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """Whether the person is choosing."""
        return self._task is not None

    def toggle(self, target: TargetField, tab: Tab | None) -> None:
        """Begin choosing in `tab` what goes into `target`, or end it."""
        if self._task is not None:
            self.end()
        elif tab is None:
            target.show_error("no tab is chosen; choose or start one under Tabs")
        else:
            self._task = tasks.spawn(self._run(target, tab), "person picks an element")

    def end(self) -> None:
        """End choosing, if that goes on."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, target: TargetField, tab: Tab) -> None:
        target.show_picking(True)
        picked = Picked(ended="escape")
        problem = ""
        try:
            picked = await self._pick(tab)
        except KaptureError as error:
            problem = error.message
        except Exception as error:  # the outermost door of what the person began
            log.exception("picking an element failed")
            problem = f"{error}; see the log"
        finally:
            self._task = None
            # The window may have gone, which ends the choosing.
            if isValid(target):
                target.show_picking(False)
                target.show_picked(picked)
                target.show_error(problem)
                if target in self._shown() and (picked.candidates or picked.ended == "escape"):
                    self.picked.emit(target)
