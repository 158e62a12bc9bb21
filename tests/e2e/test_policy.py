"""What an agent may do: the table of presets, command by command, and what the page shows of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.gates.approvals import Scope
from kapture_panel.core.gates.policy import TABLE
from kapture_panel.core.gates.rules import PRESETS, Preset
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent
from kapture_panel.demo.site import DemoSite
from tests.support.core.fakes import CATALOGUE, COMMANDS
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, Visit, current_tab, dialog_shown
from tests.support.e2e.policy import PAGE, Person, attended, said, under
from tests.support.e2e.tab_person import declined
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACTED = "acted().length > 0"


@dataclass(frozen=True)
class Row:
    """A call; `acted` holds in the page once it was carried out (empty: it does nothing to a page), and does not
    before. `sharper` is what a preset says of it where that is not what it says of its class."""

    command: str
    params: dict[str, Any] = field(default_factory=dict)
    acted: str = ""
    sharper: dict[str, str] = field(default_factory=dict)
    before: str = ""

    def verdict(self, preset: Preset) -> str:
        return self.sharper.get(preset) or TABLE[preset][CATALOGUE.get(self.command).klass]


EXECUTE: dict[str, str] = {preset: TABLE[preset]["execute"] for preset in PRESETS}

SECRET = {"careful": "ask"}

ASKED = {"trusting": "ask", "careful": "ask"}

READS = (
    "list_tabs", "list_browser_tabs", "snapshot", "get_visible_text", "get_page_metadata", "get_filtered_aria_tree",
    "get_form_values", "logs", "list_requests", "get_network_sources", "get_service_workers",
)  # fmt: skip

OF_A_FIELD = ("query_dom", "get_computed_styles", "check_visibility", "get_attributes", "count_elements",
              "check_element_state")  # fmt: skip


ROWS = [
    *(Row(command) for command in READS),
    *(Row(command, {"selector": "#field"}) for command in OF_A_FIELD),
    Row("find_by_text", {"text": "Pad"}),
    Row("screenshot", {"name": "a"}),
    Row("record_video", {"seconds": 5}),
    Row("record_video", {"stop": True}),
    Row("get_request", {"requestId": "r1"}),
    Row("wait", {"time": 1}),
    Row("wait", {"selector": "#field"}),
    Row("wait", {"expression": "globalThis.ran = true"}, "ran", EXECUTE),
    Row("batch", {"steps": [{"command": "list_tabs"}]}),
    Row("evaluate", {"code": "globalThis.ran = true"}, "ran"),
    Row("inject_script", {"source": "globalThis.ran = true"}, "ran"),
    Row("click", {"selector": "#pad"}, ACTED),
    Row("click", {"selector": "#password"}, ACTED, SECRET),
    Row("hover", {"selector": "#pad"}, ACTED),
    Row("hover", {"selector": "#password"}, ACTED),
    Row("drag", {"selector": "#from", "toSelector": "#to"}, ACTED),
    Row("fill", {"selector": "#field", "value": "x"}, "field.value === 'x'"),
    Row("fill", {"selector": "#password", "value": "x"}, "password.value === 'x'", SECRET),
    Row("fill", {"selector": "#shown", "value": "x"}, "shown.value === 'x'", SECRET),
    Row("fill", {"selector": "#card", "value": "x"}, "card.value === 'x'", SECRET),
    Row("fill", {"selector": "#code", "value": "x"}, "code.value === 'x'", SECRET),
    Row("fill", {"selector": "#month", "value": "2"}, "month.value === '2'", SECRET),
    Row("fill_form", {"fields": [{"selector": "#field", "value": "x"}]}, "field.value === 'x'"),
    Row("fill_form", {"fields": [{"selector": "#field", "value": "x"}, {"selector": "#card", "value": "y"}]},
        "field.value + card.value === 'xy'", SECRET),
    Row("type", {"selector": "#field", "text": "x"}, "field.value === 'x'"),
    Row("type", {"selector": "#password", "text": "x"}, "password.value === 'x'", SECRET),
    Row("type", {"text": "x"}, "password.value === 'x'", SECRET, "password.focus()"),
    Row("insert_text", {"selector": "#field", "text": "x"}, "field.value === 'x'"),
    Row("insert_text", {"text": "x"}, "code.value === 'x'", SECRET, "code.focus()"),
    Row("press_key", {"key": "a", "selector": "#field"}, ACTED),
    Row("press_key", {"key": "a"}, "card.value === 'a'", SECRET, "card.focus()"),
    Row("select", {"selector": "#pick", "value": "b"}, "pick.value === 'b'"),
    Row("select", {"selector": "#month", "value": "2"}, "month.value === '2'", SECRET),
    Row("scroll", {"deltaY": 100}, "scrollY === 100"),
    Row("upload_file", {"selector": "#file", "paths": ["<inside>"]}, "file.files.length === 1"),
    Row("upload_file", {"selector": "#file", "paths": ["<outside>"]}, "file.files.length === 1", ASKED),
    Row("read_image", {"path": "<inside>"}),
    Row("read_image", {"path": "<outside>"}, "", ASKED),
    Row("activate_tab"),
    Row("clear_logs"),
    Row("set_offline", {"offline": True}, "navigator.onLine === false"),
    Row("set_offline", {"offline": False}),
    Row("resize", {"width": 640, "height": 480}, "innerWidth === 640"),
    Row("resize", {"width": 0, "height": 0}),
    Row("reload", {}, "acted().length === 0 && !('mark' in globalThis)", {}, "globalThis.mark = 1"),
    Row("navigate", {"url": "<page>#there"}, "location.hash === '#there'"),
    Row("navigate", {"url": "#here"}, "location.hash === '#here'"),
    Row("go_back", {}, "location.hash === '#there'", {}, "location.hash = '#there', location.hash = '#more'"),
    Row("go_forward", {}, "location.hash === '#two'", {},
        "location.hash = '#one', location.hash = '#two', history.back(), new Promise((r) => onhashchange = r)"),
    Row("navigate", {"url": "javascript:ran=true"}, "ran", dict.fromkeys(PRESETS, "block")),
    Row("navigate", {"url": "file:///etc/passwd"}, "false", dict.fromkeys(PRESETS, "block")),
]  # fmt: skip

#: What needs more than a row: command → the test of this file that goes through all presets with it.
ELSEWHERE = {
    "new_tab": "test_leaving_a_site",
    "connect_tab": "test_a_tab_is_shared_only_with_the_persons_yes",
    "close_tab": "test_a_tab_of_the_panels_browser_is_closed",
    "handle_dialog": "test_a_dialog_is_answered",
}


async def test_every_command_stands_in_the_table() -> None:
    assert {row.command for row in ROWS} | ELSEWHERE.keys() == set(COMMANDS)
    assert all(name in globals() for name in ELSEWHERE.values())
    assert tuple(TABLE) == PRESETS


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """What the marks stand for: a picture in a folder agents may read, and one beside it."""
    png = (Path(PAGES).parents[2] / "resources/icons").rglob("*.png")
    picture = next(png).read_bytes()
    for name in ("allowed", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.png").write_bytes(picture)
    return {"<inside>": str(tmp_path / "allowed/a.png"), "<outside>": str(tmp_path / "other/a.png")}


def marked(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [marked(one, known) for one in value]
    if isinstance(value, str):
        for mark, one in known.items():
            value = value.replace(mark, one)
    return value


class Walk:
    """Goes through rows in one tab and collects what is not as the table says."""

    def __init__(self, panel: Panel, agent: Agent, person: Person, site: str, known: dict[str, str]) -> None:
        self.agent, self.person, self.known = agent, person, known
        self.witness = panel.witness(site)
        self.faults: list[str] = []

    async def row(self, preset: Preset, row: Row) -> None:
        verdict, where = row.verdict(preset), f"{preset}: {row.command} {row.params}"
        answers: list[Scope | None] = [None, "once"] if verdict == "ask" else [None]
        for answer in answers:
            self.person.answer = answer
            await self.witness.see("begin()", PAGE)
            if row.before:
                await self.witness.see(f"(async () => {{ await ({row.before}) }})()", PAGE)
                await self.witness.see("void acted().splice(0)", PAGE)
            error = await said(self.agent, row.command, {k: marked(v, self.known) for k, v in row.params.items()})
            asks = self.person.taken()
            is_done = verdict == "allow" or answer == "once"
            if bool(error) == is_done or (error and not error.startswith("DENIED: ")):
                self.faults.append(f"{where} is {verdict}, but said {error!r}")
            if len(asks) != (verdict == "ask"):
                self.faults.append(f"{where} is {verdict}, but asked {[ask.why for ask in asks]}")
            if row.acted and bool(await self.witness.see(row.acted, PAGE)) != is_done:
                self.faults.append(f"{where} is {verdict}; {row.acted} is {not is_done} after {answer}")
            if not is_done and await self.witness.see(ACTED, PAGE):
                self.faults.append(f"{where} did {await self.witness.see('acted()', PAGE)} after {answer}")


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_preset_says_of_each_command_what_its_table_says(
    visitor: Visit, panel: Panel, pages: str, files: dict[str, str], preset: Preset
) -> None:
    known = {"<page>": f"{pages}{PAGE}", **files}
    async with visitor(f"{pages}{PAGE}") as a, attended(panel) as person:
        await a.text("list_requests")
        walk = Walk(panel, a, person, pages, known)
        with under(panel, preset, allow=Path(files["<inside>"]).parent):
            for row in ROWS:
                await walk.row(preset, row)
        assert walk.faults == []


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("command", ["navigate", "new_tab"])
async def test_leaving_a_site(visitor: Visit, panel: Panel, pages: str, preset: Preset, command: str) -> None:
    """Within a site it is the class's word; another site is asked about once, and then open to this agent."""
    here = f"{pages}{PAGE}"
    with DemoSite(PAGES) as other:
        there = f"{other.url}/blank.html?left"

        def shown(part: str) -> list[Tab]:
            return [tab for tab in panel.hub.state.tabs if part in tab.url]

        async with visitor(here) as a, attended(panel) as person:
            tab = await current_tab(a)
            with under(panel, preset):
                if preset == "read-only":
                    for url in (here, there):
                        assert (await a.fails(command, url=url)).startswith("DENIED: the policy 'read-only'")
                    return
                assert await said(a, command, {"url": f"{here}?same"}) == ""
                tabs = len(panel.hub.state.tabs)
                if preset == "careful":
                    assert (await a.fails(command, url=there)).startswith("DENIED: a person refused")
                    assert not shown("?left")
                    assert len(panel.hub.state.tabs) == tabs
                    person.answer = "session"
                for _ in range(2):
                    await a.call(command, url=there)
                    if command == "new_tab":
                        await a.call("close_tab")
                    await a.call("navigate", url=f"{here}?back", tabId=tab)
                asks = person.taken()
                site = other.url.removeprefix("http://")
                leaving = f"leaves {pages.removeprefix('http://')} for {site}"
                assert [ask.why for ask in asks if ask.site == site] == ([leaving] * 2 if preset == "careful" else [])
            if command == "new_tab":
                for left in shown("?same"):
                    await a.call("close_tab", tabId=left.tab_id)


async def test_a_tab_is_shared_only_with_the_persons_yes(
    agent: OpenAgent, visitor: Visit, panel: Panel, pages: str
) -> None:
    async with (
        agent(f"{pages}/blank.html?share", "owner"), visitor(f"{pages}/keys.html") as a, attended(panel) as person,
    ):  # fmt: skip
        number = await declined(panel, "?share")
        for preset in PRESETS:
            with naming(preset):
                with under(panel, preset):
                    assert (await a.fails("connect_tab", browserTabId=number)).startswith("DENIED: ")
                    assert [ask.why for ask in person.taken()] == (
                        [] if preset == "read-only" else ["shares a tab that is not connected"]
                    )
                assert not [tab for tab in panel.hub.state.tabs if tab.url.endswith("?share")]
        await panel.hub.core.router.run(panel.hub.state.person, "connect_tab", {"browserTabId": number})


async def test_a_tab_of_the_panels_browser_is_closed(visitor: Visit, panel: Panel, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a, attended(panel) as person:
        for preset in PRESETS:
            with naming(preset):
                tab = (await a.call("new_tab", url="about:blank"))["tabId"]
                with under(panel, preset):
                    error = await said(a, "close_tab", {"tabId": tab})
                assert error.startswith("DENIED: ") == (preset == "read-only")
                assert (panel.hub.state.tabs.find(tab) is None) == (preset != "read-only")
                assert person.asks == []
                if preset == "read-only":
                    await a.call("close_tab", tabId=tab)


async def test_a_dialog_is_answered(visitor: Visit, panel: Panel, pages: str) -> None:
    url = f"{pages}/blank.html?dialog"
    async with visitor(url) as a:
        for preset in PRESETS:
            with naming(preset):
                await panel.witness(pages).see("setTimeout(() => { confirm('Sure?'); }), 0", "?dialog")
                await dialog_shown(panel, url)
                with under(panel, preset):
                    error = await said(a, "handle_dialog", {"accept": True})
                assert error.startswith("DENIED: ") == (preset == "read-only")
                (tab,) = [tab for tab in panel.hub.state.tabs if tab.url == url]
                assert (tab.state == "dialog") == (preset == "read-only")
                if preset == "read-only":
                    await a.call("handle_dialog", accept=False)
