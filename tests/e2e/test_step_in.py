"""The person steps into a tab: mouse and keys are theirs, agents are held there and told afterwards what was done."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.watching import Composition, KeyInput, MouseInput, TextInput
from kapture_panel.demo.agent import Agent, ToolError, connect
from tests.support.e2e.panel import BOTH_KINDS, OpenAgent, Panel, current_tab
from tests.support.e2e.watcher import looking
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]

PAGE = "/step_in.html"
EMAIL, PASSWORD, LOG_IN = (100, 55), (100, 105), (100, 155)
SECRET = "correct-horse"


class Person:
    """The person's hands in a tab."""

    def __init__(self, panel: Panel, tab_id: str) -> None:
        self.hands = panel.hub.hands
        self.tab_id = tab_id

    def mouse(self, act: Any, at: tuple[float, float], **more: Any) -> None:
        self.hands.give(self.tab_id, MouseInput(act=act, x=at[0], y=at[1], **more))

    def clicks(self, at: tuple[float, float], count: int = 1) -> None:
        self.mouse("move", at)
        for number in range(1, count + 1):
            self.mouse("down", at, button="left", buttons=1, count=number)
            self.mouse("up", at, button="left", count=number)

    def presses(self, key: str, modifiers: int = 0) -> None:
        for down in (True, False):
            self.hands.give(self.tab_id, KeyInput(key=key, down=down, modifiers=modifiers))

    def types(self, text: str) -> None:
        for sign in text:
            self.presses(sign)


async def titled(panel: Panel, tab_id: str, title: str) -> None:
    """Wait until the panel knows that the page is called so."""
    tab, known = panel.hub.state.tabs.get(tab_id), asyncio.Event()

    def look(_tab: Tab) -> None:
        if tab.title == title:
            known.set()

    panel.hub.state.tabs.changed.connect(look)
    look(tab)
    async with asyncio.timeout(PATIENCE_S):
        await known.wait()
    panel.hub.state.tabs.changed.disconnect(look)


async def evaluated(agent: Agent, code: str) -> Any:
    """What the page says, seen by another agent: looking and code of one's own tab are not acts of the held one."""
    return (await agent.call("evaluate", code=code))["value"]


async def test_a_person_logs_in_while_the_agent_is_held_and_is_told_afterwards(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id, witness = await current_tab(a), panel.witness(pages)
        person = Person(panel, tab_id)
        panel.hub.hands.step_in(tab_id)
        said = await a.fails("click", selector="button")
        assert said.startswith("TAB_LEASED")
        assert "a person has stepped into the tab" in said
        assert (await a.call("list_tabs"))["tabs"][-1]["holder"] == "a person"
        person.clicks(EMAIL)
        person.types("ada@example.org")
        person.presses("Tab")
        person.types(SECRET)
        await a.call("check_visibility", selector="form")  # looking goes on, and takes nothing of the news
        person.presses("Enter")
        await panel.hub.hands.step_out(tab_id)
        await titled(panel, tab_id, "Welcome")
        assert await witness.see("[document.title, said.textContent]", PAGE) == ["Welcome", f"15 {len(SECRET)}"]
        told = await a.call("click", selector="canvas")
        assert told["lateEffects"]["person"] == {
            "title": "Welcome",
            "did": [
                'pressed textbox "Email"',
                'typed into textbox "Email"',
                'typed into textbox "Password"',
                'pressed Enter in textbox "Password"',
            ],
        }
        assert "lateEffects" not in await a.call("click", selector="canvas")
        assert not [path for path in panel.kept() if path.is_file() and SECRET.encode() in path.read_bytes()]


async def test_a_canvas_is_drawn_on_and_the_wheel_turned(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        person = Person(panel, tab_id)
        panel.hub.hands.step_in(tab_id)
        person.mouse("move", (60, 220))
        person.mouse("down", (60, 220), button="left", buttons=1, count=1)
        for x in range(70, 201, 10):
            person.mouse("move", (x, 220), button="left", buttons=1)
        person.mouse("up", (200, 220), button="left", count=1)
        person.mouse("wheel", (200, 220), deltaY=100)
        person.clicks((300, 300), count=2)
        await panel.hub.hands.step_out(tab_id)
        heard = await evaluated(a, "whenHeard('wheel 100', 'dblclick')")
        assert next(one for one in heard if "," in one) == "up 159,19 true"
        drawn = await evaluated(a, "pen.getImageData(100, 15, 1, 10).data.some(Boolean)")
        assert drawn is True


async def test_an_input_method_and_the_clipboard_write(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        person = Person(panel, tab_id)
        panel.hub.hands.step_in(tab_id)
        person.clicks(EMAIL)
        person.hands.give(tab_id, Composition(text="ni", start=2, end=2))
        person.hands.give(tab_id, TextInput(text="你好"))
        person.hands.give(tab_id, TextInput(text=" – pasted", pasted=True))
        person.presses("é")
        await panel.hub.hands.step_out(tab_id)
        assert await evaluated(a, "form.email.value") == "你好 – pastedé"
        await evaluated(a, "whenHeard('compositionend 你好')")


async def test_nothing_reaches_a_tab_that_was_given_back_and_no_button_stays_down(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        person = Person(panel, tab_id)
        person.clicks(EMAIL)
        panel.hub.hands.step_in(tab_id)
        person.mouse("down", (60, 220), button="left", buttons=1, count=1)
        await panel.hub.hands.step_out(tab_id)
        person.types("late")
        assert await evaluated(a, "[heard.length, form.email.value, document.activeElement.tagName]") == [2, "", "BODY"]


async def test_only_that_tab_is_the_persons_and_nobodys_once_it_is_closed(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a, agent(f"{pages}{PAGE}?other", "other") as b:
        tab_id, other = await current_tab(a), await current_tab(b)
        panel.hub.hands.step_in(tab_id)
        await b.call("click", tabId=other, selector="canvas")  # it is this tab alone
        person = Person(panel, tab_id)
        person.clicks(EMAIL)
        person.types("ab")
        await panel.hub.hands.step_out(tab_id)
        panel.hub.hands.step_in(tab_id)
        closed = asyncio.Event()
        panel.hub.state.tabs.removed.connect(lambda _tab: closed.set())
        router, me = panel.hub.core.router, panel.hub.state.person
        await router.run(me, "kapturemcp_close_tab", {"tabId": tab_id})
        async with asyncio.timeout(PATIENCE_S):
            await closed.wait()
        assert panel.hub.core.gates.leases.holder(tab_id) is None
        person.types("nobody hears this")
        with pytest.raises(KaptureError, match="no connected tab is called"):
            panel.hub.hands.step_in(tab_id)


async def test_a_browser_of_an_agents_own_is_watched_and_stepped_into(pages: str, panel: Panel) -> None:
    async with connect(panel.data.root, "alone", "all", "--isolated") as mcp:
        a = Agent(mcp)
        await a.call("navigate", url=pages + PAGE)
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id) as watcher:
            await watcher.sees(lambda: watcher.image.size == (1280, 720))
            panel.hub.hands.step_in(tab_id)
            Person(panel, tab_id).clicks(LOG_IN)
            assert "TAB_LEASED" in await a.fails("click", selector="canvas")
            await panel.hub.hands.step_out(tab_id)
        told = await a.call("click", selector="canvas")
        assert told["lateEffects"]["person"]["did"] == ['pressed button "Log in"']


async def test_a_second_factor_in_a_browser_of_an_agents_own_while_the_agent_waits(pages: str, panel: Panel) -> None:
    code, hub = "730519", panel.hub
    async with connect(panel.data.root, "waiting", "all", "--isolated") as mcp:
        a = Agent(mcp)
        await a.call("navigate", url=f"{pages}/second_factor.html")
        tab_id = await current_tab(a)
        tab = hub.state.tabs.get(tab_id)
        filmed = await a.call("record_video")
        with looking(hub.watching, tab_id) as watcher:
            await watcher.sees(lambda: watcher.image.size == (1280, 720))
            waiting = tasks.spawn(a.call("wait", selector="#inside", timeout=60_000), "an agent that waits")
            await panel.executing(tab_id)
            hub.hands.step_in(tab_id)
            person = Person(panel, tab_id)
            person.clicks((100, 55))
            person.types(SECRET)
            asked = asyncio.Event()
            hub.state.tabs.changed.connect(lambda _tab: asked.set() if tab.has_dialog else None)
            person.presses("Enter")
            async with asyncio.timeout(PATIENCE_S):
                await asked.wait()
            answer = {"tabId": tab_id, "accept": True}
            await hub.core.router.run(hub.state.person, "kapturemcp_handle_dialog", answer)
            person.clicks((100, 55))
            person.types(code)
            person.presses("Enter")
            with suppress(ToolError):  # what waits is told of the dialog, or goes on to what comes after it
                await waiting
            await hub.core.router.run(hub.state.person, "kapturemcp_wait", {"tabId": tab_id, "selector": "#inside"})
            await titled(panel, tab_id, f"Welcome {len(code)}")
            await hub.hands.step_out(tab_id)
        told = await a.call("click", selector="#go")
        by_person = told["lateEffects"]["person"]
        assert by_person.get("title") == f"Welcome {len(code)}", told
        assert [did for did in by_person["did"] if "typed" in did] == [
            'typed into textbox "Password"',
            'typed into textbox "Code"',
        ]
        assert code not in json.dumps(told)
        over = await a.call("record_video", stop=True)
        assert over["path"] == filmed["path"]
        hub.state.history.flush()
        kept = [path for path in panel.kept() if path.is_file()]
        assert not [path for path in kept for one in (SECRET, code) if one.encode() in path.read_bytes()]


async def test_an_agent_that_types_finishes_while_the_person_steps_in_and_is_held_then(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id) as watcher:
            await watcher.sees(lambda: True)
            text = "words that take a while"
            typing = tasks.spawn(a.call("type", selector="[name=email]", text=text, delay=20), "an agent that types")
            await panel.executing(tab_id)
            await panel.witness(pages).see(
                "new Promise((done) => form.email.addEventListener('input', done, {once: true})).then(() => 1)", PAGE
            )
            panel.hub.hands.step_in(tab_id)
            await typing
            assert "TAB_LEASED" in await a.fails("click", selector="canvas")
            Person(panel, tab_id).clicks(PASSWORD)
            await panel.hub.hands.step_out(tab_id)
        assert await evaluated(a, "form.email.value") == text
        assert (await a.call("click", selector="canvas"))["outcome"]


async def test_a_tab_of_another_size_is_still_pressed_where_the_person_sees_it(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id) as watcher:
            panel.hub.hands.step_in(tab_id)
            await panel.hub.core.router.run(
                panel.hub.state.person, "kapturemcp_resize", {"tabId": tab_id, "width": 500, "height": 400}
            )
            await watcher.sees(lambda: watcher.pictures[-1].width == 500)
            Person(panel, tab_id).clicks(LOG_IN)
            await panel.hub.hands.step_out(tab_id)
        did = (await a.call("click", selector="canvas"))["lateEffects"]["person"]["did"]
        assert did == ["resize", 'pressed button "Log in"']
        await a.call("resize", width=0, height=0)
