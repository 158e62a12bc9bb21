"""What is kept of a call: its row, without secrets, and the pictures around it."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

from kapture_panel.core import summary
from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError, defect
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import PREFIX
from kapture_panel.core.catalogue.redaction import Keeper
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.recorder import Recorder
from kapture_panel.core.wire import outcome
from kapture_panel.core.wire.protocol import Response

#: What a row says of an answer that came so: over another link, or over the one that stayed.
_LATE = "told after the connection came back"
_AFTERWARDS = "told afterwards"


def frame_in(tab: Tab) -> str:
    """A new id for a command in a tab: it says which memory of the extension would know it."""
    return f"{tab.memory}.{secrets.token_hex(6)}"


@dataclass
class _Refusal:
    """Calls that were refused in succession: the row that stands for all, and what it says of one."""

    row: Row
    said: str
    calls: int = 1


class Records:
    """Writes the row of each call.

    Args:
        history: where the rows are.
        keeper: decides what a row keeps.
        recorder: takes the pictures, if the person wants that.
    """

    def __init__(self, history: History, keeper: Keeper, recorder: Recorder | None = None) -> None:
        self._history = history
        self._keeper = keeper
        self._recorder = recorder
        self._is_ending = False
        #: What the last calls of a client were refused with.
        self._refused: WeakKeyDictionary[Client, _Refusal] = WeakKeyDictionary()

    def end(self) -> None:
        """From here on it is the panel's end that cuts calls off, and not their callers."""
        self._is_ending = True

    def begin(self, call: Call) -> None:
        """Write the row of a call that may go on; of an action it is on disk when this returns. A look has a row that
        is not written.

        Raises:
            KaptureError: `INTERNAL`: no record, no action.
        """
        self._refused.pop(call.client, None)
        row = _row(call, call.command.short_name, self._keeper.params(call.command, call.given))
        row.frame = frame_in(call.tab) if call.tab else ""
        call.row = self._history.begin(row, durable=_must_last(call)) if call.is_kept else row

    def refused(self, call: Call, error: KaptureError) -> None:
        """Write the row of a call that may not go on; of a client that is too fast, or held, one for all in a row."""
        if not call.is_kept:
            return
        refusal = self._refused.get(call.client)
        # An agent that does not stop would fill the history with the same line.
        if (
            refusal is not None
            and error.code == refusal.row.code
            and error.code in ("RATE_LIMITED", "PAUSED")
            and not self._history.has_forgotten(refusal.row)
        ):
            refusal.calls += 1
            refusal.row.summary = f"{refusal.calls:,} calls refused, this one first: {refusal.said}"
            self._history.settle(refusal.row)
            return
        # Who is held is refused before its parameters are checked.
        if not call.is_checked:
            with suppress(KaptureError):
                call.mean(self._keeper.catalogue.get(call.name))
        # Of what is wrong nobody knows which parameter is a secret.
        if call.is_checked:
            params = self._keeper.params(call.command, call.given)
            said = self._keeper.message(call.command, call.given, error.what)
        else:
            params, said = self._keeper.refused(call.given, error.what)
        row = _row(call, redaction.text(call.name.removeprefix(PREFIX)), params)
        row.state, row.code, row.summary, row.next_step = "error", error.code, said, error.next_step
        row.ms = error.ms = call.ms
        self._refused[call.client] = _Refusal(self._history.begin(row, durable=False), said)

    async def before(self, call: Call, tab: Tab) -> None:
        """Take the picture before it."""
        if self._recorder is not None:
            call.row.before = await self._recorder.before(tab, call.command)

    def touched(self, call: Call, response: Response) -> None:
        """Write what the extension told of the elements that were meant."""
        told = response.targets
        kept, command = call.row.params, call.command
        call.row.params = self._keeper.answered(command, kept, call.sent, told, success=response.success)
        call.row.targets = redaction.elements(told)

    def answered(self, call: Call, answer: Answer) -> None:
        """Settle the row of a call that went well; its time is the answer's, too."""
        self._saw(call, answer)
        call.row.shot = answer.shot.file if answer.shot else ""
        self._settle(call, "ok", said=self._keeper.message(call.command, call.given, summary.of(answer)))
        answer.ms = call.row.ms or 0.0

    def failed(self, call: Call, error: Exception) -> None:
        """Settle the row of one that ended with an error."""
        if isinstance(error, OSError) and (told := defect(error)).code != "INTERNAL":
            error = told
        if isinstance(error, KaptureError):
            call.row.next_step = self._keeper.message(call.command, call.given, error.next_step)
            said = self._keeper.message(call.command, call.given, error.what)
            self._settle(call, "error", code=error.code, said=said)
            error.ms = call.row.ms
        else:
            self._settle(call, "error", code="INTERNAL", said=str(error))

    def decided_late(self, call: Call, ask: Ask) -> None:
        """Say in the row of a call that ended before the person had decided what they decided then."""
        if ask.state not in ("allowed", "denied"):
            return
        is_denied = ask.state == "denied"
        reason = f": {ask.reason}" if ask.reason else ""
        said = f"a person {'refused' if is_denied else 'allowed'} it after the call had ended{reason}"
        learns = "is told that when" if is_denied else "may do it if"
        in_time = "" if is_denied else " in time, on the same page"
        call.row.next_step = f"the agent {learns} it makes the same call again{in_time}"
        code = "DENIED" if is_denied else call.row.code
        self._write(call.row, "error", code=code, said=self._keeper.message(call.command, call.given, said))

    def cancelled(self, call: Call) -> None:
        """Settle the row of one whose caller gave it up, or which the panel's end cut off."""
        if not self._is_ending:
            self._settle(call, "cancelled", said="cancelled by its caller")
        elif call.is_sent and call.command.klass != "read":
            if call.row.frame and call.tab is not None and not call.tab.managed:
                call.row.next_step = "the next panel asks the tab what became of it"
            self._settle(call, "unknown", code="OUTCOME_UNKNOWN", said="the panel ended while it ran")
        else:
            self._settle(call, "cancelled", said="the panel ended before it was done")

    def settled(self, call: Call, response: Response) -> None:
        """Settle the row of one whose answer was lost, now that it is known what became of it."""
        self.touched(call, response)
        keep = partial(self._keeper.message, call.command, call.given)
        if response.success:
            answer = Answer.of(call.command, response, call.row.tab_id)
            self._saw(call, answer)
            said = summary.of(answer) if answer.effects is not None else "done"
            self._write(call.row, "ok", said=f"{keep(said)} · {_AFTERWARDS if call.is_given_up else _LATE}")
        elif response.failure.code == "OUTCOME_UNKNOWN" and call.is_given_up:  # the row says why
            self._write(call.row, "error", code=call.row.code, said=call.row.summary)
        else:
            error = response.failure
            call.row.next_step = keep(error.next_step)
            self._write(call.row, "error", code=error.code, said=keep(error.what))

    def settled_row(self, row: Row, response: Response) -> None:
        """The same for one of an earlier panel: what was typed is known no more, so no text that may repeat it is
        kept."""
        row.next_step = ""
        if response.success:
            seen = response.effects.for_history() if response.effects is not None else {}
            row.effects = {name: value for name, value in seen.items() if isinstance(value, bool | int)}
            row.outcome = outcome.as_json(response.outcome).get("outcome", "")
            said = summary.effects(row.effects) if response.effects is not None else "done"
            self._write(row, "ok", said=f"{said} · {_LATE}")
        else:
            code = response.failure.code
            self._write(row, "error", code=code, said="nothing was done" if code == "NOT_SENT" else f"failed · {_LATE}")

    def _saw(self, call: Call, answer: Answer) -> None:
        seen = answer.effects.for_history() if answer.effects is not None else {}
        call.row.outcome = outcome.as_json(answer.outcome).get("outcome", "")
        call.row.effects = self._keeper.effects(call.command, call.given, seen)

    def _write(
        self, row: Row, state: str, *, code: str = "", said: str = "", is_open: bool = False, durable: bool = True
    ) -> None:
        row.state = "unknown" if code == "OUTCOME_UNKNOWN" else state
        row.code = code
        row.summary = redaction.text(said)
        if not is_open:  # nobody is asked any more
            row.frame = ""
        self._history.settle(row, durable=durable)

    def _settle(self, call: Call, state: str, *, code: str = "", said: str = "") -> None:
        row = call.row
        row.ms, row.waited_ms = call.ms, round(call.waited_ms)
        if not call.is_kept:
            return
        is_open = code == "OUTCOME_UNKNOWN"
        self._write(row, state, code=code, said=said, is_open=is_open, durable=_must_last(call))
        if self._recorder is not None and state in ("ok", "error"):
            self._recorder.after(row, call.command)


def _must_last(call: Call) -> bool:
    """Whether its row, and its outcome before it is told, outlive a panel that is killed the moment after."""
    return call.command.klass != "read"


def _row(call: Call, command: str, params: Params) -> Row:
    tab = call.tab
    return Row(
        id=0,
        at=time.time(),
        client=call.client.name,
        kind=call.client.kind,
        tab_id=tab.tab_id if tab else "",
        site=tab.site if tab else "",
        url=redaction.url(tab.url) if tab else "",
        command=command,
        params=params,
        place=tab.place if tab else call.client.place,
    )
