"""The way of every command: what it means, the gates, its row, the executor, the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kapture_panel.core.answer import Answer, Picture, Steps
from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.deadlines import timed_out, within
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.records import Records, frame_in
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.executor import Executor
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.settling import Settling
from kapture_panel.core.stores import row_grades
from kapture_panel.core.stores.meanwhile import Meanwhile
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire.protocol import Response

#: The extension enforces a command's timeout; the panel gives up this much later, should it not answer at all.
GRACE_S = 2.0
#: A client may have this many commands under way; the next one answers BUSY.
MAX_RUNNING = 64

PanelCommand = Callable[[Client, Params], Awaitable[Any]]
Send = Callable[[Params], Awaitable[Response]]
#: Stands around the sending of a command: gets its call, the tab, the parameters and the way to send.
Wrapper = Callable[[Call, Tab, Params, Send], Awaitable[Response]]


@dataclass
class Handlers:
    """What the panel itself does for commands: `panel` carries out those of panel scope, by name; `wrappers` stand
    around the sending of others, by the name their entries give."""

    panel: Mapping[str, PanelCommand] = field(default_factory=dict)
    wrappers: Mapping[str, Wrapper] = field(default_factory=dict)


class Router:
    """Takes every command of every client the same way."""

    def __init__(
        self,
        catalogue: Catalogue,
        tabs: Tabs,
        clients: Clients,
        gates: Gates,
        records: Records,
        shots: Shots,
        executor: Executor,
        handlers: Handlers,
        settling: Settling,
        meanwhile: Meanwhile,
    ) -> None:
        self.catalogue = catalogue
        self.gates = gates
        self.shots = shots
        self.answered: Signal[Client, Answer] = Signal()
        self._tabs = tabs
        self._clients = clients
        self._records = records
        self._executor = executor
        self._handlers = handlers
        self._settling = settling
        gates.consent.decided_late.connect(records.decided_late)
        self._meanwhile = meanwhile
        gates.leases.handed_over.connect(self._meanwhile.handed_over)
        gates.leases.changed.connect(self._on_hold)
        gates.leases.given_back.connect(lambda tab_id: meanwhile.given_back(tab_id, gates.leases.holder(tab_id)))
        gates.pause.changed.connect(self._on_pause)

    async def run(self, client: Client, name: str, params: Params, *, follow: bool = True) -> Answer:
        """Run one command for `client`.

        Args:
            follow: the tab it runs in becomes the client's current one.

        Raises:
            KaptureError: whatever went wrong, with its code.
            asyncio.CancelledError: the caller gave up; the command was cancelled in the tab too.
        """
        return await self._go(Call(client, name, params, follow))

    async def look(self, person: Client, name: str, params: Params) -> Answer:
        """Read what a part of the window shows of a tab: it leaves no row and chooses no tab, for nothing was done,
        and what agents are to be told stays for them.

        Raises:
            KaptureError: as `run`.
            ValueError: it is not a read of the person's own.
        """
        call = Call(person, name, params, follow=False, is_kept=False)
        call.mean(self.catalogue.get(name))
        if person.kind != "person" or call.acts:
            raise ValueError(f"{name} of the {person.kind} is not a look")
        return await self._go(call)

    async def _go(self, call: Call) -> Answer:
        client = call.client
        client.calls += 1
        try:
            self._admit(call)
        except KaptureError as error:
            self._records.refused(call, error)  # the person sees what was tried, too
            client.errors += not row_grades.is_stop(error.code)
            self._clients.changed.emit(client)
            raise
        self._records.begin(call)  # before anything else: what cannot be recorded is not done
        client.running += 1
        self._clients.changed.emit(client)
        try:
            # Around everything: a pause also ends questions, wrappers and the start of a browser.
            async with self.gates.pause.cutting(call):
                answer = await self._execute(call)
        except asyncio.CancelledError:
            self._records.cancelled(call)
            self._settling.lost(call)
            raise
        except Exception as error:  # a defect, too: no row may stay open
            self._records.failed(call, error)
            client.errors += not row_grades.is_stopped(call.row)
            self._settling.lost(call)
            raise
        else:
            answer.row_id = call.row.id
            self._records.answered(call, answer)
            self.answered.emit(client, answer)
            return answer
        finally:
            client.running -= 1
            self._clients.changed.emit(client)

    def _admit(self, call: Call) -> None:
        """Find out what a call means and where, and whether it may go on."""
        self.gates.admit_client(call)  # first: whoever is paused or too fast costs no validation
        call.mean(self.catalogue.get(call.name))
        if call.client.running >= MAX_RUNNING:
            raise KaptureError(
                "BUSY", f"{MAX_RUNNING} commands of this client are under way", "wait for one of them to answer"
            )
        self._place(call)
        self.gates.admit(call)

    def _on_pause(self) -> None:
        if not self.gates.pause.is_on:
            self._meanwhile.resumed()

    def _on_hold(self, tab_id: str) -> None:
        holder = self.gates.leases.holder(tab_id)
        if holder is not None and holder.kind == "person":
            self._meanwhile.stepped_in(tab_id)

    def url_of(self, tab_id: str) -> str:
        """Where a tab is now; empty when it is gone."""
        tab = self._tabs.find(tab_id)
        return tab.url if tab else ""

    def newest_tab(self, client: Client) -> str:
        """The tabId of the tab `client` may use that was connected last, before it one nobody else holds; or empty."""

        def rank(tab: Tab) -> tuple[bool, float]:
            return self.gates.leases.holder(tab.tab_id) in (None, client), tab.connected_at

        newest = max(self._tabs.seen_by(client), key=rank, default=None)
        return newest.tab_id if newest else ""

    def _place(self, call: Call) -> None:
        """Where the command goes, and the page it is done to, or from which a tab is opened."""
        client, command = call.client, call.command
        if command.scope == "browser":
            call.is_managed = self._executor.is_managed(client.session, command.name)
            # A new tab is judged by the page its client comes from: leaving a site is what the policy asks about.
            there = [one for one in self._tabs.seen_by(client) if one.managed == call.is_managed]
            current = next((one for one in there if one.tab_id == client.current_tab), None)
            if current is None and len(there) == 1:
                current = there[0]
            call.page = addresses.origin_of(current.url) if current is not None else ""
            return
        call.tab = self._tab_for(client, command, call.params)
        if call.tab is not None:
            call.page = addresses.origin_of(call.tab.url)
            call.is_managed = call.tab.managed

    def _tab_for(self, client: Client, command: Command, params: Params) -> Tab | None:
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
            gone, client.current_tab = client.current_tab, ""  # told once: the next call finds another tab
            # Who closed the tab itself, or has none left, and now goes somewhere wants a new one and no error.
            if not command.opens_browser or (len(seen) != 0 and gone != client.closed_tab):
                next_step = "the next call starts a new browser" if client.session and not seen else seen.listing()
                raise KaptureError(
                    "TAB_DISCONNECTED", f"the tab {gone!r} you used last is closed or disconnected", next_step
                )
            return None
        if len(seen) == 1:
            only = next(iter(seen))
            if not command.opens_browser or self.gates.leases.holder(only.tab_id) in (None, client):
                return only
        # Which of several is meant nobody knows, and what is another's is not led away: a tab of its own, then.
        if command.opens_browser or (len(seen) == 0 and client.session):
            return None
        raise KaptureError("TAB_NOT_FOUND", "no tab is named", seen.listing())

    async def _execute(self, call: Call) -> Answer:
        client, command = call.client, call.command
        await self.gates.consent.get(call)
        if command.scope == "panel":
            result = await self._in_panel(call)
            if isinstance(result, Picture):
                return Answer(command, result.result, image=result.data)
            if isinstance(result, Steps):
                return Answer(command, result.text, pictures=result.pictures, sources=result.sources)
            return Answer(command, result)
        if call.tab is None and not self._is_about_open_tabs(client, command):
            call.tab = await self._ready_browser(client, command)
            if call.tab is not None and call.follow:  # made again after a question or a failure, it means this tab
                client.current_tab = call.tab.tab_id
        if call.tab is None:
            response = await self._in_browser(call)
            told = response.result if response.success else response.failure.details
            call.row.tab_id = str(told.get("tabId", "")) if isinstance(told, dict) else ""
        else:
            call.row.tab_id = call.tab.tab_id
            response = await self._drive(call, call.tab)
        tab_id = call.row.tab_id
        self._own_new_tabs(call, response)  # of a failed command, too: it may have opened some
        self._records.touched(call, response)
        if command.scope == "browser" and command.klass == "navigate" and tab_id:  # also if its page did not load
            client.opened.add(tab_id)
            self._hold(client, tab_id)
            if call.follow:
                client.current_tab = tab_id
        if not response.success:
            failure = response.failure
            if response.lateEffects is not None:
                failure.details["lateEffects"] = redaction.addresses(response.lateEffects.as_json())
            if response.dialogs:
                failure.details["dialogs"] = msgspec.to_builtins(response.dialogs)
            failure.page = call.tab.url if call.tab else ""
            raise failure
        if command.asks:  # the person gave it to this one, whoever had it before
            self._hold(client, tab_id)
        if command.closes:
            client.closed_tab = tab_id
        elif tab_id and call.follow:
            client.current_tab = tab_id
        answer = Answer.of(command, response, tab_id)
        if answer.image is not None:
            session = call.tab.session if call.tab else client.session
            answer.keep_picture(self.shots, call.params["name"], session, self._tabs.find(tab_id))
        return answer

    async def _drive(self, call: Call, tab: Tab) -> Response:
        """Send to the tab, which is the client's as long as it is done, and tell what the person did there before."""
        client, leases = call.client, self.gates.leases
        call.row.frame = call.row.frame or frame_in(tab)
        await self._records.before(call, tab)
        # Checked again: while the person was asked, another agent may have taken the tab.
        taken = leases.use(client, tab.tab_id, acts=call.acts)
        told = self._meanwhile.told(client, tab)
        self._tabs.begin(tab, client.name if call.acts else "")
        try:
            response = await self._in_tab(call, tab)
        except BaseException:
            if taken is not None and not call.is_sent:  # it has done nothing there that would make the tab its own
                leases.take_back(tab.tab_id, taken)
            raise
        finally:
            self._tabs.end(tab)
        self._tabs.update(tab, last_ms=response.ms)
        if told.news is not None:
            response = response.with_person(told.news)
        if client.kind != "person":  # who reads the history, and did the rest themselves
            if settled := self._meanwhile.outcomes(client, tab):
                response = response.with_settled(settled)
            self._meanwhile.answered(client, tab, told)
        elif call.acts:
            self._meanwhile.note(call.row)
        return response

    def _own_new_tabs(self, call: Call, response: Response) -> None:
        """What a client's commands opened is shown as its own."""
        client = call.client
        opened = [new.tabId for new in (response.effects.newTabs if response.effects is not None else ()) if new.tabId]
        client.opened.update(opened)
        for new in opened:
            self._hold(client, new)
        for new in [*opened, *([call.row.tab_id] if call.acts else [])]:
            tab = self._tabs.find(new)
            if tab is not None and not tab.driver:
                self._tabs.update(tab, driver=client.name)

    def _hold(self, client: Client, tab_id: str) -> None:
        if client.kind != "person" and tab_id:
            self.gates.leases.give(client, tab_id)

    async def _in_panel(self, call: Call) -> Any:
        # One made of steps keeps the time itself: its error says how far it came.
        grace_s = GRACE_S if call.command.composite else 0.0
        try:
            async with asyncio.timeout(call.timeout_ms / 1000 + grace_s):
                return await self._handlers.panel[call.command.name](call.client, call.looked_at)
        except TimeoutError:
            raise timed_out(call.command, call.timeout_ms, "try a longer timeout") from None

    async def _in_tab(self, call: Call, tab: Tab) -> Response:
        name, dialogs = call.command.name, call.client.dialogs

        async def send_within(given: Params, left_ms: int) -> Response:
            def sending() -> Awaitable[Response]:
                self.gates.leases.admit(call)  # each time: the person may have taken the tab, or handed it over
                sent = self._executor.run_in_tab(
                    tab, name, given, left_ms, dialogs, call.grant, call.row.frame, quiet=not call.is_kept
                )
                return within(sent, call, left_ms, GRACE_S)

            return await self.gates.consent.send(call, sending)

        wrapper = self._handlers.wrappers.get(call.command.wrapper)
        if wrapper is None:
            return await send_within(call.sent, call.timeout_ms)
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + call.timeout_ms / 1000
        limit = asyncio.timeout_at(ends_at)

        async def send(given: Params) -> Response:
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
                    return await wrapper(call, tab, call.sent, send)
                finally:
                    self._tabs.removed.disconnect(on_removed)
        except TimeoutError:
            if not limit.expired():
                raise
            if self._tabs.find(tab.tab_id) is None:
                raise KaptureError(
                    "TAB_DISCONNECTED", f"the tab {tab.tab_id} was closed or disconnected", "nothing was done"
                ) from None
            raise timed_out(call.command, call.timeout_ms, "nothing was done: try a longer timeout") from None

    async def _in_browser(self, call: Call) -> Response:
        client = call.client

        def sending() -> Awaitable[Response]:
            sent = self._executor.run_in_browser(
                client.session, call.command.name, call.sent, call.timeout_ms, client.dialogs, call.grant
            )
            return within(sent, call, call.timeout_ms, GRACE_S)

        return await self.gates.consent.send(call, sending)

    @staticmethod
    def _is_about_open_tabs(client: Client, command: Command) -> bool:
        """Whether it asks for what the browsers have open already: then none is started for it."""
        return command.asks or (command.scope == "browser" and command.klass == "read" and not client.session)

    async def _ready_browser(self, client: Client, command: Command) -> Tab | None:
        """Have a browser running; for a command about one tab, a tab of the client's own in it."""
        has_tabs = any(tab.session == client.session for tab in self._tabs)
        if command.scope != "tab":
            if not has_tabs:
                await self._executor.open_browser(client.session)
            return None
        if not has_tabs:
            return await self._executor.open_browser(client.session)
        tab = await self._executor.open_tab(client.session)
        client.opened.add(tab.tab_id)
        self._hold(client, tab.tab_id)
        return tab
