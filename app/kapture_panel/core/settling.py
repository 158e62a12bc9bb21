"""What became of commands whose answers were lost: the extension says it later, and rows and clients are updated."""

from __future__ import annotations

from kapture_panel.core.call import Call
from kapture_panel.core.records import Records
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.meanwhile import Meanwhile
from kapture_panel.core.wire.protocol import Response

#: Calls are remembered with what they were given, which no row has; of older ones only their rows are known.
MAX_CALLS = 1024


class Settling:
    """Settles rows whose outcome is unknown.

    Args:
        history: where the rows are.
        records: writes what became of one.
        meanwhile: tells whoever gave the command.
    """

    def __init__(self, history: History, records: Records, meanwhile: Meanwhile) -> None:
        self._history = history
        self._records = records
        self._meanwhile = meanwhile
        self._calls: dict[str, Call] = {}
        #: By the id of its row, what the extension said before the caller of the command was told that the link had
        #: broken, or that it was given up: either may be first.
        self._early: dict[int, Response] = {}
        self._is_ending = False

    def end(self) -> None:
        """The panel ends: what becomes of a command is left to the next one, which can tell who gave it."""
        self._is_ending = True
        self._records.end()

    def lost(self, call: Call) -> None:
        """A call ended, and nobody knows what became of it, unless the extension has said it already."""
        frame, early = call.row.frame, self._early.pop(call.row.id, None)
        if call.row.state != "unknown" or not frame:
            return
        if early is not None:
            self._settle(call, early)
            return
        self._calls[frame] = call
        if len(self._calls) > MAX_CALLS:  # the oldest goes: a dict keeps the order
            del self._calls[next(iter(self._calls))]

    def take(self, response: Response) -> None:
        """The extension says what became of a command whose answer was lost."""
        if self._is_ending:
            return
        call = self._calls.pop(response.id, None)
        if call is not None:
            self._settle(call, response)
            return
        row = self._history.with_frame(response.id)
        if row is None:  # forgotten or trimmed meanwhile
            return
        if row.state == "running":  # its caller is about to be told
            self._early[row.id] = response
            return
        # Its call is known no more, as after a restart: the client is found by its name.
        self._records.settled_row(row, response)
        self._tell(row, None)

    def _settle(self, call: Call, response: Response) -> None:
        self._records.settled(call, response)
        self._tell(call.row, call)

    def _tell(self, row: Row, call: Call | None) -> None:
        # The person sees the row itself; what they have forgotten is not told to anybody again.
        if row.state != "unknown" and row.kind != "person" and not self._history.has_forgotten(row):
            self._meanwhile.settled(row, call.client if call is not None else None)
