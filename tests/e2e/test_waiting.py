"""An action waits until its target is there, visible, enabled and uncovered, and says how long it waited."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Panel, Visit, current_tab
from tests.support.patience import PATIENCE_MS, PATIENCE_S
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/waiting.html"


async def begin(agent: Agent, cause: str, factor: int = 1) -> None:
    await agent.call("evaluate", code=f"seen.length = 0; factor = {factor}; causes.{cause}()")


async def begun(agent: Agent, cause: str) -> AsyncIterator[dict[str, Any]]:
    """Begin a cause, and what its command takes beside a target; again until the command was there before its target.

    On a busy machine a command may come so late that nothing is left to wait for. Then the page is loaded again and
    takes longer, which may be longer than a command waits by itself.
    """
    await begin(agent, cause)
    yield {}
    for doubled in range(1, 7):
        await agent.call("reload")
        await begin(agent, cause, 2**doubled)
        yield {"timeout": PATIENCE_MS}
    raise AssertionError("never waited for")


def waited(failed: str) -> float:
    """How many seconds a click waited for a button that stays disabled, as its error tells."""
    assert failed.startswith('ELEMENT_NOT_VISIBLE: <button id="go"> is disabled'), failed
    told = re.search(r"\(waited ([\d.]+) s\)", failed)
    assert told is not None, failed
    return float(told[1])


async def clicked(agent: Agent) -> list[str]:
    found: list[str] = (await agent.call("evaluate", code="seen"))["value"]
    return found


#: On a busy machine they may be there before the click comes.
BY_ITSELF = {"open", "rows"}

#: In this order: the page keeps what each leaves.
CLICKS: dict[str, tuple[str, str]] = {
    "enable": ("#go", "go"),
    "ariaEnable": ("#go", "go"),
    "show": ("#go", "go"),
    "rule": ("#go", "go"),
    "add": ("#go", "go"),
    "uncover": ("#go", "go"),
    "fade": ("#go", "go"),
    "open": ("#last", "last"),
    "rows": ("#row2", "row2"),
    "shadow": ("#host >>> #go", "host"),
    "frame": ("#frame >>> #inner", "inner"),
}


async def test_a_click_waits_for_its_target_and_tells_that_if_it_need(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        answer = await agent.call("click", selector="#go")
        assert "waitedMs" not in answer
        assert await clicked(agent) == ["go"]
        for cause, (selector, target) in CLICKS.items():
            with naming(cause):
                async for more in begun(agent, cause):
                    answer = await agent.call("click", selector=selector, **more)
                    assert await clicked(agent) == [target], answer
                    if answer.get("waitedMs") or cause in BY_ITSELF:
                        break


WAITS: dict[str, tuple[str, dict[str, Any], str]] = {
    "option": ("select", {"selector": "#choice", "value": "two"}, "choice.value"),
    "readOnly": ("fill", {"selector": "#name", "value": "two"}, "document.getElementById('name').value"),
}


async def test_filling_and_choosing_wait_too(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for cause, (command, params, value) in WAITS.items():
            with naming(cause):
                async for more in begun(agent, cause):
                    answer = await agent.call(command, **params, **more)
                    assert (await agent.call("evaluate", code=value))["value"] == "two"
                    if answer.get("waitedMs"):
                        break


async def test_a_submenu_is_waited_for_after_its_parent_is_hovered(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        await agent.call("hover", selector="#parent")
        await agent.call("click", selector="#sub")
        assert await clicked(agent) == ["sub"]


async def test_a_page_on_which_nothing_happens_is_given_up_early(visitor: Visit, pages: str) -> None:
    """In less than half of a time that was given; a machine may be so busy now and then that it takes longer."""
    async with visitor(pages + PAGE) as agent:
        await begin(agent, "never")
        early = given = 0.0
        async with asyncio.timeout(PATIENCE_S):
            while given <= 2 * early:
                early = waited(await agent.fails("click", selector="#go"))
                given = waited(await agent.fails("click", selector="#go", wait=4000))


async def test_a_time_that_was_given_is_waited_through(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for given in ("wait", "timeout"):
            with naming(given):
                async for _ in begun(agent, "slow"):
                    answer = await agent.call("click", selector="#go", **{given: PATIENCE_MS})
                    assert await clicked(agent) == ["go"], answer
                    if answer.get("waitedMs"):
                        break


async def test_a_request_under_way_is_waited_for_though_nothing_happens(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        async for more in begun(agent, "busy"):
            answer = await agent.call("click", selector="#go", **more)
            assert await clicked(agent) == ["go"], answer
            if answer.get("waitedMs"):
                break


#: A command that acts on an element each, with what it takes beside a target.
ACTIONS: dict[str, dict[str, Any]] = {
    "click": {},
    "hover": {},
    "drag": {"toX": 5, "toY": 5},
    "fill": {"value": "a"},
    "type": {"text": "a"},
    "press_key": {"key": "a"},
    "insert_text": {"text": "a"},
    "select": {"value": "one"},
    "scroll": {},
}


async def test_with_no_wait_an_error_comes_at_once(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for command, params in ACTIONS.items():
            with naming(command):
                failed = await agent.fails(command, selector="#none", wait=0, **params)
                assert failed.startswith("ELEMENT_NOT_FOUND"), failed
                assert "waited" not in failed
                assert "waited" in await agent.fails(command, selector="#none", wait=50, **params)


async def test_a_wait_of_files_and_forms(
    panel: Panel, visitor: Visit, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel.hub.core.router.gates.policy, "allow_dirs", (tmp_path.resolve(),))
    async with visitor(pages + PAGE) as agent:
        fields = [{"selector": "#none", "value": "a"}]
        file = tmp_path / "a.txt"
        file.write_text("a", encoding="utf-8")
        for wait, told in ((0, False), (50, True)):
            assert ("waited" in await agent.fails("fill_form", fields=fields, wait=wait)) is told
            assert (
                "waited" in await agent.fails("upload_file", selector="#none", paths=[str(file)], wait=wait)
            ) is told


async def test_a_dialog_ends_a_wait(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        await agent.call("evaluate", code="setTimeout(() => alert('Now'), 200)")
        assert (await agent.fails("click", selector="#none", wait=20_000)).startswith("DIALOG_OPEN")
        await agent.call("handle_dialog", accept=True)
        await agent.call("click", selector="#go")
        assert await clicked(agent) == ["go"]


async def test_a_wait_that_is_cancelled_does_nothing_afterwards(panel: Panel, visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        waiting = tasks.spawn(agent.call("click", selector="#later", wait=600_000), "a click")
        await panel.executing(await current_tab(agent))
        await tasks.end(waiting)
        later = "document.body.insertAdjacentHTML('beforeend', '<button id=later>Later</button>')"
        await agent.call("evaluate", code=f"{later}; later.onclick = () => seen.push('later')")
        await agent.call("click", selector="#go")
        assert await clicked(agent) == ["go"]
