"""A yes to one call is for the tab and the page it was given for, whoever comes for it how late."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import World, failed, ok, refused
from tests.support.core.inbox import next_round

PENDING = {"code": "1", "timeout": 1}


@pytest.fixture
def two(world: World) -> list[Tab]:
    """Two tabs of one site, under a person who takes their time; the agent works in the first."""
    world.router.gates.policy = Policy("careful")
    world.router.gates.approvals.attend()
    world.agent.current_tab = "t1"
    return [world.tab("t1"), world.tab("t2")]


@pytest.fixture
def approvals(world: World) -> Approvals:
    return world.router.gates.approvals


@pytest.fixture
def asked(approvals: Approvals) -> list[Ask]:
    asks: list[Ask] = []
    approvals.added.connect(asks.append)
    return asks


def done(world: World) -> list[str]:
    """Where code ran."""
    return [sent.tab_id for sent in world.executor.sent if sent.command == "evaluate"]


def left(world: World, tab: Tab, url: str = "https://shop.example/other") -> None:
    world.tabs.update(tab, url=url)
    world.tabs.navigated.emit(tab)


@pytest.mark.parametrize("is_allowed", [True, False])
async def test_the_same_call_in_another_tab_of_the_site_is_another_question(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask], *, is_allowed: bool
) -> None:
    assert (await refused(world, "evaluate", **PENDING)).code == "APPROVAL_PENDING"
    if is_allowed:
        approvals.allow(asked[0])
    await world.run("snapshot", tabId="t2")
    again = tasks.spawn(world.run("evaluate", code="1"), "in the other tab")
    await next_round()
    assert [ask.scene.tab for ask in asked] == two
    if not is_allowed:
        approvals.allow(asked[0])
        await next_round()
    assert done(world) == []
    await tasks.end(again)
    world.agent.current_tab = "t1"
    await world.run("evaluate", code="1")
    assert done(world) == ["t1"]


async def test_a_yes_that_nobody_used_ends_with_its_page(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    await refused(world, "evaluate", **PENDING)
    approvals.allow(asked[0])
    left(world, two[1])
    assert asked[0].state == "allowed", "another tab's page was left"
    left(world, two[0])
    assert (await refused(world, "evaluate", **PENDING)).code == "APPROVAL_PENDING"
    assert (len(asked), done(world), list(approvals._timers)) == (2, [], asked[1:])


async def test_a_yes_that_nobody_used_ends_with_its_tab(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    await refused(world, "evaluate", **PENDING)
    approvals.allow(asked[0])
    world.tabs.remove(two[1])
    assert asked[0].state == "allowed"
    world.tabs.remove(two[0])
    world.tab("t1")
    world.agent.current_tab = "t1"
    assert (await refused(world, "evaluate", **PENDING)).code == "APPROVAL_PENDING"
    assert (len(asked), done(world)) == (2, [])


async def test_a_yes_holds_while_the_page_rewrites_its_own_address(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    await refused(world, "evaluate", **PENDING)
    approvals.allow(asked[0])
    world.tabs.update(two[0], url="https://shop.example/cart#pay", title="Cart (1)")
    await world.run("evaluate", code="1")
    assert (len(asked), done(world)) == (1, ["t1"])


async def test_a_call_that_was_allowed_as_its_page_was_left_is_not_carried_out(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    call = tasks.spawn(world.run("evaluate", code="1"), "waits")
    await next_round()
    approvals.allow(asked[0])
    left(world, two[0])
    with pytest.raises(KaptureError, match="the page was left") as outdated:
        await call
    assert (outdated.value.code, len(asked), done(world)) == ("APPROVAL_EXPIRED", 1, [])


async def test_a_yes_for_the_conversation_is_not_bound_to_the_page(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    call = tasks.spawn(world.run("evaluate", code="1"), "waits")
    await next_round()
    approvals.allow(asked[0], "session")
    left(world, two[0])
    await call
    assert (len(asked), done(world)) == (1, ["t1"])


async def test_a_refusal_is_told_though_the_page_was_left(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    await refused(world, "evaluate", **PENDING)
    approvals.deny(asked[0], "never")
    left(world, two[0])
    error = await refused(world, "evaluate", code="1")
    assert (error.code, error.what) == ("DENIED", "a person refused evaluate on shop.example: never")


async def test_another_client_s_yes_is_not_used(
    world: World, two: list[Tab], approvals: Approvals, asked: list[Ask]
) -> None:
    other = Client("codex", "agent")
    world.clients.add(other)
    await refused(world, "evaluate", **PENDING)
    approvals.allow(asked[0])
    with pytest.raises(KaptureError, match="has not decided yet"):
        await world.router.run(other, "evaluate", {**PENDING, "tabId": "t1"})
    assert (len(asked), done(world)) == (2, [])


async def test_a_tab_of_the_person_s_is_closed_only_with_a_yes_to_that_one(world: World) -> None:
    approvals, asks = world.router.gates.approvals, list[Ask]()
    approvals.attend()
    approvals.added.connect(asks.append)
    for tab_id in ("t1", "t2"):
        world.tab(tab_id, managed=False)
    world.agent.current_tab = "t1"
    assert (await refused(world, "close_tab", timeout=1)).code == "APPROVAL_PENDING"
    approvals.allow(asks[0])
    await world.run("snapshot", tabId="t2")
    assert (await refused(world, "close_tab", timeout=1)).code == "APPROVAL_PENDING"
    assert [sent.command for sent in world.executor.sent if sent.command == "close_tab"] == []


async def test_a_yes_to_a_new_tab_is_about_no_tab(world: World, two: list[Tab], asked: list[Ask]) -> None:
    async def elsewhere(_params: dict[str, Any]) -> Response:
        if "https://bank.example" in world.executor.sent[-1].grant.origins:
            return ok({"tabId": "t3"})
        return failed("NEEDS_APPROVAL", "", origin="https://bank.example", url="https://bank.example/")

    world.executor.answers["new_tab"] = elsewhere
    wanted = {"url": "https://bank.example/", "timeout": 1}
    assert (await refused(world, "new_tab", **wanted)).code == "APPROVAL_PENDING"
    world.router.gates.approvals.allow(asked[0])
    left(world, two[0])
    await world.run("new_tab", **wanted)
    assert len(asked) == 1
