"""The person's answers, in a real page: what is asked, what a yes covers, and for how long."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import Implementation
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.rules import Rule, Rules
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent
from kapture_panel.demo.site import DemoSite
from tests.support.e2e.exports import kapture
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, Visit, current_tab
from tests.support.e2e.policy import PAGE, attended, under

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """What the marks stand for: a picture in a folder agents may read, and one beside it."""
    png = (Path(PAGES).parents[2] / "resources/icons").rglob("*.png")
    picture = next(png).read_bytes()
    for name in ("allowed", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.png").write_bytes(picture)
    return {"<inside>": str(tmp_path / "allowed/a.png"), "<outside>": str(tmp_path / "other/a.png")}


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


async def test_a_question_shows_what_exactly_where_and_the_element(visitor: Visit, panel: Panel, pages: str) -> None:
    async with visitor(f"{pages}{PAGE}?q=a%20b") as a, attended(panel) as person:
        with under(panel, "careful"):
            await a.fails("fill", selector="#password", value="hunter2")
        (ask,) = person.asks
        assert ask.params == {"selector": "#password", "value": "hunter2", "snapshot": "none"}
        assert (ask.site, ask.permission) == (pages.removeprefix("http://"), "secret")
        assert ask.where == f"Policy – {pages}{PAGE}?q=a%20b"
        assert ask.picture is not None
        width, height = Image.open(BytesIO(ask.picture)).size
        box = await panel.witness(pages).see("(b => [b.width, b.height])(password.getBoundingClientRect())", PAGE)
        assert abs(width - box[0] - 48) < 30
        assert abs(height - box[1] - 48) < 30


#: Where a person must scroll to.
PLACE = "position: absolute; top: 1500px; left: 300px; width: 90px; height: 40px; border: 0; background: red"


def in_the_middle_is_red(picture: bytes) -> bool:
    """Whether a picture shows an element at `PLACE`, left of the words in it."""
    with Image.open(BytesIO(picture)) as shown:
        pixel = shown.convert("RGB").getpixel((shown.width // 2 - 30, shown.height // 2))
    assert isinstance(pixel, tuple)
    return pixel[0] > 200 > 60 > pixel[2]


async def test_a_secret_field_of_a_scrolled_page_is_shown_itself(visitor: Visit, panel: Panel, pages: str) -> None:
    async with visitor(f"{pages}{PAGE}") as a, attended(panel) as person:
        await a.text("evaluate", code=f"password.style = {PLACE!r}; scrollTo(0, 1300)")
        with under(panel, "careful"):
            await a.fails("fill", selector="#password", value="hunter2")
        (ask,) = person.asks
        assert ask.picture is not None
        assert in_the_middle_is_red(ask.picture), "the field is not in the middle of the picture"


@pytest.mark.parametrize("target", [{"selector": "#pad"}, {"xpath": "//button"}])
async def test_a_rule_that_asks_shows_the_element_of_a_scrolled_page_and_touches_nothing(
    visitor: Visit, panel: Panel, pages: str, target: dict[str, str]
) -> None:
    rules = Rules()
    rules.put(Rule("ask", command="click"))
    async with visitor(f"{pages}{PAGE}") as a, attended(panel) as person:
        await a.text("evaluate", code=f"pad.style = {PLACE!r}; scrollTo(0, 1300)")
        with under(panel, "trusting", rules):
            assert (await a.fails("click", **target)).startswith("DENIED: a person refused")
            (ask,) = person.taken()
            assert ask.scene.element == "button “Pad”"
            assert ask.picture is not None
            assert in_the_middle_is_red(ask.picture), "the element is not in the middle of the picture"
            assert await panel.witness(pages).see("scrollY", PAGE) == 1300
            assert (await a.fails("click", selector="#nowhere")).startswith("DENIED: a person refused")
            (ask,) = person.taken()
            assert (ask.scene.element, ask.picture) == ("#nowhere", None)


@pytest.mark.parametrize(
    ("command", "params"),
    [("click", {"selector": "#pad"}), ("fill", {"selector": "#password", "value": "hunter2"})],
    ids=["rule", "secret"],
)
async def test_what_came_since_the_last_answer_is_told_though_a_person_is_asked_first(
    agent: OpenAgent, panel: Panel, pages: str, command: str, params: dict[str, str]
) -> None:
    rules = Rules()
    rules.put(Rule("ask", command="click"))
    async with agent(f"{pages}{PAGE}") as a, attended(panel) as person:
        person.answer = "once"
        await panel.witness(pages).see("console.error('late news')", PAGE)
        with under(panel, "careful", rules):
            answer = await a.call(command, **params)
        assert len(person.asks) == 1
        assert answer["lateEffects"]["consoleErrors"] == ["late news"]


async def test_a_script_that_is_run_waits_for_the_answer_as_an_agent_would(
    panel: Panel, pages: str, tmp_path: Path
) -> None:
    """Its first call is told that nobody has decided; the same call joins the question, and a yes lets it go on."""
    rules, file = Rules(), tmp_path / "job.json"
    rules.put(Rule("ask", command="evaluate"))
    steps: list[dict[str, Any]] = [
        {"command": "new_tab", "params": {"url": f"{pages}/blank.html?run"}, "opens": "tab1"},
        {"command": "evaluate", "params": {"code": "document.title += '!'", "timeout": 2000}, "tab": "tab1"},
        {"command": "evaluate", "params": {"code": "document.title += '?'"}, "tab": "tab1"},
    ]
    file.write_text(json.dumps({"version": 1, "steps": steps}))
    waits: list[int] = []
    async with attended(panel) as person:

        def on_waited(ask: Ask) -> None:
            waits.append(ask.waiting)
            if ask.params["code"].endswith("'?'") or waits == [1, 0, 1]:
                asyncio.get_running_loop().call_soon(person.approvals.allow, ask)

        person.decide = lambda _ask: None
        person.approvals.waited.connect(on_waited)
        with under(panel, "trusting", rules):
            code, out, err = await kapture("run", str(file), "--data-dir", str(panel.data.root))
        person.approvals.waited.disconnect(on_waited)
        assert code == 0, err
        assert waits[:4] == [1, 0, 1, 0], "the second call joined the question of the first"
        assert [ask.params["code"] for ask in person.asks] == [step["params"]["code"] for step in steps[1:]]
        told = "kapture: the panel's window asks you about this step; the run waits there\n"
        assert err.startswith(told)
        assert out.splitlines()[-1].startswith("3/3  evaluate")
        (made,) = [tab for tab in panel.hub.state.tabs if tab.url.endswith("?run")]
        assert made.title.endswith("!?"), "each step was done once"
        await panel.hub.core.router.run(panel.hub.state.person, "close_tab", {"tabId": made.tab_id})


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
        self, visitor: Visit, panel: Panel, pages: str
    ) -> None:
        rules = Rules()
        rules.put(Rule("read-only", site=f"localhost:{pages.rpartition(':')[2]}"))
        async with visitor(f"{pages}/frames_top.html") as a:
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


@asynccontextmanager
async def late_to_hear(panel: Panel) -> AsyncIterator[None]:
    """Questions are not told when their page is left: as in the moment before the panel knows."""
    tabs, approvals = panel.hub.state.tabs, panel.hub.core.router.gates.approvals
    tabs.changed.disconnect(approvals.on_tab_changed)
    tabs.navigated.disconnect(approvals.on_navigated)
    try:
        yield
    finally:
        tabs.changed.connect(approvals.on_tab_changed)
        tabs.navigated.connect(approvals.on_navigated)


async def test_a_question_about_a_page_that_was_left_is_over(agent: OpenAgent, panel: Panel, pages: str) -> None:
    """Nobody is asked about what is not there any more; the agent is told, and nothing runs on the other page."""
    with DemoSite(PAGES) as other:
        async with agent(f"{pages}{PAGE}") as a, attended(panel) as person:
            witness = panel.witness(pages)
            person.decide = lambda _ask: tasks.spawn(
                witness.see(f"void (location.href = '{other.url}{PAGE}')", PAGE), "leave"
            )
            with under(panel, "careful"):
                error = await a.fails("evaluate", code="globalThis.ran = true")
            assert error.startswith("APPROVAL_EXPIRED: the page was left for")
            assert " before evaluate, which needs a person's yes, could begin; nothing was done" in error
            (ask,) = person.asks
            assert ask.state == "outdated"
            assert not person.approvals.allow(ask)
            assert await panel.witness(other.url).see("globalThis.ran", PAGE) is not True


async def test_a_page_that_went_elsewhere_meanwhile_is_decided_about_anew(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    """The person says yes to code on one site before the panel hears that the tab has left it."""
    with DemoSite(PAGES) as other:
        async with agent(f"{pages}{PAGE}") as a, attended(panel) as person, late_to_hear(panel):
            tab = panel.hub.state.tabs.get(await current_tab(a))
            witness = panel.witness(pages)
            gone = asyncio.Event()
            panel.hub.state.tabs.navigated.connect(lambda _tab: gone.set())

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


async def test_a_page_that_only_gives_itself_another_path_leaves_the_question(
    visitor: Visit, panel: Panel, pages: str
) -> None:
    """As single-page apps do: the document is the one that was asked about."""
    async with visitor(f"{pages}{PAGE}") as a, attended(panel) as person:
        tab = panel.hub.state.tabs.get(await current_tab(a))
        witness = panel.witness(pages)
        pushed = asyncio.Event()

        def on_changed(changed: Tab) -> None:
            if changed is tab and tab.url.endswith("/step/2"):
                pushed.set()

        async def push_then_allow(ask: Ask) -> None:
            await witness.see("void history.pushState(null, '', '/step/2')", PAGE)
            await pushed.wait()
            person.approvals.allow(ask)

        panel.hub.state.tabs.changed.connect(on_changed)
        try:
            person.decide = lambda ask: tasks.spawn(push_then_allow(ask), "push")
            with under(panel, "careful"):
                assert "/step/2" in await a.text("evaluate", code="location.pathname")
        finally:
            panel.hub.state.tabs.changed.disconnect(on_changed)


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
                    panel.hub.core.router.gates.leases.release(tab)
                    assert (await other.fails("evaluate", code="1", tabId=tab)).startswith("DENIED: a person refused")
                    (ask,) = person.taken()
                    assert (ask.client.name, Path(ask.client.program).name) == ("claude", "timeout")
                assert (await b.fails("evaluate", code="1")).startswith("DENIED: a person refused")
