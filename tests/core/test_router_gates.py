"""What the router does with what its gates say: ask, refuse, cut, hold."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import World, failed, ok, refused
from tests.support.core.router import running


def needs_approval(site: str) -> Response:
    """What the extension answers as long as nobody granted the tab's origin."""
    more = {"site": site, "origin": f"https://{site}", "url": f"https://{site}/?q=1", "title": "Inbox"}
    return failed("NEEDS_APPROVAL", "a person is asked first", **more)


class Asking:
    """An extension whose tab is at `site`, and a person who answers each ask with `decide`."""

    def __init__(self, world: World, decide: Callable[[Ask], object]) -> None:
        self.site = "mail.example"
        self.asks: list[Ask] = []
        self.grants: list[list[str] | str] = []
        self._world = world
        self._decide = decide
        world.executor.answers["connect_tab"] = self._answer
        world.router.gates.approvals.attend()
        world.router.gates.approvals.added.connect(self._on_added)

    async def _answer(self, _params: dict[str, Any]) -> Response:
        origins = self._world.executor.sent[-1].grant.origins
        self.grants.append(origins)
        if origins == "*" or f"https://{self.site}" in origins:
            return ok({"tabId": "t9", "url": "https://mail.example/", "title": "Inbox"})
        return needs_approval(self.site)

    def _on_added(self, ask: Ask) -> None:
        self.asks.append(ask)
        asyncio.get_running_loop().call_soon(self._decide, ask)


async def test_a_command_that_asks_is_sent_again_with_what_the_person_granted(world: World) -> None:
    asking = Asking(world, world.router.gates.approvals.allow)
    answer = await world.run("connect_tab", browserTabId=7)
    assert answer.result["tabId"] == world.agent.current_tab == "t9"
    assert asking.grants == [[], ["https://mail.example"]]
    (ask,) = asking.asks
    assert (ask.client, ask.params, ask.site) == (world.agent, {"browserTabId": 7}, "mail.example")
    assert (ask.why, ask.scopes) == ("shares a tab that is not connected", ("once",))
    assert ask.where == "Inbox – https://mail.example/?q=1"
    assert world.executor.opened_browsers == 0


@pytest.mark.parametrize("decide", [Approvals.allow, Approvals.deny])
async def test_how_long_the_person_thought_is_told_apart_from_how_long_it_took(
    world: World, decide: Callable[[Approvals, Ask], object]
) -> None:
    approvals = world.router.gates.approvals
    Asking(world, lambda ask: asyncio.get_running_loop().call_later(0.05, decide, approvals, ask))
    heard: list[Answer] = []
    world.router.answered.connect(lambda _client, answer: heard.append(answer))
    begun = time.perf_counter()
    with contextlib.suppress(KaptureError):
        await world.run("connect_tab", browserTabId=7)
    all_ms = (time.perf_counter() - begun) * 1000
    row = world.row()
    assert row.waited_ms >= 49
    assert row.ms is not None
    for ms in (row.ms, *(answer.ms for answer in heard)):
        assert ms + row.waited_ms <= all_ms + 1


async def test_a_refused_command_is_not_sent_again_and_tells_only_the_host(world: World) -> None:
    asking = Asking(world, lambda ask: world.router.gates.approvals.deny(ask, "private"))
    with pytest.raises(KaptureError) as denied:
        await world.run("connect_tab", browserTabId=7)
    assert denied.value.as_wire() == {
        "code": "DENIED", "message": "a person refused connect_tab on mail.example: private",
    }  # fmt: skip
    assert asking.grants == [[]]
    assert (world.row().state, world.row().code) == ("error", "DENIED")
    assert world.agent.current_tab == ""


async def test_a_tab_that_went_elsewhere_while_the_person_thought_is_asked_about_anew(world: World) -> None:
    def decide(ask: Ask) -> None:
        asking.site = "bank.example"
        world.router.gates.approvals.allow(ask)

    asking = Asking(world, decide)
    await world.run("connect_tab", browserTabId=7)
    assert asking.grants == [[], ["https://mail.example"], ["https://mail.example", "https://bank.example"]]
    assert [ask.site for ask in asking.asks] == ["mail.example", "bank.example"]


async def test_the_person_is_not_asked(world: World) -> None:
    asking = Asking(world, world.router.gates.approvals.deny)
    await world.router.run(world.person, "connect_tab", {"browserTabId": 7})
    assert (asking.grants, asking.asks) == (["*"], [])


async def test_a_client_that_leaves_takes_its_asks_with_it(world: World) -> None:
    asking = Asking(world, lambda _ask: world.clients.remove(world.agent))
    with pytest.raises(KaptureError, match="taken back"):
        await world.run("connect_tab", browserTabId=7)
    assert asking.asks[0].state == "withdrawn"
    assert asking.grants == [[]]


async def test_paused_agents_are_refused_and_leave_one_row_for_all_they_try(world: World) -> None:
    world.tab()
    world.router.gates.pause.hold()
    for said in ("", "2 calls refused, this one first: ", "3 calls refused, this one first: "):
        assert (await refused(world, "click", selector="#a")).code == "PAUSED"
        assert world.row().summary == f"{said}a person paused the agents"
    assert ([row.code for row in world.history.rows()], world.executor.sent) == (["PAUSED"], [])
    assert [row.params for row in world.history.rows()] == [{"selector": "#a"}], "a person sees what was tried"
    await world.router.run(world.person, "click", {"selector": "#a"})
    world.router.gates.pause.lift()
    await world.run("reload")
    world.router.gates.pause.hold()
    await refused(world, "fill", selector="#a", value="what is typed")
    assert [row.code for row in world.history.rows()] == ["PAUSED", "", "", "PAUSED"]
    assert "what is typed" not in repr(world.history.rows())
    assert world.row().summary == "a person paused the agents", "of another pause"
    world.history.forget("1", ())
    await refused(world, "fill", selector="#a", value="what is typed")
    assert [row.code for row in world.history.rows()] == ["PAUSED"]


async def test_an_action_cut_by_a_pause_is_unknown_in_its_row_and_taken_back_over_there(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    going = running(world, "reload")
    await world.executor.arrived.get()
    world.router.gates.pause.hold()
    with pytest.raises(KaptureError) as error:
        await going
    assert (error.value.code, world.row().state) == ("OUTCOME_UNKNOWN", "unknown")
    assert world.executor.cancelled == ["reload"]


async def test_a_tab_is_held_by_who_acts_in_it_and_an_action_that_was_not_sent_holds_nothing(world: World) -> None:
    world.tab()
    other = Client("cursor", "agent")
    await world.run("snapshot")
    world.executor.answers["click"] = failed("NEEDS_APPROVAL", origin="https://x.example", site="x.example", url="")
    world.router.gates.policy.preset = "read-only"
    world.router.gates.policy.rules.put(Rule("trusting", site="shop.example"))
    assert (await refused(world, "click", selector="#a")).code == "DENIED"
    assert world.router.gates.leases.holder("t1") is None
    world.executor.answers.clear()
    await world.run("click", selector="#a")
    with pytest.raises(KaptureError) as error:
        await world.router.run(other, "click", {"selector": "#a"})
    assert (error.value.code, error.value.details) == ("TAB_LEASED", {"holder": "claude"})
    assert (world.row().client, world.row().state, world.row().code) == ("cursor", "error", "TAB_LEASED")
    await world.router.run(other, "snapshot", {})


@pytest.mark.parametrize(
    ("code", "is_held"),
    [("NOT_SENT", False), ("TAB_DISCONNECTED", False), ("PAUSED", False), ("OUTCOME_UNKNOWN", True)],
)
async def test_a_command_that_never_left_gives_its_tab_back(world: World, code: str, is_held: bool) -> None:
    world.tab()
    world.executor.answers["click"] = KaptureError(code, "the connection is closed")
    assert (await refused(world, "click", selector="#a")).code == code
    assert (world.router.gates.leases.holder("t1") is world.agent) == is_held
    # What was held before stays held.
    world.executor.answers.pop("click")
    await world.run("click", selector="#a")
    world.executor.answers["click"] = KaptureError(code, "the connection is closed")
    await refused(world, "click", selector="#a")
    assert world.router.gates.leases.holder("t1") is world.agent


async def test_a_tab_that_a_command_closed_is_held_by_nobody(world: World) -> None:
    tab, gone = world.tab(), world.tab("t2")

    async def closing(_params: dict[str, Any]) -> Response:
        world.tabs.remove(tab)
        world.tabs.remove(gone)
        return ok({}, effects={"newTabs": [{"tabId": "t2"}]})

    world.executor.answers["close_tab"] = closing
    await world.run("close_tab", tabId="t1")
    world.tab()
    world.tab("t2")
    assert [world.router.gates.leases.holder(tab_id) for tab_id in ("t1", "t2")] == [None, None]


async def test_who_is_too_fast_is_told_when_to_try_again(world: World) -> None:
    world.tab()
    world.router.gates.policy.rules.set_rate(Rate(per_s=1, burst=2))
    for _ in range(2):
        await world.run("snapshot")
    error = await refused(world, "snapshot")
    assert error.code == "RATE_LIMITED"
    assert 0 < error.details["retryAfterMs"] <= 1000
    await world.router.run(world.person, "snapshot", {})
