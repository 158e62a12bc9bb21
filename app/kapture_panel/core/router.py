"""The one way of every command: validate, policy, history row, executor, settled row, answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from kapture_panel.core import summary
from kapture_panel.core.answer import Answer, Picture
from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.catalogue.redaction import Keeper
from kapture_panel.core.gates.approvals import Approvals
from kapture_panel.core.gates.consent import Consent
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.gates.pause import Pause, UnderWay
from kapture_panel.core.gates.policy import Case, Decision, Policy
from kapture_panel.core.gates.rates import Rates
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.executor import Executor
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.meanwhile import Meanwhile
from kapture_panel.core.stores.recorder import Recorder
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire.protocol import Grant, Response

#: The extension enforces a command's timeout; the panel gives up this much later, should it not answer at all.
GRACE_S = 2.0
#: A client may have this many commands under way; the next one answers BUSY.
MAX_RUNNING = 64

PanelCommand = Callable[[Client, dict[str, Any]], Awaitable[Any]]
Send = Callable[[dict[str, Any]], Awaitable[Response]]
#: Stands around the sending of a command: gets the tab, the parameters and the way to send.
Wrapper = Callable[[Tab, dict[str, Any], Send], Awaitable[Response]]


class Router:
    """Takes every command of every client the same way."""

    def __init__(
        self,
        catalogue: Catalogue,
        policy: Policy,
        tabs: Tabs,
        clients: Clients,
        history: History,
        shots: Shots,
        executor: Executor,
        panel_commands: Mapping[str, PanelCommand],
        wrappers: Mapping[str, Wrapper] | None = None,
        approvals: Approvals | None = None,
        recorder: Recorder | None = None,
        keeper: Keeper | None = None,
        pause: Pause | None = None,
    ) -> None:
        self.catalogue = catalogue
        self._keeper = keeper or Keeper(catalogue)
        self.policy = policy
        self.approvals = Approvals() if approvals is None else approvals
        clients.removed.connect(self.approvals.withdraw)
        self.approvals.settled.connect(lambda ask: self.policy.remember(ask))
        self._consent = Consent(lambda: self.policy, self.approvals, executor)
        self.answered: Signal[Client, Answer] = Signal()
        self._tabs = tabs
        self._clients = clients
        self._history = history
        self.shots = shots
        self._executor = executor
        self._panel_commands = panel_commands
        self._wrappers = wrappers or {}
        self._recorder = recorder
        self.pause = Pause() if pause is None else pause
        self.leases = Leases(clients, tabs)
        self._meanwhile = Meanwhile(tabs, clients)
        self.leases.handed_over.connect(self._meanwhile.handed_over)
        self.pause.changed.connect(self._on_pause)
        self._rates = Rates(lambda: self.policy.rules.rate)

    async def run(self, client: Client, name: str, params: dict[str, Any], *, follow: bool = True) -> Answer:
        """Run one command for `client`.

        Args:
            follow: the tab it runs in becomes the client's current one.

        Raises:
            KaptureError: whatever went wrong, with its code.
            asyncio.CancelledError: the caller gave up; the command was cancelled in the tab too.
        """
        started = time.perf_counter()
        self.pause.admit(client)
        self._rates.take(client)
        command = self.catalogue.get(name)
        full = command.validate(params)
        if client.running >= MAX_RUNNING:
            raise KaptureError(
                "BUSY", f"{MAX_RUNNING} commands of this client are under way; wait for one of them to answer"
            )
        tab = self._tab_for(client, command, full)
        case = self._case(client, command, full, tab)
        decision = self.policy.decide(case)
        if decision.verdict == "block":
            raise KaptureError("DENIED", decision.reason)
        if tab is not None and case.klass != "read":
            self.leases.check(client, tab.tab_id)
        row = self._begin(client, command, params, tab)
        client.calls += 1
        client.running += 1
        self._clients.changed.emit(client)
        try:
            async with self.pause.cutting(client, command) as under_way:
                answer = await self._execute(case, decision, full, tab, row, follow, under_way)
        except KaptureError as error:
            client.errors += 1
            said = self._keeper.message(command, params, error.message)
            self._settle(row, started, "error", code=error.code, summary=said)
            raise
        except asyncio.CancelledError:
            self._settle(row, started, "cancelled", summary="cancelled by its caller")
            raise
        except Exception as error:
            client.errors += 1
            self._settle(row, started, "error", code="INTERNAL", summary=str(error))
            raise
        else:
            answer.ms = (time.perf_counter() - started) * 1000
            answer.row_id = row.id
            row.effects = self._keeper.effects(command, params, answer.effects or {})
            row.shot = answer.shot.path.name if answer.shot else ""
            self._settle(row, started, "ok", summary=self._keeper.message(command, params, summary.of(answer)))
            self.answered.emit(client, answer)
            return answer
        finally:
            client.running -= 1
            self._clients.changed.emit(client)

    def _on_pause(self) -> None:
        if not self.pause.is_on:
            self._meanwhile.resumed()

    def url_of(self, tab_id: str) -> str:
        """Where a tab is now; empty when it is gone."""
        tab = self._tabs.find(tab_id)
        return tab.url if tab else ""

    def newest_tab(self, client: Client) -> str:
        """The tabId of the tab `client` may use that was connected last, before it one nobody else holds; or empty."""

        def rank(tab: Tab) -> tuple[bool, float]:
            return self.leases.holder(tab.tab_id) in (None, client), tab.connected_at

        newest = max(self._tabs.seen_by(client), key=rank, default=None)
        return newest.tab_id if newest else ""

    def _tab_for(self, client: Client, command: Command, params: dict[str, Any]) -> Tab | None:
        """The tab the command means: named, else the client's current one, else the only one."""
        if command.scope != "tab":
            return None
        seen = self._tabs.seen_by(client)
        if "tabId" in params:
            return seen.get(params["tabId"])
        if client.current_tab:
            current = seen.find(client.current_tab)
            if current is not None:
                return current
            gone, client.current_tab = client.current_tab, ""
            if len(seen) != 0 or not command.opens_browser:
                next_step = "the next call starts a new browser" if client.session and not seen else seen.listing()
                raise KaptureError(
                    "TAB_DISCONNECTED", f"the tab {gone!r} you used last is closed or disconnected; {next_step}"
                )
        if len(seen) == 1:
            return next(iter(seen))
        if len(seen) == 0 and (command.opens_browser or client.session):
            return None
        raise KaptureError("TAB_NOT_FOUND", f"name a tabId: {seen.listing()}")

    def _case(self, client: Client, command: Command, params: dict[str, Any], tab: Tab | None) -> Case:
        """What the policy is asked about: the page it is done to, or from which a tab is opened."""
        if command.scope == "browser":
            is_managed = self._executor.is_managed(client.session, command.name)
            there = [one for one in self._tabs.seen_by(client) if one.managed == is_managed]
            current = next((one for one in there if one.tab_id == client.current_tab), None)
            if current is None and len(there) == 1:
                current = there[0]
            page = addresses.origin_of(current.url) if current is not None else ""
            return Case(client, command, dict(params), page, is_managed)
        if tab is None:
            return Case(client, command, dict(params))
        page = addresses.origin_of(tab.url)
        return Case(client, command, dict(params), page, tab.managed, tab.tab_id)

    def _begin(self, client: Client, command: Command, params: dict[str, Any], tab: Tab | None) -> Row:
        row = Row(
            id=0,
            at=time.time(),
            client=client.name,
            kind=client.kind,
            tab_id=tab.tab_id if tab else "",
            site=tab.site if tab else "",
            url=redaction.url(tab.url) if tab else "",
            command=command.short_name,
            params=self._keeper.params(command, params),
        )
        return self._history.begin(row, durable=command.klass != "read")

    async def _execute(
        self,
        case: Case,
        decision: Decision,
        params: dict[str, Any],
        tab: Tab | None,
        row: Row,
        follow: bool,
        under_way: UnderWay,
    ) -> Answer:
        client, command = case.client, case.command
        if decision.verdict == "ask":
            await self._consent.ask(case, decision, tab)
        grant = self.policy.grant(case)
        if command.scope == "panel":
            result = await self._in_panel(client, command, params)
            if isinstance(result, Picture):
                return Answer(command, result.result, image=result.data)
            return Answer(command, result)
        timeout_ms: int = params.pop("timeout")
        if tab is None and not self._is_about_open_tabs(client, command):
            first = await self._ensure_browser(client)
            tab = first if command.scope == "tab" else None
        if tab is None:
            response = await self._in_browser(case, grant, params, timeout_ms, under_way)
            row.tab_id = str(response.result.get("tabId", "")) if isinstance(response.result, dict) else ""
        else:
            params.pop("tabId", None)
            row.tab_id = tab.tab_id
            response = await self._drive(case, grant, tab, params, row, timeout_ms, under_way)
        tab_id = row.tab_id
        self._own_new_tabs(client, tab_id, response)
        told = response.targets
        row.params = self._keeper.answered(command, row.params, params, told, success=response.success)
        row.targets = redaction.json_value(redaction.elements(told))
        if not response.success:
            late = {"lateEffects": redaction.addresses(response.lateEffects)} if response.lateEffects else {}
            answered = {"dialogs": response.dialogs} if response.dialogs else {}
            failure = KaptureError.from_wire({**(response.error or {}), **late, **answered})
            failure.page = tab.url if tab else ""
            raise failure
        if command.scope == "browser" and command.klass == "navigate":
            client.opened.add(tab_id)
            self._hold(client, tab_id)
        if command.asks:  # the person gave it to this one, whoever had it before
            self._hold(client, tab_id)
        if tab_id and follow:
            client.current_tab = tab_id
        answer = Answer.of(command, response, tab_id)
        if answer.image is not None:
            self._keep_picture(answer, params["name"], tab.session if tab else client.session)
        return answer

    async def _drive(
        self, case: Case, grant: Grant, tab: Tab, params: dict[str, Any], row: Row, timeout_ms: int, under_way: UnderWay
    ) -> Response:
        """Send to the tab, which is the client's as long as it is done, and tell what the person did there before."""
        client, command = case.client, case.command
        if self._recorder is not None:
            row.before = await self._recorder.before(tab, command)
        is_taken = self.leases.use(client, tab.tab_id, acts=case.klass != "read")
        news = self._meanwhile.news(client, tab)
        self._tabs.begin(tab, client.name)
        try:
            response = await self._in_tab(case, grant, tab, params, timeout_ms, under_way)
        except BaseException:
            if is_taken and not under_way.is_sent:
                self.leases.release(tab.tab_id)
            raise
        finally:
            self._tabs.end(tab)
        self._tabs.update(tab, last_ms=response.ms)
        if news is not None:
            response = response.with_late(person=news)
        if client.kind != "person":
            self._meanwhile.answered(client, tab)
        elif case.klass != "read":
            self._meanwhile.note(row)
        return response

    def _own_new_tabs(self, client: Client, tab_id: str, response: Response) -> None:
        """What a client's commands opened is shown as its own."""
        opened = [new.get("tabId", "") for new in (response.effects or {}).get("newTabs", ())]
        client.opened.update(opened)
        for new in opened:
            self._hold(client, new)
        for new in [*opened, tab_id]:
            tab = self._tabs.find(new)
            if tab is not None and not tab.driver:
                self._tabs.update(tab, driver=client.name)

    def _hold(self, client: Client, tab_id: str) -> None:
        if client.kind != "person" and tab_id:
            self.leases.give(client, tab_id)

    async def _in_panel(self, client: Client, command: Command, params: dict[str, Any]) -> Any:
        timeout_ms: int = params["timeout"]
        # One made of steps keeps the time itself: its error says how far it came.
        grace_s = GRACE_S if "steps" in command.properties else 0.0
        try:
            async with asyncio.timeout(timeout_ms / 1000 + grace_s):
                return await self._panel_commands[command.name](client, params)
        except TimeoutError:
            raise _timed_out(command, timeout_ms, "try a longer timeout") from None

    async def _in_tab(
        self, case: Case, grant: Grant, tab: Tab, params: dict[str, Any], timeout_ms: int, under_way: UnderWay
    ) -> Response:
        command, dialogs = case.command, case.client.dialogs

        async def send_within(given: dict[str, Any], left_ms: int) -> Response:
            def sending(granted: Grant) -> Awaitable[Response]:
                sent = self._executor.run_in_tab(tab, command.name, given, left_ms, dialogs, granted)
                return self._within(sent, left_ms, command)

            return await self._consent.send(case, grant, tab, sending, under_way)

        wrapper = self._wrappers.get(command.name)
        if wrapper is None:
            return await send_within(params, timeout_ms)
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + timeout_ms / 1000
        limit = asyncio.timeout_at(ends_at)

        async def send(given: dict[str, Any]) -> Response:
            # From here on the extension keeps the time and tells when the tab goes.
            limit.reschedule(None)
            return await send_within(given, max(1, round((ends_at - loop.time()) * 1000)))

        def on_removed(removed: Tab) -> None:
            if removed.tab_id == tab.tab_id and limit.when() is not None:
                limit.reschedule(loop.time())

        try:
            async with limit:
                self._tabs.removed.connect(on_removed)
                try:
                    return await wrapper(tab, params, send)
                finally:
                    self._tabs.removed.disconnect(on_removed)
        except TimeoutError:
            if not limit.expired():
                raise
            if self._tabs.find(tab.tab_id) is None:
                raise KaptureError(
                    "TAB_DISCONNECTED", f"the tab {tab.tab_id} was closed or disconnected; nothing was done"
                ) from None
            raise _timed_out(command, timeout_ms, "nothing was done: try a longer timeout") from None

    async def _in_browser(
        self, case: Case, grant: Grant, params: dict[str, Any], timeout_ms: int, under_way: UnderWay
    ) -> Response:
        client, command = case.client, case.command

        def sending(granted: Grant) -> Awaitable[Response]:
            sent = self._executor.run_in_browser(
                client.session, command.name, params, timeout_ms, client.dialogs, granted
            )
            return self._within(sent, timeout_ms, command)

        return await self._consent.send(case, grant, None, sending, under_way)

    @staticmethod
    def _is_about_open_tabs(client: Client, command: Command) -> bool:
        """Whether it asks for what the browsers have open already: then none is started for it."""
        return command.asks or (command.scope == "browser" and command.klass == "read" and not client.session)

    async def _ensure_browser(self, client: Client) -> Tab | None:
        if any(tab.session == client.session for tab in self._tabs):
            return None
        return await self._executor.open_browser(client.session)

    async def _within(self, work: Awaitable[Response], timeout_ms: int, command: Command) -> Response:
        try:
            async with asyncio.timeout(timeout_ms / 1000 + GRACE_S):
                return await work
        except TimeoutError:
            raise _timed_out(
                command, timeout_ms, "the tab may be busy: try a longer timeout or reload the tab"
            ) from None

    def _keep_picture(self, answer: Answer, name: str, session: str) -> None:
        picture = answer.result
        answer.shot = self.shots.add(
            answer.image or b"",
            name=name,
            tab_id=answer.tab_id,
            format=picture["format"],
            width=picture["width"],
            height=picture["height"],
            scale=picture["scale"],
            x=picture["x"],
            y=picture["y"],
            session=session,
            scroll_x=picture.pop("scrollX", 0.0),
            scroll_y=picture.pop("scrollY", 0.0),
            view_width=picture.pop("viewWidth", 0.0),
            view_height=picture.pop("viewHeight", 0.0),
        )
        picture["path"] = str(answer.shot.path)

    def _settle(self, row: Row, started: float, state: str, *, code: str = "", summary: str = "") -> None:
        row.state = "unknown" if code == "OUTCOME_UNKNOWN" else state
        row.code = code
        row.summary = redaction.text(summary)
        row.ms = (time.perf_counter() - started) * 1000
        self._history.settle(row)
        if self._recorder is not None and state in ("ok", "error"):
            self._recorder.after(row, self.catalogue.get(row.command))


def _timed_out(command: Command, timeout_ms: int, advice: str) -> KaptureError:
    said = f"{command.short_name} did not answer within {timeout_ms} ms; {advice}"
    return KaptureError("COMMAND_TIMEOUT", said)
