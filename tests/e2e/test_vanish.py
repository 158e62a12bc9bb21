"""A tab that is closed while a command runs in it: every command tells it at once, and nothing else suffers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.e2e.silent import Silent, silent_server
from tests.support.e2e.tab_person import declined, person
from tests.support.patience import PATIENCE_S
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

GONE = {"TAB_DISCONNECTED", "TAB_CRASHED", "TAB_NOT_FOUND"}


@dataclass
class Place:
    """What a command runs in: a tab with a page of this address, a file, a server that does not answer."""

    panel: Panel
    tab_id: str
    url: str
    file: Path
    silent: Silent
    told: list[str] = field(default_factory=list)

    async def run(self, name: str, params: dict[str, Any]) -> Answer:
        """Run a command as the person."""
        hub = self.panel.hub
        return await hub.core.router.run(hub.state.person, name, params)

    async def close(self, url: str) -> None:
        """Close the tab that shows `url`, past the extension and the panel."""
        assert self.panel.hub.browsers.shared is not None
        pipe = self.panel.hub.browsers.shared.pipe
        targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
        (target,) = [found["targetId"] for found in targets if found["url"] == url]
        await pipe.call("Target.closeTarget", {"targetId": target})


#: Resolves when the command has come as far as it can.
Far = Callable[[], Coroutine[Any, Any, Any]]
#: Makes a place ready for the command.
Situation = Callable[[Place], Awaitable[Far]]


async def busy(place: Place) -> Far:
    """The page's script hangs, so whatever a command asks of the page stays unanswered."""
    await hang(place, "")
    return lambda: place.panel.executing(place.tab_id)


async def dialog(place: Place) -> Far:
    """A dialog is open, and the page's script hangs once it is answered."""
    opened = asyncio.Event()

    def look(tab: Tab) -> None:
        if tab.tab_id == place.tab_id and tab.state == "dialog":
            opened.set()

    place.panel.hub.state.tabs.changed.connect(look)
    await hang(place, "alert(1);")
    await opened.wait()
    place.panel.hub.state.tabs.changed.disconnect(look)
    return lambda: place.panel.executing(place.tab_id)


async def under_way(place: Place) -> Far:
    """Nothing is wrong with the page: the command itself takes long."""
    return lambda: place.panel.executing(place.tab_id)


async def second_step(place: Place) -> Far:
    """The first step of a batch is done, the second takes long."""
    answered = asyncio.Event()
    router = place.panel.hub.core.router

    def look(_client: Client, answer: Answer) -> None:
        if answer.tab_id == place.tab_id:
            answered.set()

    router.answered.connect(look)

    async def far() -> None:
        await answered.wait()
        router.answered.disconnect(look)
        await place.panel.executing(place.tab_id)

    return far


async def unanswered(place: Place) -> Far:
    """A server takes the request of the command and says nothing."""
    return place.silent.asked.wait


async def fallen_silent(place: Place) -> Far:
    """The page's server says nothing any more, nor of the pages before and after it in the tab's history."""
    for path in ("first", "second", "third"):
        await place.run("navigate", {"url": place.silent.url + path, "tabId": place.tab_id})
    await place.run("go_back", {"tabId": place.tab_id})
    place.silent.mute = True
    return place.silent.asked.wait


async def hang(place: Place, before: str) -> None:
    """Start a script in the page that says so in the console and never ends."""
    said = asyncio.Event()

    def heard(lines: list[Any]) -> None:
        if any(line.tab_id == place.tab_id for line in lines):
            said.set()

    assert place.panel.hub.browsers.shared is not None
    pipe = place.panel.hub.browsers.shared.pipe
    session = await place.panel.witness(place.url).session()
    place.panel.hub.state.console.appended.connect(heard)
    code = {"expression": f"setTimeout(() => {{ console.log('busy'); {before} {place.silent.hang} }})"}
    await pipe.call("Runtime.evaluate", code, session=session)
    await said.wait()
    place.panel.hub.state.console.appended.disconnect(heard)


@dataclass(frozen=True)
class Row:
    """A command that is under way when its tab goes; `<…>` in a parameter stands for something of its place."""

    command: str
    situation: Situation
    params: dict[str, Any] | None = None


NEVER = {"selector": "#never"}
ROWS = [
    *(Row(name, busy) for name in (
        "click", "hover", "drag", "fill", "type", "insert_text", "press_key", "select", "scroll",
        "snapshot", "screenshot", "query_dom", "get_visible_text", "get_computed_styles",
        "check_visibility", "get_attributes", "count_elements", "get_page_metadata", "get_filtered_aria_tree",
        "find_by_text", "get_form_values", "check_element_state", "evaluate", "inject_script",
        "get_service_workers", "set_offline", "resize", "record_video",
    )),
    Row("fill_form", busy, {"fields": [{"selector": "#a", "value": "a"}]}),
    Row("upload_file", busy, {"selector": "#file", "paths": []}),
    Row("get_request", busy, {"requestId": "r1"}),
    *(Row("wait", busy, params) for params in (NEVER, {"text": "never"}, {"expression": "false"})),
    Row("screenshot", busy, {"name": "all", "fullPage": True}),
    Row("handle_dialog", dialog),
    *(Row("wait", under_way, params) for params in (NEVER, {"time": 20_000}, {"urlContains": "never"})),
    Row("click", under_way, {**NEVER, "wait": 20_000}),
    Row("evaluate", under_way, {"code": "new Promise(() => {})"}),
    Row("inject_script", under_way, {"source": "for (;;) {}"}),
    Row("type", under_way, {"text": "x" * 900, "delay": 50}),
    Row("batch", second_step, {"steps": [
        {"command": "evaluate", "params": {"code": "1", "tabId": "<tab>"}},
        {"command": "wait", "params": {**NEVER, "tabId": "<tab>"}},
    ]}),
    Row("inject_script", unanswered, {"url": "<silent>never"}),
    Row("navigate", unanswered, {"url": "<silent>never"}),
    Row("reload", fallen_silent),
    Row("go_forward", fallen_silent),
    Row("go_back", fallen_silent),
]  # fmt: skip

#: These ask nothing of the page: on a busy one they answer at once.
AT_ONCE = [
    "logs", "clear_logs", "list_requests", "get_network_sources", "activate_tab", "list_tabs", "list_browser_tabs",
    "read_image",
]  # fmt: skip
#: Tests of their own.
ALONE = {"new_tab", "connect_tab", "close_tab"}


async def test_no_command_is_forgotten() -> None:
    assert {row.command for row in ROWS} | set(AT_ONCE) | ALONE == set(COMMANDS)
    assert not {row.command for row in ROWS} & set(AT_ONCE)


def filled(place: Place, value: Any) -> Any:
    """A parameter with its marks replaced."""
    if isinstance(value, dict):
        return {name: filled(place, inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(place, inner) for inner in value]
    if isinstance(value, str):
        return value.replace("<tab>", place.tab_id).replace("<silent>", place.silent.url)
    return value


def params_of(place: Place, name: str, given: dict[str, Any] | None) -> dict[str, Any]:
    """What a command is called with: the least it takes, unless its row says more."""
    command = CATALOGUE.get(name)
    params = filled(place, minimal(command) if given is None else given)
    for file in params.keys() & {"path", "paths"}:
        params[file] = str(place.file) if file == "path" else [str(place.file)]
    return {**params, "tabId": place.tab_id} if command.scope == "tab" else params


@asynccontextmanager
async def opened_place(panel: Panel, url: str, tmp_path: Path) -> AsyncIterator[Place]:
    """A tab of its own."""
    hub = panel.hub
    file = tmp_path / "picture.png"
    Image.new("RGB", (2, 2)).save(file)
    async with silent_server() as silent:
        opened = await hub.core.router.run(hub.state.person, "new_tab", {"url": url})
        yield Place(panel, opened.tab_id, url, file, silent)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.command}-{row.situation.__name__}")
async def test_it_is_told_at_once(panel: Panel, pages: str, tmp_path: Path, row: Row) -> None:
    tabs = panel.hub.state.tabs
    async with opened_place(panel, f"{pages}/blank.html?{row.command}-{ROWS.index(row)}", tmp_path) as place:
        far = await row.situation(place)
        running = tasks.spawn(place.run(row.command, params_of(place, row.command, row.params)), row.command)
        reached: asyncio.Task[Any] = tasks.spawn(far(), "far")
        await asyncio.wait([reached, running], return_when=asyncio.FIRST_COMPLETED)
        assert not running.done(), running
        await place.close(tabs.get(place.tab_id).url)
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(KaptureError) as error:
                await running
        assert error.value.code in GONE, error.value.message
        assert tabs.find(place.tab_id) is None
        if row.command == "batch":
            assert error.value.message.startswith("step 2 of 2 (wait): ")
            assert "; done before it:\n1. evaluate: " in error.value.message
        # Nothing else suffers: the browser and its other tabs answer.
        assert (await place.run("list_browser_tabs", {})).result["tabs"]


async def test_what_asks_nothing_of_the_page_answers_though_it_is_busy(
    panel: Panel, pages: str, tmp_path: Path
) -> None:
    async with opened_place(panel, f"{pages}/blank.html?busy", tmp_path) as place:
        await busy(place)
        for name in AT_ONCE:
            with naming(name):
                async with asyncio.timeout(PATIENCE_S):
                    await place.run(name, params_of(place, name, None))
        gone = tasks.spawn(removal(panel, place.tab_id), "removal")
        await place.close(place.url)
        await gone
        for name in AT_ONCE:
            if CATALOGUE.get(name).scope == "tab":
                with naming(name), pytest.raises(KaptureError, match=place.tab_id) as error:
                    await place.run(name, params_of(place, name, None))
                assert error.value.code == "TAB_NOT_FOUND"


async def test_a_busy_tab_is_closed(panel: Panel, pages: str, tmp_path: Path) -> None:
    async with opened_place(panel, f"{pages}/blank.html?busy-close", tmp_path) as place:
        await busy(place)
        async with asyncio.timeout(PATIENCE_S):
            await place.run("close_tab", {"tabId": place.tab_id})
        with pytest.raises(KaptureError, match=place.tab_id) as error:
            await place.run("close_tab", {"tabId": place.tab_id})
        assert error.value.code == "TAB_NOT_FOUND"


async def removal(panel: Panel, tab_id: str) -> None:
    """Wait until the registry has lost the tab."""
    gone = asyncio.Event()
    tabs = panel.hub.state.tabs

    def look(_tab: Tab) -> None:
        if tabs.find(tab_id) is None:
            gone.set()

    tabs.removed.connect(look)
    await gone.wait()
    tabs.removed.disconnect(look)


async def test_a_tab_that_goes_while_it_is_opened(panel: Panel, pages: str, tmp_path: Path) -> None:
    async with opened_place(panel, f"{pages}/blank.html?opener", tmp_path) as place:
        assert panel.hub.browsers.shared is not None
        pipe = panel.hub.browsers.shared.pipe

        async def there() -> set[str]:
            listed = await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]})
            return {found["targetId"] for found in listed["targetInfos"]}

        before = await there()
        running = tasks.spawn(place.run("new_tab", {"url": f"{place.silent.url}never"}), "new_tab")
        await place.silent.asked.wait()
        (target,) = await there() - before
        async with asyncio.timeout(PATIENCE_S):
            await pipe.call("Target.closeTarget", {"targetId": target})
            with pytest.raises(KaptureError) as error:
                await running
        assert error.value.code in GONE, error.value.message
        await place.run("close_tab", {"tabId": place.tab_id})


async def test_a_tab_that_goes_while_the_person_is_asked_for_it(agent: OpenAgent, panel: Panel, pages: str) -> None:
    hub = panel.hub
    async with agent(f"{pages}/blank.html?asked", "owner") as owner:
        url = f"{pages}/blank.html?asked"
        assert await current_tab(owner)
        number = await declined(panel, "?asked")
        caller = Client("caller", "agent")
        asked = asyncio.Event()
        async with person(panel, lambda _ask: asked.set()) as asks:
            running = tasks.spawn(hub.core.router.run(caller, "connect_tab", {"browserTabId": number}), "connect_tab")
            await asked.wait()
            assert panel.hub.browsers.shared is not None
            pipe = panel.hub.browsers.shared.pipe
            targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
            (target,) = [found["targetId"] for found in targets if found["url"] == url]
            await pipe.call("Target.closeTarget", {"targetId": target})
            # Nothing tells the panel of a tab it does not know: the person's yes finds out.
            assert hub.core.router.gates.approvals.allow(asks[0])
            async with asyncio.timeout(PATIENCE_S):
                with pytest.raises(KaptureError) as error:
                    await running
        assert error.value.code in GONE, error.value.message
