"""Gets the yes of policy and person for one command: before it is sent, and whenever the extension asks back."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.call import Call
from kapture_panel.core.gates.approvals import Approvals, Ask, Scene
from kapture_panel.core.gates.close_look import CloseLook, Seen
from kapture_panel.core.gates.policy import Case, Decision, Policy
from kapture_panel.core.registry.executor import Executor
from kapture_panel.core.wire.errors import NEEDS_APPROVAL, Failure
from kapture_panel.core.wire.protocol import Response

#: A page that is somewhere else whenever the extension comes to act is given up.
MAX_DECISIONS = 8
#: What `Executor` answers instead of sending, and what is said of a tab that is another's by then.
NEVER_SENT = {"NOT_SENT", "TAB_DISCONNECTED", "PAUSED", "TAB_LEASED"}


class Consent:
    """Gets the yes that a command needs.

    Args:
        policy: tells the one that holds now.
        approvals: where the person is asked.
        executor: shows the person what it is about.
    """

    def __init__(self, policy: Callable[[], Policy], approvals: Approvals, executor: Executor) -> None:
        self._policy = policy
        self._approvals = approvals
        self._close_look = CloseLook(executor)
        #: The calls that ended before the person had decided, by their question.
        self._unanswered: dict[Ask, list[Call]] = {}
        #: (call, ask): what the person decided after the call had ended.
        self.decided_late: Signal[Call, Ask] = Signal()
        approvals.settled.connect(self._on_settled)

    def admit(self, call: Call) -> None:
        """Raise `DENIED` for what the policy blocks."""
        decision = self._policy().decide(Case.of(call))
        if decision.verdict == "block":
            raise KaptureError("DENIED", decision.reason, decision.way_out)

    async def get(self, call: Call) -> None:
        """Return once the person has allowed what the policy asks about, with the grant in `call`.

        Raises:
            KaptureError: as `Approvals.ask` says.
        """
        case = Case.of(call)
        decision = self._policy().decide(case)
        if decision.verdict == "ask":
            _demand_file(case)
            await self._ask(call, case, decision)
        call.grant = self._policy().grant(case)  # which the person may have changed while they were asked

    async def send(self, call: Call, sending: Callable[[], Awaitable[Response]]) -> Response:
        """Send a command, and as often as the extension finds another document or a secret field than was decided
        about, decide again and send it again. It has done nothing as long as it asks back.

        Raises:
            KaptureError: `DENIED` and what else asking a person comes to.
        """
        for _ in range(MAX_DECISIONS):
            call.is_sent = True  # before it is: what is cut off in between may have been done
            try:
                response = await sending()
            except KaptureError as error:
                call.is_sent = error.code not in NEVER_SENT
                raise
            needed = response.error
            if needed is None or needed.code != NEEDS_APPROVAL:
                return response
            call.is_sent = False
            # What the extension saw counts, not where the panel last knew the tab: the page may have moved on.
            found = replace(Case.of(call), origin=needed.origin, secret=needed.fieldKind)
            decision = self._policy().decide(found)
            if decision.verdict == "block":
                raise KaptureError("DENIED", decision.reason, decision.way_out)
            if decision.verdict == "ask":
                await self._ask(call, found, decision, needed)
            call.grant = call.grant.and_for(found.origin, secret=bool(found.secret))
        raise KaptureError(
            "DENIED",
            f"each time {call.command.short_name} was allowed, the page had already changed",
            "wait until it stays the same, then try again",
        )

    async def _ask(self, call: Call, case: Case, decision: Decision, needed: Failure | None = None) -> None:
        """Ask the person; `needed` is what the extension told of what it would touch."""
        tab = call.tab
        # As it is now: what is decided about is not where the page goes while it is looked at.
        shown = [f"{tab.title} – {tab.url}"] if tab is not None else []
        pages = (*([tab.url] if tab is not None else []), *([needed.url] if needed is not None else []))
        if needed is not None and (tab is None or needed.url != tab.url):
            shown.append(f"{needed.title} – {needed.url}" if needed.title else needed.url)
        # With more patience it is the same question still.
        params = {name: value for name, value in case.params.items() if name != "timeout"}
        scene = Scene(tab, pages, case.is_managed)
        seen = Seen()
        asked = self._approvals.known(case.client, case.command, params, decision.site, decision.permission, tab)
        if asked is not None:
            seen = Seen(asked.scene.element, asked.picture, asked.scene.is_plain_field)
        elif tab is not None and self._approvals.is_attended:
            with self._approvals.making(case.command, scene):
                seen = await self._close_look.at(tab, case.params, needed.box if needed is not None else None)
        asked_at = time.perf_counter()
        try:
            await self._approvals.ask(
                case.client,
                case.command,
                params,
                site=decision.site,
                where="\n".join(shown),
                timeout_s=call.timeout_ms / 1000,
                why=decision.reason,
                permission=decision.permission,
                scopes=decision.scopes,
                picture=seen.picture,
                scene=replace(scene, element=seen.element, is_plain_field=seen.is_plain_field and not case.secret),
                way_out=decision.way_out,
                code=decision.code,
            )
        except KaptureError as error:
            if error.code == "APPROVAL_PENDING":
                asked = self._approvals.known(
                    case.client, case.command, params, decision.site, decision.permission, tab
                )
                if asked is not None:
                    self._unanswered.setdefault(asked, []).append(call)
            raise
        finally:
            call.waited_ms += (time.perf_counter() - asked_at) * 1000

    def _on_settled(self, ask: Ask) -> None:
        for call in self._unanswered.pop(ask, []):
            self.decided_late.emit(call, ask)


def _demand_file(case: Case) -> None:
    """Nobody is asked about a picture that is not there: what is not a whole path the command refuses itself."""
    path = case.params["path"] if case.klass == "file" and "path" in case.params else ""
    if os.path.isabs(path) and not os.path.lexists(path):  # noqa: PTH117 – as text, which may be no path at all
        raise KaptureError("FILE_NOT_FOUND", f"there is no file {path}")
