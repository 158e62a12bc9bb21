"""Who keeps the time of a command, and what becomes of one that is given up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.core import router
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import CATALOGUE, World, failed, refused
from tests.support.core.router import running


async def test_a_caller_that_gives_up_cancels_the_command_and_settles_the_row(world: World) -> None:
    tab = world.tab()
    world.executor.open.clear()
    call = running(world, "click", ref="e1")
    await world.executor.arrived.get()
    await tasks.end(call)
    assert call.cancelled()
    assert world.executor.cancelled == ["click"]
    assert (world.row().state, world.row().summary) == ("cancelled", "cancelled by its caller")
    assert (tab.state, world.agent.running, world.agent.errors) == ("connected", 0, 0)


async def test_a_tab_that_does_not_answer_is_given_up_after_its_timeout(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "GRACE_S", 0.0)
    world.tab()
    world.executor.open.clear()
    error = await refused(world, "count_elements", selector="a", timeout=1)
    assert error.code == "COMMAND_TIMEOUT"
    assert error.message.startswith("count_elements did not answer within 1 ms;")
    assert (world.row().state, world.row().code) == ("error", "COMMAND_TIMEOUT")
    error = await refused(world, "click", ref="e1", timeout=1)
    assert error.code == "OUTCOME_UNKNOWN"
    assert error.message.startswith("click did not answer within 1 ms, and may have been done;")
    assert world.executor.cancelled == ["count_elements", "click"]
    assert (world.row().state, world.row().code) == ("unknown", "OUTCOME_UNKNOWN")


async def test_the_extension_has_a_grace_to_tell_of_its_own_timeout(world: World) -> None:
    assert router.GRACE_S > 0
    world.tab()
    world.executor.answers["click"] = failed("COMMAND_TIMEOUT", "the element did not come to rest")
    assert "come to rest" in (await refused(world, "click", ref="e1", timeout=1)).message


class Preparing:
    """Stands around a command's sending: says when it began, then waits to be let on."""

    def __init__(self) -> None:
        self.began, self.on = asyncio.Event(), asyncio.Event()

    async def __call__(self, _call: Call, _tab: Tab, params: dict[str, Any], send: router.Send) -> Response:
        self.began.set()
        await self.on.wait()
        return await send(params)


def prepared(world: World) -> Preparing:
    preparing = Preparing()
    world.router = world.made(Policy(), world._list_tabs, {CATALOGUE.get("inject_script").wrapper: preparing}).router
    return preparing


async def test_what_is_done_before_sending_keeps_the_timeout(world: World) -> None:
    world.tab()
    prepared(world)
    error = await refused(world, "inject_script", source="1", timeout=30)
    assert error.code == "COMMAND_TIMEOUT"
    assert error.message == "inject_script did not answer within 30 ms; nothing was done: try a longer timeout"
    assert world.executor.sent == []


async def test_what_is_done_before_sending_ends_with_the_tab_and_with_no_other(world: World) -> None:
    tab, other = world.tab(), world.tab("t2")
    preparing = prepared(world)
    injecting = running(world, "inject_script", source="1", tabId="t1")
    await preparing.began.wait()
    world.tabs.remove(other)
    await asyncio.sleep(0)
    assert not injecting.done()
    world.tabs.remove(tab)
    with pytest.raises(KaptureError, match="the tab t1 was closed or disconnected; nothing was done") as raised:
        await injecting
    assert raised.value.code == "TAB_DISCONNECTED"
    assert world.executor.sent == []


async def test_once_it_is_sent_the_extension_has_what_is_left_of_the_time_and_the_last_word(world: World) -> None:
    tab = world.tab()
    preparing = prepared(world)
    world.executor.open.clear()
    world.executor.answers["inject_script"] = failed("TAB_CRASHED", "its own words")
    injecting = running(world, "inject_script", source="1", timeout=60_000)
    await preparing.began.wait()
    await asyncio.sleep(0.01)  # takes this much of the time
    preparing.on.set()
    sent = await world.executor.arrived.get()
    assert 0 < sent.timeout_ms <= 59_990
    world.tabs.remove(tab)
    world.executor.open.set()
    with pytest.raises(KaptureError, match="its own words"):
        await injecting


async def test_a_command_of_the_panel_ends_at_its_timeout(world: World) -> None:
    async def never(_client: Client, _params: dict[str, Any]) -> Any:
        await asyncio.Event().wait()

    world.router = world.made(Policy(), never).router
    error = await refused(world, "list_tabs", timeout=20)
    assert error.code == "COMMAND_TIMEOUT"
    assert error.message == "list_tabs did not answer within 20 ms; try a longer timeout"
