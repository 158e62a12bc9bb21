"""Saving the network log as an HTTP archive: asked of each tab, which leaves no row in the history."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.network_log import MAX_REQUESTS_PER_TAB, NetworkLog, Request
from kapture_panel.export import har
from kapture_panel.window.widgets.save_dialog import SaveDialog
from kapture_panel.window.widgets.shell import RunCommand

log = logging.getLogger(__name__)


class NetworkSaving(QObject):
    """`saved` carries the path and how many requests are in the file; `failed` says why there is none."""

    saved = Signal(str, int)
    failed = Signal(str)

    def __init__(self, requests: NetworkLog, tabs: Tabs, look: RunCommand, parent: QWidget) -> None:
        super().__init__(parent)
        self._requests, self._tabs, self._look = requests, tabs, look
        self._parent = parent
        self._task: asyncio.Task[None] | None = None

    def ask_where(self, tab_id: str | None) -> SaveDialog:
        """Ask for a file and save there the requests of a tab, or of all."""
        dialog = SaveDialog(self._parent, "Save requests", har.FILE_NAME, har.SUFFIX, f"{har.TITLE} (*{har.SUFFIX})")
        dialog.fileSelected.connect(lambda path: self.save(path, tab_id))
        dialog.open()
        return dialog

    def save(self, path: str, tab_id: str | None) -> None:
        """Write the requests of a tab, or of all, to a file; `saved` or `failed` tells when it is done."""
        if self._task is not None and not self._task.done():
            self.failed.emit("another file is still being written")
            return
        self._task = tasks.spawn(self._save(path, tab_id), "saving requests")

    def cancel(self) -> None:
        """Save no more."""
        if self._task is not None:
            self._task.cancel()

    async def _save(self, path: str, tab_id: str | None) -> None:
        try:
            archives, told = [], set()
            for tab in [tab for tab in self._tabs if tab_id in (None, tab.tab_id)]:
                params = {"tabId": tab.tab_id, "format": "har", "max": MAX_REQUESTS_PER_TAB}
                try:
                    answer = await self._look(har.COMMAND, params)
                except KaptureError as error:
                    log.info("the requests of the tab %s are saved as listed: %s", tab.tab_id, error.message)
                else:
                    archives.append(har.Archive(tab.tab_id, tab.title, str(answer.result)))
                    told.add(tab.tab_id)
            lost = [request for request in self._requests.all(tab_id) if request.tab_id not in told]
            number = await asyncio.to_thread(_write, Path(path), archives, lost)
        except OSError as error:
            self.failed.emit(f"{path} cannot be written: {error.strerror}")
        else:
            self.saved.emit(path, number)


def _write(path: Path, archives: list[har.Archive], lost: list[Request]) -> int:
    text, number = har.made(archives, lost)
    har.write(path, text)
    return number
