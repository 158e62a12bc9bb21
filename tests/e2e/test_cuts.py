"""The link between extension and panel is cut: what was under way is told afterwards, and nothing happens twice."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel import paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.stores import history_file
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire import handshake
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from tests.support.cutting_proxy import CuttingProxy, Direction, Passing, cutting_proxy
from tests.support.e2e import own_browser
from tests.support.e2e.processes import Serve
from tests.support.patience import PATIENCE_S
from tests.support.ports import quiet_port

pytestmark = pytest.mark.asyncio(loop_scope="session")

PRESSES = "globalThis.presses ?? 0"
#: A button that counts its presses and says each by a request.
PAGE = """document.body.innerHTML = '<button id="count">Count</button><input id="name">';
document.querySelector("#count").onclick = (event) => {
  globalThis.presses = (globalThis.presses ?? 0) + 1;
  document.title = `${globalThis.presses} presses`;
};"""


@dataclass
class Cut:
    """A panel whose extension comes through a proxy, an agent with a tab, and eyes on the page."""

    hub: Hub
    proxy: CuttingProxy
    agent: Agent
    tab_id: str
    witness: Witness

    async def link(self) -> Passing:
        """The tab's link, once there is one."""
        return await self.proxy.link_of(self.tab_id)

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until something holds that the tabs or the history tell of."""
        changed = asyncio.Event()

        def on_change(*_told: object) -> None:
            changed.set()

        tabs, history = self.hub.state.tabs, self.hub.state.history
        signals = (tabs.added, tabs.changed, tabs.removed, history.settled)
        for each in signals:
            each.connect(on_change)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not (found := condition()):
                    changed.clear()
                    await changed.wait()
            return found
        finally:
            for each in signals:
                each.disconnect(on_change)

    async def is_back(self) -> None:
        """Wait until the tab is connected again."""
        await self.until(lambda: self.tab_id in self.hub.connections.of_tabs and self.hub.state.tabs.find(self.tab_id))

    def row(self, command: str) -> Row:
        """The newest row of a command in the tab."""
        return next(row for row in self.hub.state.history.rows(matching=f"tab:{self.tab_id}") if row.command == command)

    async def settled(self, command: str) -> Row:
        """The newest row of a command, once it is known what became of it."""
        row: Row = await self.until(lambda: (row := self.row(command)).state not in ("running", "unknown") and row)
        return row

    async def seen(self, condition: str) -> None:
        """Wait until something holds in the page."""
        async with asyncio.timeout(PATIENCE_S):
            await self.witness.see(
                f"new Promise((done) => {{ const look = () => ({condition}) ? done() : setTimeout(look, 5); look(); }})"
            )

    async def pressed(self, count: int) -> None:
        """Wait until the page has been pressed so often."""
        await self.seen(f"({PRESSES}) >= {count}")
        assert await self.witness.see(PRESSES) == count

    async def news(self) -> list[dict[str, str]]:
        """What the agent's next answer tells of commands whose answers were lost."""
        told = await self.agent.call("count_elements", selector="button")
        settled: list[dict[str, str]] = told.get("lateEffects", {}).get("settled", [])
        return settled


Opens = Callable[[], AbstractAsyncContextManager[Cut]]


async def unknown(call: Awaitable[Any]) -> None:
    with pytest.raises(ToolError, match="OUTCOME_UNKNOWN"):
        await call


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(tmp_path_factory: pytest.TempPathFactory, pages: str) -> AsyncIterator[Opens]:
    """A panel whose browser reaches it through a proxy: `async with opened() as cut` an agent with a tab of its own."""
    data = DataDir.open(str(tmp_path_factory.mktemp("cuts")))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    try:
        await hub.start()
        async with cutting_proxy(hub.port) as proxy:
            hub.connections.listener.port = proxy.port  # both sides prove the address that is dialled
            await hub.browsers.open(in_front=True)

            @asynccontextmanager
            async def open_one() -> AsyncIterator[Cut]:
                page = f"{pages}/blank.html?{secrets.token_hex(4)}"
                async with connect(data.root, "cut") as client:
                    agent = Agent(client)
                    tab = await agent.call("new_tab", url=page)
                    assert hub.browsers.shared is not None
                    witness = Witness(hub.browsers.shared.pipe, page)
                    await witness.see(PAGE)
                    yield Cut(hub, proxy, agent, tab["tabId"], witness)

            yield open_one
    finally:
        await hub.stop()
        instance.release()


async def test_a_press_whose_answer_was_lost_is_told_afterwards_and_made_once(opened: Opens) -> None:
    async with opened() as cut:
        link = await cut.link()
        link.left["to_panel"] = 0
        call = tasks.spawn(unknown(cut.agent.call("click", selector="#count")), "click")
        await cut.pressed(1)
        await link.held.wait()
        link.cut()
        await call
        row = await cut.settled("click")
        assert (row.state, row.code, row.outcome) == ("ok", "", "done")
        assert row.effects["changed"] is True
        assert "told after the connection came back" in row.summary
        (told,) = await cut.news()
        assert (told["command"], told["outcome"]) == ("click #count", "done")
        assert told["said"] == row.said
        assert await cut.news() == []
        await cut.pressed(1)


async def test_an_action_that_runs_when_the_link_breaks_comes_to_its_end_and_is_told_then(opened: Opens) -> None:
    async with opened() as cut:
        code = "new Promise((done) => { globalThis.go = () => done(globalThis.presses = 7); })"
        call = tasks.spawn(unknown(cut.agent.call("evaluate", code=code)), "evaluate")
        await cut.seen("globalThis.go")
        (await cut.link()).cut()
        await cut.witness.see("go()")
        await call
        row = await cut.settled("evaluate")
        assert (row.state, row.code) == ("ok", "")
        assert [told["command"] for told in await cut.news()] == ["evaluate"]


async def test_what_waited_or_never_arrived_was_not_done_and_is_told_so(opened: Opens) -> None:
    async with opened() as cut:
        running = "new Promise((done) => { globalThis.go = done; })"
        calls = [tasks.spawn(unknown(cut.agent.call("evaluate", code=running)), "evaluate")]
        await cut.seen("globalThis.go")
        link = await cut.link()
        waits = tasks.spawn(unknown(cut.agent.call("click", selector="#count")), "waits")
        await link.carried("kapturemcp_click")
        link.left["to_browser"] = 0
        lost = tasks.spawn(unknown(cut.agent.call("fill", selector="#name", value="a secret name")), "lost")
        await link.held.wait()
        link.cut()
        await asyncio.gather(*calls, waits, lost)
        for command in ("click", "fill"):
            row = await cut.settled(command)
            assert (row.state, row.code, row.said) == (
                "error", "NOT_SENT", "the connection broke before the command had begun; nothing was done",
            )  # fmt: skip
        await cut.witness.see("go()")
        told = await cut.news()
        assert {one["command"]: one["outcome"] for one in told if one["command"] != "evaluate"} == {
            "click #count": "NOT_SENT",
            "fill #name": "NOT_SENT",
        }
        assert "a secret name" not in json.dumps(told)
        await cut.pressed(0)


@pytest.mark.parametrize("direction", ["to_panel", "to_browser"])
async def test_cuts_at_any_byte_lose_no_action_and_double_none(opened: Opens, direction: Direction) -> None:
    async with opened() as cut:
        known, seen = 0, 0
        for byte in range(0, 1400, 100):
            await cut.is_back()
            link = await cut.link()
            link.left[direction], link.cuts_at_end = byte, True
            with suppress(ToolError):
                await cut.agent.call("click", selector="#count")
            link.cut()
            await cut.is_back()
            row = await cut.settled("click")
            assert row.state == "ok" or row.code in ("NOT_SENT", "TAB_DISCONNECTED", "TAB_NOT_FOUND"), row
            known += row.state == "ok" and row.id != seen
            seen = row.id
            pressed = await cut.witness.see(PRESSES)
            assert pressed == known, f"after a cut at byte {byte} the row says {row}"
        assert known


async def test_what_ran_when_the_panel_was_killed_is_told_by_the_next_one(tmp_path: Path, pages: str) -> None:
    data, port, key = DataDir.open(str(tmp_path / "data")), quiet_port(), handshake.new_secret()
    PairedBrowsers(data.paired).add("a-browser", key, "Chromium")
    options = ("--port", str(port), "--own-policy", "trusting")
    extension = installed_browsers.place_extension(paths.extension(), tmp_path / "extension", port)
    serve = await asyncio.to_thread(Serve, data.root, *options)
    try:
        async with own_browser.started(tmp_path / "profile", extension, f"{pages}/blank.html?mine") as browser:
            await browser.pair(json.dumps({"install": "a-browser", "key": key, "port": port, "managed": False}))
            await browser.connect("?mine")
            page = await browser.page("?mine")
            async with connect(data.root, "killed") as client:
                agent = Agent(client)
                code = "new Promise((done) => { globalThis.go = done; document.title = 'begun'; })"
                call = tasks.spawn(unknown(agent.call("evaluate", code=code)), "evaluate")
                await browser.until(page, "document.title === 'begun'")
                await asyncio.to_thread(serve.end, signal.SIGKILL)
                await browser.see(page, "go()")
                await call
                serve = await asyncio.to_thread(Serve, data.root, *options)
                async with asyncio.timeout(PATIENCE_S):
                    while not (tabs := await tabs_of(agent)):
                        pass  # each look is a call of its own
                told = await agent.call("count_elements", selector="body", tabId=tabs[0]["tabId"])
                (settled,) = told["lateEffects"]["settled"]
                assert (settled["command"], settled["outcome"]) == ("evaluate", "done")
    finally:
        await asyncio.to_thread(serve.end)
    row = next(row for row in history_file.read(data.history, limit=10_000) if row.command == "evaluate")
    assert (row.state, row.code, row.frame) == ("ok", "", "")


async def tabs_of(agent: Agent) -> list[dict[str, Any]]:
    """The connected tabs; none while the panel is away."""
    try:
        tabs: list[dict[str, Any]] = (await agent.call("list_tabs"))["tabs"]
    except ToolError as error:
        if "PANEL_DOWN" not in str(error):
            raise
        return []
    return tabs
