"""The panel's end of one WebSocket of the extension: commands out, responses and events in."""

from __future__ import annotations

import asyncio
import base64
import itertools
import secrets
import time
from collections.abc import Callable
from typing import TypeVar

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.stores.offers import Offers
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.events import Closed, Event
from kapture_panel.core.wire.protocol import NOTHING, DialogRule, Grant, Response
from kapture_panel.core.wire.results import Checked, Picked, PlacePointedAt
from kapture_panel.core.wire.watching import LivePicture, PointAt, StepOut

#: A link that was silent for this long is dead: three pings went unanswered.
SILENT_S = 3.5 * protocol.PING_INTERVAL_S

#: The two addresses and ports of a connection, the far end first.
Ends = tuple[tuple[str, int], tuple[str, int]]

Kind = TypeVar("Kind", Picked, Checked, PlacePointedAt)


class Link:
    """A trusted connection of one tab or one browser.

    Args:
        connection: the WebSocket, past the handshake.
        on_events: called with each batch of events.
        on_unpair: called when the person takes the browser off over there.
        on_asked: called with what the person runs, gives up or pauses in the extension's own pages.
        offers: the files a tab may read.
        on_late: called with an answer nobody waits for any more.
        on_picture: called with each picture of a tab that is watched.
        on_given_up: called with the `frame_id` of a command whose caller gave up though the link stays: before
            `on_late` is with its answer.
    """

    #: An extension that outlives this panel carries out nothing twice that has the same id.
    _panel = secrets.token_hex(4)
    _serial = itertools.count(1)

    def __init__(
        self,
        connection: ServerConnection,
        on_events: Callable[[list[Event]], None],
        on_unpair: Callable[[], object] | None = None,
        on_asked: Callable[[Link, protocol.DevToolsCommand | protocol.Cancel | protocol.PauseAgents], object]
        | None = None,
        offers: Offers | None = None,
        on_late: Callable[[Response], object] | None = None,
        on_picture: Callable[[LivePicture], object] | None = None,
        on_given_up: Callable[[str], object] | None = None,
    ) -> None:
        self._connection = connection
        self._on_events = on_events
        self._on_unpair = on_unpair
        self._on_asked = on_asked
        self._offers = offers
        self._on_late = on_late
        self._on_picture = on_picture
        self._on_given_up = on_given_up
        self._reading: set[asyncio.Task[None]] = set()
        #: Who the far end was told drives its tab.
        self.driver = ""
        #: What the far end is asked for when it is registered, as `protocol.Registered` has it.
        self.open: list[str] = []
        #: The ids of the commands that were not answered when it broke.
        self.lost: list[str] = []
        self._waiting: dict[str, asyncio.Future[Response]] = {}
        self._asked_by_id: set[str] = set()
        self._pings: list[asyncio.Future[None]] = []
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._over = False
        self._is_gone = False
        self._heard_at = time.monotonic()

    @property
    def ends(self) -> Ends:
        """Between which addresses and ports it goes, the far end's first."""
        return self._connection.remote_address[:2], self._connection.local_address[:2]

    async def serve(self) -> None:
        """Carry frames both ways until the connection closes; what then waits ends as `OUTCOME_UNKNOWN`, or as
        `TAB_DISCONNECTED` when the extension said before that the tab is gone."""
        sender = tasks.spawn(self._send_all(), "link sender")
        pinger = tasks.spawn(self._ping(), "link ping")
        try:
            async for frame in self._connection:
                self._heard_at = time.monotonic()
                self._receive(protocol.decode(frame))
        except ConnectionClosed:
            pass  # the same as the loop's end: what waits is settled below
        finally:
            self._over = True
            for reading in tuple(self._reading):
                await tasks.end(reading)
            await tasks.end(sender)
            await tasks.end(pinger)
            self._settle_all()

    async def run(
        self,
        command: str,
        params: Params,
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
        frame_id: str = "",
        *,
        quiet: bool = False,
    ) -> Response:
        """Send a command and wait for its response; when the caller gives up it is cancelled over there.

        One with a `frame_id` is `lost` when the connection breaks under it; `quiet` as `CommandFrame` has it.

        Raises:
            KaptureError: `NOT_SENT` when the connection is over, `OUTCOME_UNKNOWN` when it broke meanwhile.
        """
        return await self._ask(
            lambda frame_id: protocol.CommandFrame(
                id=frame_id,
                command=command,
                params=params,
                timeout=timeout_ms,
                dialogs=dialogs,
                grant=grant,
                quiet=quiet,
            ),
            frame_id,
        )

    async def pick(self) -> Picked:
        """Let the person choose an element in the tab; when the caller gives up that ends.

        Raises:
            KaptureError: as `run`, or there is no choosing in this tab.
        """
        return _result(await self._ask(lambda frame_id: protocol.Pick(id=frame_id)), Picked)

    async def check(self) -> Checked:
        """Try the tab's debugger and page.

        Raises:
            KaptureError: as `run`.
        """
        return _result(await self._ask(lambda frame_id: protocol.Check(id=frame_id)), Checked)

    async def step_out(self) -> None:
        """The person gives the tab back: wait until it has told all that they did.

        Raises:
            KaptureError: as `run`.
        """
        await self._ask(lambda frame_id: StepOut(id=frame_id))

    async def point_at(self, x: float, y: float) -> PlacePointedAt:
        """What lies at a point of the viewport, and how that looks now.

        Raises:
            KaptureError: as `run`.
        """
        return _result(await self._ask(lambda frame_id: PointAt(id=frame_id, x=x, y=y)), PlacePointedAt)

    async def ping(self) -> None:
        """Wait for the worker's answer to a ping.

        Raises:
            KaptureError: as `run`.
        """
        if self._over or self._connection.close_code is not None:
            raise KaptureError("NOT_SENT", "the connection is closed")
        ponged: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pings.append(ponged)
        self.post(protocol.Ping())
        try:
            await ponged
        finally:
            if ponged in self._pings:
                self._pings.remove(ponged)

    async def _ask(self, frame: Callable[[str], protocol.FromPanel], given_id: str = "") -> Response:
        if self._over or self._connection.close_code is not None:
            raise KaptureError("NOT_SENT", "the tab's connection is closed", "nothing was done")
        frame_id = given_id or f"c{self._panel}-{next(self._serial)}"
        waiting: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._waiting[frame_id] = waiting
        # Queued without awaiting: commands reach the extension in the order they were given.
        self.post(frame(frame_id))
        if given_id:
            self._asked_by_id.add(given_id)
        try:
            return await waiting
        except asyncio.CancelledError:
            # What nobody waits for any more must not go on over there.
            self.post(protocol.Cancel(id=frame_id))
            self._give_up(frame_id)
            if waiting.done() and not waiting.cancelled() and waiting.exception() is None:  # it came in this turn
                self._tell_late(waiting.result())
            raise
        finally:
            self._waiting.pop(frame_id, None)
            self._asked_by_id.discard(frame_id)

    def post(self, message: protocol.FromPanel) -> None:
        """Send a message after those already waiting."""
        self._outbox.put_nowait(protocol.encode(message))

    def post_first(self, message: protocol.FromPanel) -> None:
        """Send a message before those already waiting, as long as nothing was sent."""
        waiting = [self._outbox.get_nowait() for _ in range(self._outbox.qsize())]
        self.post(message)
        for frame in waiting:
            self._outbox.put_nowait(frame)

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()

    def replace(self) -> None:
        """The far end has connected again, or the panel ends: whoever waits here waits in vain."""
        self._over = True
        self._settle_all()
        tasks.spawn(self.close(), "close a link that was replaced")

    async def dismiss(self) -> None:
        """Say that the browser is not paired any more, and close; what waits is not sent."""
        try:
            await self._connection.send(protocol.encode(protocol.Unpaired()))
        except ConnectionClosed:
            return
        await self.close()

    async def _send_all(self) -> None:
        # One sender for all: two that await the socket at once could change the order.
        while True:
            try:
                await self._connection.send(await self._outbox.get())
            except ConnectionClosed:
                return

    async def _ping(self) -> None:
        """Keep the worker alive; an extension that says nothing for several pings is gone."""
        while True:
            await asyncio.sleep(protocol.PING_INTERVAL_S)
            if time.monotonic() - self._heard_at > SILENT_S:
                await self.close()
                return
            self.post(protocol.Ping())

    def _receive(self, message: protocol.FromExtension) -> None:
        match message:
            case Response():
                waiting = self._waiting.get(message.id)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                else:  # its caller has given up, or lost it with an earlier link
                    if waiting is not None and waiting.cancelled():  # in this turn
                        self._give_up(message.id)
                    self._tell_late(message)
            case protocol.Event():
                self._is_gone = self._is_gone or any(isinstance(event, Closed) for event in message.events)
                self._on_events(message.events)
            case protocol.Ping():
                self.post(protocol.Pong())
            case protocol.Pong():
                for ponged in self._pings:
                    if not ponged.done():
                        ponged.set_result(None)
            case LivePicture() if self._on_picture is not None:
                self._on_picture(message)
            case protocol.ReadFile() if self._offers is not None:
                reading = tasks.spawn(self._read(self._offers, message), "read a piece")
                self._reading.add(reading)
                reading.add_done_callback(self._reading.discard)
            case protocol.Unpair() if self._on_unpair is not None:
                self._on_unpair()
            case protocol.DevToolsCommand() | protocol.Cancel() | protocol.PauseAgents() if self._on_asked is not None:
                self._on_asked(self, message)
            case _:
                raise KaptureError("INVALID_PARAMS", f"unexpected {type(message).__name__} after registration")

    async def _read(self, offers: Offers, asked: protocol.ReadFile) -> None:
        try:
            data = await offers.read(asked.token, asked.start, asked.size)
        except KaptureError as error:
            failure = Failure(code=error.code, message=error.what, nextStep=error.next_step)
            self.post(protocol.FilePiece(id=asked.id, error=failure))
        else:
            self.post(protocol.FilePiece(id=asked.id, data=base64.b64encode(data).decode()))

    def _give_up(self, frame_id: str) -> None:
        if frame_id in self._asked_by_id and self._on_given_up is not None:
            self._asked_by_id.remove(frame_id)  # told once
            self._on_given_up(frame_id)

    def _tell_late(self, response: Response) -> None:
        if self._on_late is not None:
            self._on_late(response)

    def _broken(self) -> KaptureError:
        if self._is_gone:
            return KaptureError("TAB_DISCONNECTED", "the tab was closed or disconnected before the command reached it")
        return KaptureError(
            "OUTCOME_UNKNOWN",
            "the tab's connection broke while the command ran",
            "look at the page before trying again: the next answer about this tab also tells what is known of it",
        )

    def _settle_all(self) -> None:
        for ponged in self._pings:
            if not ponged.done():
                ponged.set_exception(KaptureError("OUTCOME_UNKNOWN", "the connection broke"))
        for frame_id, waiting in self._waiting.items():
            if waiting.done():
                continue
            waiting.set_exception(self._broken())
            # A tab that is gone does not come back to tell.
            if frame_id in self._asked_by_id and not self._is_gone:
                self.lost.append(frame_id)


def _result(response: Response, kind: type[Kind]) -> Kind:
    """What a response says.

    Raises:
        KaptureError: it is a failure, or says something else.
    """
    if not response.success:
        raise response.failure
    try:
        return msgspec.convert(response.result, kind)
    except msgspec.ValidationError as error:
        raise KaptureError("INTERNAL", f"the extension answered no {kind.__name__}: {error}") from None
