"""Who records which tab: one command begins and ends it, and so does what ends the tab, its agent or its permission."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol

import msgspec

from kapture_panel.core.basics import addresses, tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.gates.policy import Case
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.router import Send
from kapture_panel.core.state import State
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.videos import Video
from kapture_panel.core.wire.protocol import Response
from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.hub.videos import encoder
from kapture_panel.hub.videos.captions import Captions
from kapture_panel.hub.videos.recording import Recording, Rules

log = logging.getLogger(__name__)

#: The entry of the catalogue whose sending this stands around.
WRAPPER = "video"
#: No side of a video is longer, in pixels.
MAX_WIDTH, MAX_HEIGHT = 1280, 720
MAX_BYTES = 100 * 1024 * 1024
#: Each costs up to half a processor while its page moves.
MAX_AT_ONCE = 4


class Pictures(Protocol):
    """What gives the pictures of tabs."""

    #: (tabId, picture): the newest of a tab that is recorded.
    recorded: Signal[str, LivePicture]

    def record(self, tab_id: str, width: int, height: int) -> None:
        """Have pictures of a tab from now on that fit into this many pixels."""

    def record_no_more(self, tab_id: str) -> None:
        """Have none."""

    def taken(self, tab_id: str, number: int) -> None:
        """This one was taken in: the next may come."""


class VideoRecorder:
    """The recordings under way, one in a tab at most.

    Args:
        state: tabs, clients, history and the store of videos.
        watching: gives the pictures, as to the window.
        max_bytes: of one video.
    """

    def __init__(self, state: State, watching: Pictures, max_bytes: int = MAX_BYTES) -> None:
        self._state = state
        self._watching = watching
        self._max_bytes = max_bytes
        self._gates: Gates | None = None
        self._command = _recording(state.catalogue)
        self._running: dict[str, Recording] = {}
        #: tabId → the last one there, once it is over.
        self._over: dict[str, Recording] = {}
        #: Emitted with a tabId in which a recording begins or ends.
        self.changed: Signal[str] = Signal()
        #: (who, path, why): a video is finished, and why it ended.
        self.over: Signal[Client, str, str] = Signal()
        watching.recorded.connect(self._on_picture)
        state.tabs.changed.connect(self._on_moved)
        state.tabs.navigated.connect(self._on_moved)
        state.tabs.crashed.connect(lambda tab: self._over_now(tab.tab_id, "the page crashed"))
        state.tabs.removed.connect(self._on_removed)
        state.clients.removed.connect(self._on_client_removed)
        state.pause.changed.connect(self._on_pause)
        state.history.began.connect(self._on_began)
        state.history.settled.connect(self._on_settled)
        state.history.removed.connect(self._on_forgotten)
        state.videos.removed.connect(self._on_deleted)

    def watch_over(self, gates: Gates) -> None:
        """Let these say what may be seen from now on; they are made after this is."""
        self._gates = gates
        gates.leases.changed.connect(self._on_held)

    @property
    def under_way(self) -> list[Recording]:
        """Those that have not ended, in the order they began."""
        return list(self._running.values())

    def who(self, tab_id: str) -> Client | None:
        """Who records a tab now."""
        recording = self._running.get(tab_id)
        return recording.client if recording is not None else None

    async def record(self, call: Call, tab: Tab, params: Params, send: Send) -> Response:
        """Begin a recording, or with `stop` end it.

        Raises:
            KaptureError: `NO_ENCODER`, `INVALID_PARAMS` for a tab that is recorded already, or is not; `BUSY` when too
                many are.
        """
        client = call.client
        if params["stop"]:
            return _answered(await self._stop(client, tab))
        encoder.demand()
        self._demand_room(client, tab)
        response = await send({})
        if response.success:
            self._demand_room(client, tab)  # another one may have begun meanwhile
            recording = await self._begin(client, tab, response.result, params["seconds"])
            if recording.ended:
                return msgspec.structs.replace(response, result=recording.told)
            begun = {
                "path": str(recording.video.path),
                "captions": str(recording.video.captions),
                "seconds": recording.limit_s,
            }
            return msgspec.structs.replace(response, result=begun)
        return response

    async def close(self) -> None:
        """End all of them; their files can be played."""
        for tab_id in tuple(self._running):
            self._over_now(tab_id, "the panel ended")
        for recording in (*self._over.values(),):
            await recording.done.wait()

    def _demand_room(self, client: Client, tab: Tab) -> None:
        if (by := self.who(tab.tab_id)) is not None:
            whom = "you" if by is client else "a person" if by.kind == "person" else repr(by.name)
            raise KaptureError(
                "INVALID_PARAMS", f"the tab {tab.tab_id} is being recorded already, by {whom}",
                "end it with stop first" if by is client or client.kind == "person" else "wait until that has ended",
            )  # fmt: skip
        if len(self._running) >= MAX_AT_ONCE:
            raise KaptureError("BUSY", f"{MAX_AT_ONCE} tabs are being recorded", "wait until one of them has ended")

    async def _begin(self, client: Client, tab: Tab, viewport: JsonObject, limit_s: int) -> Recording:
        """A recording that runs, or one that was ended while its encoder began."""
        size = _within(viewport["width"], viewport["height"])
        videos, tab_id = self._state.videos, tab.tab_id
        video = videos.begin(tab_id, client.name, tab.site, tab.session)
        captions: Captions | None = None
        recording: Recording | None = None
        try:
            captions = Captions(video.captions, self._state.catalogue)
            rules = Rules(
                partial(self._may_see, client, tab_id),
                partial(self._watching.taken, tab_id),
                lambda why: self._end(recording, why),
            )
            recording = Recording(video, client, size, limit_s, self._max_bytes, captions, rules)
            self._running[tab_id] = recording  # before anything is awaited: nobody else begins here
            await recording.start()
        except BaseException:
            if recording is not None and self._running.get(tab_id) is recording:
                del self._running[tab_id]
            if captions is not None:
                captions.end(0)
            videos.remove(video)
            raise
        if self._state.tabs.find(tab_id) is None:
            self._end(recording, "the tab was closed")
        if self._running.get(tab_id) is recording:
            self._watching.record(tab_id, *size)
            self.changed.emit(tab_id)
        else:
            await recording.done.wait()
        return recording

    async def _stop(self, client: Client, tab: Tab) -> Recording:
        recording = self._running.get(tab.tab_id)
        if recording is not None and not _is_theirs(recording, client):
            by = "a person" if recording.client.kind == "person" else repr(recording.client.name)
            raise KaptureError("INVALID_PARAMS", f"the tab {tab.tab_id} is recorded by {by}", "they can stop it")
        if recording is not None:
            by_person = client.kind == "person" and recording.client is not client
            self._over_now(tab.tab_id, "a person stopped it" if by_person else "stopped")
        else:
            recording = self._over.get(tab.tab_id)
        if recording is None or not _is_theirs(recording, client):
            raise KaptureError("INVALID_PARAMS", f"the tab {tab.tab_id} is not recorded", "leave stop out to begin")
        await recording.done.wait()
        return recording

    def _end(self, recording: Recording | None, why: str) -> None:
        """Have this one end, unless it has: another may run in its tab by then."""
        if recording is not None and self._running.get(recording.video.tab_id) is recording:
            self._over_now(recording.video.tab_id, why)

    def _over_now(self, tab_id: str, why: str) -> None:
        """Have a recording end; what is left to write is written meanwhile."""
        recording = self._running.pop(tab_id, None)
        if recording is not None:
            self._watching.record_no_more(tab_id)
            self._over[tab_id] = recording
            tasks.spawn(self._finish(recording, why), f"end of the video of {tab_id}")
            self.changed.emit(tab_id)

    async def _finish(self, recording: Recording, why: str) -> None:
        try:
            await recording.end(why)
            self._state.videos.end(recording.video)
        finally:
            recording.done.set()
        self.over.emit(recording.client, str(recording.video.path), why)

    def _may_see(self, client: Client, tab_id: str) -> bool:
        """Whether what is in the tab now goes into a video of this client's: not what the person does in private."""
        if client.kind == "person":
            return True
        assert self._gates is not None
        holder = self._gates.leases.holder(tab_id)
        return holder is None or holder.kind != "person"

    def _on_picture(self, tab_id: str, picture: LivePicture) -> None:
        if tab_id in self._running:
            self._running[tab_id].take(picture)

    def _on_held(self, tab_id: str) -> None:
        if tab_id in self._running:
            self._running[tab_id].look_again()

    def _on_moved(self, tab: Tab) -> None:
        recording = self._running.get(tab.tab_id)
        if recording is None:
            return
        assert self._gates is not None
        with self._writing(tab.tab_id):
            self._state.videos.saw(recording.video, site=tab.site)
        page = addresses.origin_of(tab.url)
        case = Case(recording.client, self._command, {}, page, tab.managed, tab.tab_id)
        if self._gates.policy.decide(case).verdict != "allow":
            self._over_now(tab.tab_id, "the tab went where this may not be recorded")

    def _on_removed(self, tab: Tab) -> None:
        self._over_now(tab.tab_id, "the tab was closed")
        self._over.pop(tab.tab_id, None)

    def _on_client_removed(self, client: Client) -> None:
        for tab_id, recording in tuple(self._running.items()):
            if recording.client is client:
                self._over_now(tab_id, "the conversation ended")

    def _on_pause(self) -> None:
        if self._state.pause.is_on:
            for tab_id, recording in tuple(self._running.items()):
                if recording.client.kind != "person":
                    self._over_now(tab_id, "a person paused the agents")

    def _on_began(self, row: Row) -> None:
        recording = self._running.get(row.tab_id)
        if recording is not None and row.state == "running":
            with self._writing(row.tab_id):
                self._state.videos.saw(recording.video, client=row.client)
                recording.began(row)

    def _on_settled(self, row: Row) -> None:
        if row.tab_id in self._running:
            with self._writing(row.tab_id):
                self._running[row.tab_id].settled(row)

    @contextmanager
    def _writing(self, tab_id: str) -> Iterator[None]:
        """What is recorded goes on though the video cannot: it ends with the reason."""
        try:
            yield
        except OSError as error:
            log.error("the video of %s cannot be written: %s", tab_id, error)
            self._over_now(tab_id, f"it could not be written: {error.strerror}")

    def _on_forgotten(self, ids: list[int], _pictures: list[str]) -> None:
        for recording in self._running.values():
            recording.forgotten(ids)

    def _on_deleted(self, video: Video) -> None:
        for tab_id, recording in tuple(self._running.items()):
            if recording.video is video:
                del self._running[tab_id]
                self._watching.record_no_more(tab_id)
                tasks.spawn(recording.drop("it was forgotten"), f"end of the forgotten video of {tab_id}")
                self.changed.emit(tab_id)
        for tab_id, recording in tuple(self._over.items()):
            if recording.video is video:
                del self._over[tab_id]


def _recording(catalogue: Catalogue) -> Command:
    """The command that records."""
    found: Command = next(command for command in catalogue if command.wrapper == WRAPPER)
    return found


def _is_theirs(recording: Recording, client: Client) -> bool:
    return client.kind == "person" or recording.client is client


def _answered(recording: Recording) -> Response:
    return Response(id="", success=True, result=recording.told)


def _within(width: float, height: float) -> tuple[int, int]:
    """The size of a video of such a viewport: no larger than it may be, and even, as encoders want it."""
    scale = min(1.0, MAX_WIDTH / width, MAX_HEIGHT / height)
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)
