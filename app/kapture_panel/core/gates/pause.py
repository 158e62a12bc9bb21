"""The person's brake: while it is on, no command of an agent or a terminal runs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.call import Call

log = logging.getLogger(__name__)

_WAY_ON = "a person can resume them in the panel's window, its tray or the extension's popup"


class Pause:
    """Whether the agents are held. No command and no door leads to `hold` or `lift`: both are the person's.

    Args:
        path: a file that is there exactly while the pause is on, so that a restart and a damaged file keep it;
            None: it lasts as long as the process.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._is_on = path is not None and path.exists()
        #: What a pause cuts, and the task that carries it out.
        self._under_way: dict[Call, asyncio.Task[object] | None] = {}
        #: Emitted when it was put on or lifted.
        self.changed: Signal[()] = Signal()

    @property
    def is_on(self) -> bool:
        """Whether the agents are held."""
        return self._is_on

    def hold(self) -> None:
        """Refuse what comes from now on and cut what runs; a second call changes nothing."""
        if self._is_on:
            return
        self._is_on = True
        for call in self._under_way:
            _cut(call)
        self._keep()
        log.info("the agents are paused")
        self.changed.emit()

    def lift(self) -> None:
        """Let agents go on; a second call changes nothing."""
        if not self._is_on:
            return
        self._is_on = False
        self._keep()
        log.info("the agents are no longer paused")
        self.changed.emit()

    def admit(self, call: Call) -> None:
        """Raise `PAUSED` for a command of an agent or a terminal while the pause is on."""
        if self._is_on and call.client.kind != "person":
            raise KaptureError("PAUSED", "a person paused the agents", f"nothing was done, and {_WAY_ON}")

    @asynccontextmanager
    async def cutting(self, call: Call) -> AsyncIterator[None]:
        """Stand around the carrying out of a command, which the pause then ends.

        Raises:
            KaptureError: when it was cut: `OUTCOME_UNKNOWN` for an action that was sent, else `PAUSED`.
        """
        # One made of steps ends with the step that is cut, and says how far it came.
        if call.client.kind == "person" or call.command.composite:
            yield
            return
        limit = call.limit = asyncio.timeout(None)
        try:
            async with limit:
                self._under_way[call] = asyncio.current_task()
                try:
                    yield
                finally:
                    del self._under_way[call]
        except TimeoutError:
            if not limit.expired():  # a time-out of what runs within
                raise
            call.is_given_up = True
            name = call.command.short_name
            # A read has changed nothing, however far it came.
            if call.is_sent and call.command.klass != "read":
                raise KaptureError(
                    "OUTCOME_UNKNOWN",
                    f"a person paused the agents while {name} ran: it may have been done in part, so look at the page "
                    "before trying again",
                    _WAY_ON,
                ) from None
            # What the panel does itself is never sent, and may have begun.
            may_have_begun = call.is_sent or call.command.scope == "panel"
            how = "was cut off" if may_have_begun else "was stopped before it began"
            raise KaptureError("PAUSED", "a person paused the agents", f"{name} {how}, and {_WAY_ON}") from None

    @contextmanager
    def sparing(self) -> Iterator[list[Call]]:
        """Stand around what the current task does once its command is answered: a pause throws no answer away, and cuts
        only what the task waits for afterwards."""
        task = asyncio.current_task()
        spared = [call for call, its_task in self._under_way.items() if its_task is task]
        for call in spared:
            del self._under_way[call]
        try:
            yield spared
        finally:
            for call in spared:
                self._under_way[call] = task
                if self._is_on:
                    _cut(call)

    @contextmanager
    def before_sending(self) -> Iterator[None]:
        """Stand around what the current task waits for before its command is sent.

        Raises:
            KaptureError: `PAUSED` at the end, when the pause came meanwhile.
        """
        with self.sparing() as spared:
            yield
        if self._is_on and spared:
            raise KaptureError("PAUSED", "a person paused the agents", f"nothing was done, and {_WAY_ON}")

    def _keep(self) -> None:
        """The brake works where the disk does not."""
        if self._path is None:
            return
        try:
            if self._is_on:
                # A brake waits for no disk, and an empty file holds as well.
                private_file.write(self._path, {"since": time.time()}, is_synced=False)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            log.warning("after a restart the agents will be %s: %s", "free" if self._is_on else "paused still", error)


def _cut(call: Call) -> None:
    """A time-out, not a cancellation: a cancelled task could not answer its caller why."""
    if call.limit is not None and not call.limit.expired():  # an earlier pause may have cut it already
        call.limit.reschedule(asyncio.get_running_loop().time())
