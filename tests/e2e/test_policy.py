"""What an agent may do: the table of presets, command by command, and what the page shows of it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import Implementation
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.core.gates.policy import TABLE, Policy
from kapture_panel.core.gates.rules import PRESETS, Preset, Rule, Rules
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent, ToolError
from kapture_panel.demo.site import DemoSite
from tests.support.core.fakes import CATALOGUE, COMMANDS
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, current_tab, dialog_shown
from tests.support.e2e.tab_person import declined

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/policy.html"
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


@contextmanager
def under(panel: Panel, preset: Preset, rules: Rules | None = None, allow: Path | None = None) -> Iterator[Policy]:
    """Another policy for the panel's browser."""
    router = panel.hub.services.router
    before = router.gates.policy
    router.gates.policy = Policy(
        preset, (allow,) if allow else (), before.own_dirs, rules=Rules() if rules is None else rules
    )
    try:
        yield router.gates.policy
    finally:
        router.gates.policy = before


class Person:
    """Somebody in front of the panel: answers each question with `answer`, and keeps it."""

    def __init__(self, panel: Panel) -> None:
        self.approvals = panel.hub.services.router.gates.approvals
        self.asks: list[Ask] = []
        self.answer: Scope | None = None
        #: What a person does with a question.
        self.decide: Callable[[Ask], object] = self._decide

    def __call__(self, ask: Ask) -> None:
        self.asks.append(ask)
        # After the asking itself: a person takes longer, too.
        asyncio.get_running_loop().call_soon(self.decide, ask)

    def _decide(self, ask: Ask) -> None:
        if self.answer is None:
            self.approvals.deny(ask, "no")
        else:
            self.approvals.allow(ask, self.answer)

    def taken(self) -> list[Ask]:
        """What was asked since the last time."""
        asks, self.asks = self.asks, []
        return asks


@asynccontextmanager
async def attended(panel: Panel) -> AsyncIterator[Person]:
    """A window with a person who says no, as long as a test does not have them say something else."""
    person = Person(panel)
    person.approvals.attend()
    person.approvals.added.connect(person)
    try:
        yield person
    finally:
        person.approvals.added.disconnect(person)
        person.approvals.leave()


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


async def said(agent: Agent, command: str, params: dict[str, Any]) -> str:
    """Empty when the command was carried out, else its error."""
    try:
        await agent.text(command, **params)
    except ToolError as error:
        return str(error)
    return ""


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
    agent: OpenAgent, panel: Panel, pages: str, files: dict[str, str], preset: Preset
) -> None:
    known = {"<page>": f"{pages}{PAGE}", **files}
    async with agent(f"{pages}{PAGE}") as a, attended(panel) as person:
        await a.text("list_requests")
        walk = Walk(panel, a, person, pages, known)
        with under(panel, preset, allow=Path(files["<inside>"]).parent):
            for row in ROWS:
                await walk.row(preset, row)
        assert walk.faults == []


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("command", ["navigate", "new_tab"])
async def test_leaving_a_site(agent: OpenAgent, panel: Panel, pages: str, preset: Preset, command: str) -> None:
    """Within a site it is the class's word; another site is asked about once, and then open to this agent."""
    here = f"{pages}{PAGE}"
    with DemoSite(PAGES) as other:
        there = f"{other.url}/blank.html?left"

        def shown(part: str) -> list[Tab]:
            return [tab for tab in panel.hub.services.tabs if part in tab.url]

        async with agent(here) as a, attended(panel) as person:
            tab = await current_tab(a)
            with under(panel, preset):
                if preset == "read-only":
                    for url in (here, there):
                        assert (await a.fails(command, url=url)).startswith("DENIED: the policy 'read-only'")
                    return
                assert await said(a, command, {"url": f"{here}?same"}) == ""
                tabs = len(panel.hub.services.tabs)
                if preset == "careful":
                    assert (await a.fails(command, url=there)).startswith("DENIED: a person refused")
                    assert not shown("?left")
                    assert len(panel.hub.services.tabs) == tabs
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


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_tab_is_shared_only_with_the_persons_yes(
    agent: OpenAgent, panel: Panel, pages: str, preset: Preset
) -> None:
    async with agent(f"{pages}/blank.html?{preset}", "owner"), agent(f"{pages}/keys.html") as a:
        number = await declined(panel, f"?{preset}")
        async with attended(panel) as person:
            with under(panel, preset):
                assert (await a.fails("connect_tab", browserTabId=number)).startswith("DENIED: ")
                assert [ask.why for ask in person.taken()] == (
                    [] if preset == "read-only" else ["shares a tab that is not connected"]
                )
        assert not [tab for tab in panel.hub.services.tabs if tab.url.endswith(f"?{preset}")]
        await panel.hub.services.router.run(panel.hub.services.person, "connect_tab", {"browserTabId": number})


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_tab_of_the_panels_browser_is_closed(
    agent: OpenAgent, panel: Panel, pages: str, preset: Preset
) -> None:
    async with agent(f"{pages}/blank.html") as a, attended(panel) as person:
        tab = await current_tab(a)
        with under(panel, preset):
            error = await said(a, "close_tab", {})
        assert error.startswith("DENIED: ") == (preset == "read-only")
        assert (panel.hub.services.tabs.find(tab) is None) == (preset != "read-only")
        assert person.asks == []


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_dialog_is_answered(agent: OpenAgent, panel: Panel, pages: str, preset: Preset) -> None:
    url = f"{pages}/blank.html?dialog-{preset}"
    async with agent(url) as a:
        await panel.witness(pages).see("setTimeout(() => { confirm('Sure?'); }), 0", f"?dialog-{preset}")
        await dialog_shown(panel, url)
        with under(panel, preset):
            error = await said(a, "handle_dialog", {"accept": True})
        assert error.startswith("DENIED: ") == (preset == "read-only")
        (tab,) = [tab for tab in panel.hub.services.tabs if tab.url == url]
        assert (tab.state == "dialog") == (preset == "read-only")
        if preset == "read-only":
            await a.call("handle_dialog", accept=False)


async def test_with_no_window_a_question_is_denied_with_the_flag_that_would_allow_it(
    agent: OpenAgent, panel: Panel, pages: str, files: dict[str, str]
) -> None:
    async with agent(f"{pages}{PAGE}") as a:
        with under(panel, "careful"):
            for command, params in (
                ("evaluate", {"code": "ran = true"}),
                ("fill", {"selector": "#password", "value": "x"}),
                ("navigate", {"url": "http://localhost:9/"}),
                ("read_image", {"path": files["<inside>"]}),
            ):
                error = await a.fails(command, **params)
                assert error.startswith("DENIED: "), error
                assert "no window to ask in; a person can start the panel with --policy trusting" in error
        with under(panel, "trusting"):
            error = await a.fails("read_image", path=files["<outside>"])
            assert error.startswith("FILE_NOT_ALLOWED: ")
            assert f"--allow-dir {Path(files['<outside>']).parent}" in error
        assert not await panel.witness(pages).see("globalThis.ran || acted().length > 0", PAGE)


async def test_several_fields_are_asked_about_before_the_first_is_filled(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    """One question for them, and with the yes each is filled once."""
    fields = [{"selector": "#field", "value": "a"}, {"selector": "#card", "value": "b"},
              {"selector": "#password", "value": "c"}]  # fmt: skip
    async with agent(f"{pages}{PAGE}") as a, attended(panel) as person:
        witness = panel.witness(pages)
        seen: list[Any] = []

        async def look(ask: Ask) -> None:
            seen.append(await witness.see("acted()", PAGE))
            person.approvals.allow(ask)

        person.decide = lambda ask: tasks.spawn(look(ask), "look")
        with under(panel, "careful"):
            await a.call("fill_form", fields=fields)
        assert [ask.why for ask in person.asks] == ["touches a card field"]
        assert seen == [[]]
        assert await witness.see("acted().filter((one) => one.startsWith('input ')).join()", PAGE) == (
            "input field,input card,input password"
        )


async def test_a_question_shows_what_exactly_where_and_the_element(agent: OpenAgent, panel: Panel, pages: str) -> None:
    async with agent(f"{pages}{PAGE}?q=a%20b") as a, attended(panel) as person:
        with under(panel, "careful"):
            await a.fails("fill", selector="#password", value="hunter2")
        (ask,) = person.asks
        assert ask.params == {"selector": "#password", "value": "hunter2", "snapshot": "none"}
        assert (ask.site, ask.matter) == (pages.removeprefix("http://"), "secret")
        assert ask.where == f"Policy – {pages}{PAGE}?q=a%20b"
        assert ask.picture is not None
        width, height = Image.open(BytesIO(ask.picture)).size
        box = await panel.witness(pages).see("(b => [b.width, b.height])(password.getBoundingClientRect())", PAGE)
        assert abs(width - box[0] - 48) < 30
        assert abs(height - box[1] - 48) < 30


class TestFrames:
    """A frame of another site than the page it is in."""

    async def loaded(self, a: Agent) -> None:
        await a.call("wait", selector="#pay >>> #paid")

    async def test_careful_asks_about_each_other_site_once(self, agent: OpenAgent, panel: Panel, pages: str) -> None:
        async with agent(f"{pages}/frames_top.html") as a, attended(panel) as person:
            await self.loaded(a)
            witness = panel.witness(pages)
            with under(panel, "careful"):
                await a.call("click", selector="#own")
                assert person.asks == []
                assert (await a.fails("click", selector="#pay >>> #paid")).startswith("DENIED: a person refused")
                assert "paid true" not in await witness.see("said", "/frames_top.html")
                (ask,) = person.taken()
                frame = f"localhost:{pages.rpartition(':')[2]}"
                assert ask.site == frame
                assert ask.why == f"acts in a frame of {frame} within {pages.removeprefix('http://')}"
                assert f"http://{frame}/frames_pay.html" in ask.where
                person.answer = "session"
                await a.call("click", selector="#pay >>> #paid")
                await a.call("click", selector="#pay >>> #paid")
                await a.call("fill", selector="#pay >>> [name=card]", value="1")
                assert len(person.taken()) == 1
                await a.call("fill", selector="#pay >>> [name=code]", value="2")
                (ask,) = person.taken()
                assert ask.why.startswith("touches a password field in a frame of localhost")
            heard = await witness.see("said", "/frames_top.html")
            assert heard.count("paid true") == 2

    async def test_a_rule_for_the_frames_site_holds_though_the_page_is_free(
        self, agent: OpenAgent, panel: Panel, pages: str
    ) -> None:
        rules = Rules()
        rules.put(Rule("read-only", site=f"localhost:{pages.rpartition(':')[2]}"))
        async with agent(f"{pages}/frames_top.html") as a:
            await self.loaded(a)
            with under(panel, "trusting", rules):
                for command, params in (
                    ("click", {"selector": "#pay >>> #paid"}),
                    ("fill", {"selector": "#pay >>> [name=card]", "value": "1"}),
                    ("drag", {"selector": "#own", "toSelector": "#pay >>> #paid"}),
                    ("press_key", {"selector": "#pay >>> [name=card]", "key": "F2"}),
                ):
                    assert (await a.fails(command, **params)).startswith("DENIED: the policy 'read-only' for localhost")
                await a.text("snapshot")
                await a.call("click", selector="#own")
            assert await panel.witness(pages).see("said", "/frames_top.html") == ["own"]


async def test_a_page_that_went_elsewhere_meanwhile_is_decided_about_anew(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    """The person says yes to code on one site; when it comes to run the tab shows another."""
    with DemoSite(PAGES) as other:
        async with agent(f"{pages}{PAGE}") as a, attended(panel) as person:
            tab = panel.hub.services.tabs.get(await current_tab(a))
            witness = panel.witness(pages)
            gone = asyncio.Event()
            panel.hub.services.tabs.navigated.connect(lambda _tab: gone.set())

            async def leave_then_allow(ask: Ask) -> None:
                await witness.see(f"void (location.href = '{other.url}{PAGE}')", PAGE)
                await gone.wait()
                person.approvals.allow(ask)

            def decide(ask: Ask) -> None:
                if len(person.asks) == 1:
                    tasks.spawn(leave_then_allow(ask), "leave")
                else:
                    person.approvals.deny(ask, "not there")

            person.decide = decide
            with under(panel, "careful"):
                error = await a.fails("evaluate", code="globalThis.ran = true")
            assert error.endswith("not there")
            assert [ask.site for ask in person.asks] == [url.removeprefix("http://") for url in (pages, other.url)]
            assert tab.url.startswith(other.url)
            assert await panel.witness(other.url).see("globalThis.ran", PAGE) is not True


async def test_answers_for_the_session_end_questions_and_for_others_they_do_not(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    async with agent(f"{pages}{PAGE}", "one") as a, agent(f"{pages}{PAGE}?two", "one") as b, attended(panel) as person:
        with under(panel, "careful"):
            person.answer = "session"
            await asyncio.gather(*(a.call("evaluate", code=f"{number}") for number in range(5)))
            assert len(person.taken()) in range(1, 6)
            await a.call("inject_script", source="1")
            assert person.taken() == []
            person.answer = None
            assert (await b.fails("evaluate", code="1")).startswith("DENIED: ")
            assert len(person.taken()) == 1


async def test_always_is_for_the_name_together_with_the_program(
    agent: OpenAgent, panel: Panel, pages: str, tmp_path: Path
) -> None:
    """Another program that calls itself the same is asked about; the rule outlives a restart."""
    kept = tmp_path / "policy.json"
    async with attended(panel) as person:
        async with agent(f"{pages}{PAGE}", "claude") as a:
            with under(panel, "careful", Rules(kept)):
                person.answer = "always"
                await a.call("evaluate", code="1")
                (ask,) = person.taken()
                assert ask.scopes == ("once", "session", "always")
                assert Path(ask.client.program).name.startswith("python")
                assert ask.client.parent
        assert kept.stat().st_mode & 0o777 == 0o600
        async with agent(f"{pages}{PAGE}", "claude") as a, agent(f"{pages}{PAGE}", "codex") as b:
            with under(panel, "careful", Rules(kept)):
                person.answer = None
                await a.call("evaluate", code="1")
                assert person.taken() == []
                arguments = ["60", sys.executable, "-m", "kapture_panel", "mcp", "--data-dir", str(panel.data.root)]
                impostor = StdioServerParameters(command="timeout", args=arguments)
                async with Client(impostor, client_info=Implementation(name="claude", version="1")) as client:
                    other = Agent(client)
                    tab = await current_tab(a)
                    panel.hub.services.router.gates.leases.release(tab)
                    assert (await other.fails("evaluate", code="1", tabId=tab)).startswith("DENIED: a person refused")
                    (ask,) = person.taken()
                    assert (ask.client.name, Path(ask.client.program).name) == ("claude", "timeout")
                assert (await b.fails("evaluate", code="1")).startswith("DENIED: a person refused")
