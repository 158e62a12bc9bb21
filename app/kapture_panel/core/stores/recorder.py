"""The flight recorder: a small picture of the tab before and after each action."""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.settings import RECORD_PICTURES, Settings
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.network_log import Request
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire.protocol import Response

log = logging.getLogger(__name__)

#: The folder of its pictures, inside the one of the screenshots.
FOLDER = "recordings"
#: Two for each action, and smaller than an agent's.
MAX_COUNT = 20_000
#: Beside each action: what may change what a tab shows.
CLASSES = ("interact", "navigate", "execute")
QUALITY = 50
#: A tab that draws nothing for this long gets no picture.
TIMEOUT_MS = 1500
#: The panel gives up this much later, should the extension not answer at all.
GRACE_S = 0.5
#: The picture after one action is the one before the next for this long, unless something was seen to happen.
FRESH_S = 2.0
#: After this many in a row that could not be taken, a tab is left alone until another document is in it.
MAX_FAILURES = 3
_COMMAND = "kapturemcp_screenshot"


class Sender(Protocol):
    """The part of the executor a picture needs."""

    async def run_in_tab(
        self, tab: Tab, command: str, params: Params, timeout_ms: int, *, quiet: bool = False
    ) -> Response:
        """As `core.registry.executor.Executor` has it."""
        ...


@dataclass(frozen=True)
class _Latest:
    """The newest picture of a tab, and what the tab was when it was taken."""

    name: str
    at: float
    url: str
    title: str


class Recorder:
    """Takes the pictures while the person wants them; the agent never waits for the one after its action.

    Args:
        sender: where screenshots are taken, without rows of their own.
        pictures: a bounded store of its own; what no row names is deleted when this begins.
        settings: says whether to record.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        tabs: Tabs,
        history: History,
        sender: Sender,
        pictures: Shots,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tabs = tabs
        self._history = history
        self._sender = sender
        self._pictures = pictures
        self._settings = settings
        self._clock = clock
        # In its own size: for a smaller picture Chrome shows the page smaller in its window, too, for a moment.
        params = catalogue.get(_COMMAND).validate({"name": FOLDER, "format": "jpeg", "quality": QUALITY})
        self._params = {name: value for name, value in params.items() if name not in ("timeout", "tabId")}
        self._latest: dict[str, _Latest] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        #: How often something may have changed what a tab shows.
        self._changes: Counter[str] = Counter()
        #: How many pictures in a row a tab did not give.
        self._failures: Counter[str] = Counter()
        tabs.navigated.connect(self._on_navigated)
        tabs.removed.connect(self._on_removed)
        history.removed.connect(lambda _ids, names: self._delete(set(names)))
        if len(pictures):
            self._delete({shot.file for shot in pictures} - history.pictures())

    async def before(self, tab: Tab, command: Command) -> str:
        """The name of a picture of `tab` as it is now, taken unless there is a fresh one; empty without one."""
        if command.klass == "read" and not command.passes_time:
            return ""
        if not self._is_wanted(command) or command.immediate:
            self._forget(tab.tab_id)
            return ""
        pending = self._running.get(tab.tab_id)
        if pending is not None:
            await asyncio.wait([pending])
        latest = self._latest.get(tab.tab_id)
        is_current = latest is not None and self._is_current(latest, tab)
        self._forget(tab.tab_id)
        if latest is not None and is_current:
            return latest.name
        return "" if self._failures[tab.tab_id] else await self._take(tab)

    def after(self, row: Row, command: Command) -> None:
        """Take the picture after an action that was answered, in the background, and write it into its row."""
        tab = self._tabs.find(row.tab_id)
        if tab is None or not self._is_wanted(command) or tab.tab_id in self._running:
            return
        # A tab that gave none may do so again once an action went well in it.
        failures = self._failures[tab.tab_id]
        if not failures or (row.state == "ok" and failures < MAX_FAILURES):
            task = tasks.spawn(self._finish(tab, row), f"picture after {row.command}")
            self._running[tab.tab_id] = task
            task.add_done_callback(lambda _task: self._running.pop(tab.tab_id, None))

    def on_requests(self, requests: list[Request]) -> None:
        """Something is being loaded: the newest pictures of these tabs may be old."""
        for request in requests:
            self._forget(request.tab_id)

    async def close(self) -> None:
        """End what is under way."""
        for task in tuple(self._running.values()):
            await tasks.end(task)

    async def _finish(self, tab: Tab, row: Row) -> None:
        changes = self._changes[tab.tab_id]
        name = await self._take(tab)
        if name and self._history.has_forgotten(row):
            self._delete({name})
        elif name:
            if changes == self._changes[tab.tab_id]:
                self._latest[tab.tab_id] = _Latest(name, self._clock(), tab.url, tab.title)
            row.after = name
            self._history.settle(row)

    async def _take(self, tab: Tab) -> str:
        if tab.state == "dialog":
            return ""
        try:
            async with asyncio.timeout(TIMEOUT_MS / 1000 + GRACE_S):
                response = await self._sender.run_in_tab(tab, _COMMAND, dict(self._params), TIMEOUT_MS, quiet=True)
        except (KaptureError, TimeoutError) as error:
            return self._failed(tab, str(error))
        if not response.success:
            return self._failed(tab, response.failure.message)
        self._failures.pop(tab.tab_id, None)
        picture = response.result
        try:
            shot = self._pictures.add(
                base64.b64decode(picture["data"]),
                name=tab.tab_id,
                tab_id=tab.tab_id,
                format=picture["format"],
                session=tab.session,
            )
        except OSError as error:
            log.warning("a picture of %s could not be kept: %s", tab.tab_id, error)
            return ""
        return shot.file

    def _failed(self, tab: Tab, why: str) -> str:
        log.info("no picture of %s: %s", tab.tab_id, why)
        self._failures[tab.tab_id] += 1
        return ""

    def _is_wanted(self, command: Command) -> bool:
        may_change = command.action or command.klass in CLASSES
        return may_change and self._settings.get(RECORD_PICTURES, False) is True

    def _is_current(self, latest: _Latest, tab: Tab) -> bool:
        is_same = (latest.url, latest.title) == (tab.url, tab.title) and tab.state != "dialog"
        is_kept = (self._pictures.folder / tab.session / latest.name).exists()
        return is_same and is_kept and self._clock() - latest.at <= FRESH_S

    def _forget(self, tab_id: str) -> None:
        self._latest.pop(tab_id, None)
        self._changes[tab_id] += 1

    def _on_navigated(self, tab: Tab) -> None:
        self._forget(tab.tab_id)
        self._failures.pop(tab.tab_id, None)

    def _on_removed(self, tab: Tab) -> None:
        for kept in (self._latest, self._changes, self._failures):
            kept.pop(tab.tab_id, None)

    def _delete(self, names: set[str]) -> None:
        for shot in tuple(self._pictures):
            if shot.file in names:
                self._pictures.remove(shot)


def store(screenshots: Path) -> Shots:
    """The recorder's pictures beside the screenshots in their folder."""
    return Shots(screenshots / FOLDER, max_count=MAX_COUNT)
