"""Several at work at once, and the extension's own life: its worker dies, its popup is clicked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.leaving import unless_left
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, extension_target
from tests.support.hub.fakes import Changes
from tests.support.patience import PATIENCE_MS, PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_two_agents_and_the_person_work_at_the_same_time(agent: OpenAgent, shop: str, panel: Panel) -> None:
    router, person = panel.hub.core.router, panel.hub.state.person
    async with agent(f"{shop}/lab?one", "one") as one, agent(f"{shop}/lab?two", "two") as two:
        mine = await router.run(person, "new_tab", {"url": f"{shop}/lab?three"})
        steps: list[Any] = []
        for _ in range(10):
            steps += [
                one.call("click", selector="#counter-button"),
                two.call("click", selector="#counter-button"),
                router.run(person, "click", {"selector": "#counter-button", "tabId": mine.tab_id}),
            ]
        await asyncio.gather(*steps)
        count = "Number(document.querySelector('#counter-output').textContent)"
        for page in ("?one", "?two", "?three"):
            assert await panel.witness(shop).see(count, page) == 10
        assert {"one", "two"} <= {client.name for client in panel.hub.state.clients.agents()}
        await router.run(person, "close_tab", {"tabId": mine.tab_id})


async def test_a_long_wait_in_one_tab_does_not_hold_up_another(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html?a") as one, agent(f"{pages}/blank.html?b") as two:
        tab = await current_tab(one)
        waiting = tasks.spawn(one.call("wait", selector="#never", timeout=PATIENCE_MS), "long wait")
        await panel.executing(tab)
        for _ in range(20):
            assert (await two.call("evaluate", code="1+1"))["value"] == 2
        assert not waiting.done()
        await tasks.end(waiting)


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_every_era_of_the_protocol_is_served(panel: Panel, mode: Any) -> None:
    client = connect(panel.data.root, "era")
    client.mode = mode
    async with client:
        assert len((await client.list_tools()).tools) == len(panel.hub.state.catalogue)
        assert "tabs" in await Agent(client).call("list_tabs")


@pytest.mark.parametrize(("tools", "limit"), [("all", 6000), ("core", 2500)])
async def test_the_list_of_tools_leaves_an_agent_its_context(panel: Panel, tools: str, limit: int) -> None:
    client = connect(panel.data.root, "size", tools)
    async with client:
        listed = (await client.list_tools()).tools
        size = sum(len(tool.model_dump_json(by_alias=True, exclude_none=True).encode()) for tool in listed)
        assert size / 4 <= limit


async def test_tabs_come_back_under_their_names_after_the_worker_was_killed(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    tabs = panel.hub.state.tabs
    async with agent(f"{pages}/keys.html") as a:
        snapshot = await a.text("snapshot")
        tab = await current_tab(a)
        await a.call("set_offline", offline=True)
        await a.call("resize", width=500, height=400)
        came_back = asyncio.Event()
        tabs.added.connect(lambda added: came_back.set() if added.tab_id == tab else None)
        worker = await extension_target(panel, "service_worker")
        assert panel.hub.browsers.shared is not None
        await panel.hub.browsers.shared.pipe.call("Target.closeTarget", {"targetId": worker["targetId"]})
        async with asyncio.timeout(PATIENCE_S):
            await came_back.wait()
        # The page's half outlived the worker: refs go on, none is given twice.
        ref = snapshot.split("[ref=")[1].split("]")[0]
        await a.call("click", ref=ref, tabId=tab)
        again = await a.text("snapshot", tabId=tab)
        assert f"[ref={ref}]" in again
        # What was emulated stays, and can be ended.
        network = "fetch('/').then(() => 'online', () => 'offline')"
        from_worker = (
            f"new Promise(done => {{ const source = `{network}.then(postMessage)`;"
            "const worker = new Worker(URL.createObjectURL(new Blob([source.replace('/', location.origin)])));"
            "worker.onmessage = ({ data }) => done(data) })"
        )
        for code in (network, from_worker):
            assert (await a.call("evaluate", code=code, tabId=tab))["value"] == "offline"
        assert (await a.call("evaluate", code="innerWidth", tabId=tab))["value"] == 500
        await a.call("set_offline", offline=False, tabId=tab)
        assert (await a.call("evaluate", code=network, tabId=tab))["value"] == "online"


async def test_tabs_come_back_when_the_panel_s_socket_was_away(agent: OpenAgent, pages: str, panel: Panel) -> None:
    tabs, listener = panel.hub.state.tabs, panel.hub.connections.listener
    async with agent(f"{pages}/keys.html?away") as a:
        tab = await current_tab(a)
        came_back = asyncio.Event()
        tabs.added.connect(lambda added: came_back.set() if added.tab_id == tab else None)
        port = listener.port
        await listener.close()
        assert tabs.find(tab) is None
        assert (await a.fails("evaluate", code="1", tabId=tab)).startswith("TAB_NOT_FOUND")
        await listener.open(port)
        async with asyncio.timeout(PATIENCE_S):
            await came_back.wait()
        assert (await a.call("evaluate", code="location.search", tabId=tab))["value"] == "?away"


async def test_the_popup_disconnects_and_connects_its_tab(agent: OpenAgent, pages: str, panel: Panel) -> None:
    assert panel.hub.browsers.shared is not None
    pipe = panel.hub.browsers.shared.pipe
    async with agent(f"{pages}/keys.html?popup") as a:
        tab = await current_tab(a)
        opened = await pipe.call("Target.createTarget", {"url": f"chrome-extension://{EXTENSION_ID}/popup/popup.html"})
        attached = await pipe.call("Target.attachToTarget", {"targetId": opened["targetId"], "flatten": True})

        async def popup(expression: str) -> Any:
            reply = await pipe.call(
                "Runtime.evaluate",
                {"expression": expression, "returnByValue": True, "awaitPromise": True},
                session=attached["sessionId"],
            )
            return reply["result"].get("value")

        async with asyncio.timeout(PATIENCE_S):
            while not await unless_left(popup("Boolean(globalThis.chrome?.tabs)")):
                pass
        chrome_tab = await popup("chrome.tabs.query({}).then(all => all.find(t => t.url.endsWith('?popup')).id)")
        url = f"chrome-extension://{EXTENSION_ID}/popup/popup.html?tab={chrome_tab}"
        await pipe.call("Page.navigate", {"url": url}, session=attached["sessionId"])

        async def shows(words: str) -> None:
            async with asyncio.timeout(PATIENCE_S):
                while await unless_left(popup("document.querySelector('#tab')?.textContent")) != words:
                    pass

        await shows("connected")
        assert await popup("document.querySelector('#panel').textContent") == "connected"
        # The popup's own page is in a tab of a managed browser here, and yet nobody can drive it.
        assert not [tab for tab in panel.hub.state.tabs if tab.url.startswith("chrome-extension:")]
        await popup("document.querySelector('#toggle').click()")
        await shows("not connected")
        tabs = panel.hub.state.tabs
        async with asyncio.timeout(PATIENCE_S):  # the panel hears of it a moment after the page that asked for it
            await Changes(tabs.removed).until(lambda: tabs.find(tab) is None)
        assert (await a.fails("evaluate", code="1", tabId=tab)).startswith("TAB_NOT_FOUND")
        async with asyncio.timeout(PATIENCE_S):
            while await popup("document.querySelector('#toggle').ariaDisabled === 'true'"):
                pass
        await popup("document.querySelector('#toggle').click()")
        await shows("connected")
        assert (await a.call("evaluate", code="location.search", tabId=tab))["value"] == "?popup"
        await pipe.call("Target.closeTarget", {"targetId": opened["targetId"]})


async def test_after_a_pause_an_agent_is_told_what_the_person_did(agent: OpenAgent, pages: str, panel: Panel) -> None:
    hub = panel.hub
    async with agent(f"{pages}/keys.html") as a:
        tab_id = await current_tab(a)
        await a.call("fill", selector="#plain", value="of the agent")
        hub.core.router.gates.pause.hold()
        try:
            assert (await a.fails("fill", selector="#plain", value="refused")).startswith("PAUSED: ")
            await hub.core.router.run(
                hub.state.person, "fill", {"selector": "#plain", "value": "of the person", "tabId": tab_id}
            )
            # With the mouse, past the panel: seen by where the tab is afterwards.
            moved = asyncio.Event()
            hub.state.tabs.changed.connect(lambda tab: moved.set() if tab.url.endswith("?by-hand") else None)
            await panel.witness(pages).see("history.pushState(null, '', '?by-hand'); 1", "/keys.html")
            async with asyncio.timeout(PATIENCE_S):
                await moved.wait()
        finally:
            hub.core.router.gates.pause.lift()
        said = await a.text("get_visible_text", selector="body")
        late = json.loads(said.rpartition("\nlateEffects: ")[2])
        assert late["person"] == {"url": f"{pages}/keys.html?by-hand", "did": ["fill #plain"]}
        assert "lateEffects" not in await a.text("get_visible_text", selector="body")
