"""Nobody is asked about what is not there any more: a page that was left, a tab that is gone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals, Ask, Scene
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.tabs import Tab
from tests.support.core.fakes import World
from tests.support.core.inbox import AGENT, Inbox, next_round


@dataclass
class Asked:
    """An agent that wants to run code in a tab of a careful policy."""

    approvals: Approvals
    tab: Tab
    ask: Ask
    call: asyncio.Task[object]


@pytest.fixture
async def asked(world: World) -> Asked:
    gates = world.router.gates
    gates.policy = Policy("careful")
    gates.approvals.attend()
    tab = world.tab()
    world.tabs.update(tab, url="https://shop.example/cart?step=1", title="Cart")
    added: asyncio.Queue[Ask] = asyncio.Queue()
    gates.approvals.added.connect(added.put_nowait)
    call = tasks.spawn(world.run("evaluate", code="1"), "evaluate")
    return Asked(gates.approvals, tab, await added.get(), call)


async def test_a_question_knows_its_tab_its_page_and_its_browser(world: World, asked: Asked) -> None:
    assert asked.ask.scene == Scene(asked.tab, ("https://shop.example/cart?step=1",), is_managed=True)
    await tasks.end(asked.call)


@pytest.mark.parametrize("url", ["https://other.example/", "https://shop.example/thanks", "about:blank"])
async def test_a_page_that_was_left_is_not_decided_about(world: World, asked: Asked, url: str) -> None:
    world.tabs.update(asked.tab, url=url)
    world.tabs.navigated.emit(asked.tab)
    with pytest.raises(KaptureError, match="the page was left") as refused:
        await asked.call
    assert refused.value.code == "APPROVAL_EXPIRED"
    assert asked.ask.state == "outdated"
    assert not asked.approvals.allow(asked.ask)
    assert not len(asked.approvals)
    assert world.executor.sent == []


async def test_a_site_that_was_left_is_not_decided_about_whatever_the_browser_calls_it(
    world: World, asked: Asked
) -> None:
    world.tabs.update(asked.tab, url="https://other.example/cart?step=1")
    with pytest.raises(KaptureError, match="the page was left"):
        await asked.call


async def test_the_same_page_loaded_again_leaves_the_question(world: World, asked: Asked) -> None:
    for url in ("https://shop.example/cart?step=1&again", "https://shop.example/cart#pay?x"):
        world.tabs.update(asked.tab, url=url)
        world.tabs.navigated.emit(asked.tab)
        assert asked.ask.state == "open"
    await tasks.end(asked.call)


@pytest.mark.parametrize(
    "url", ["https://shop.example/cart?step=2", "https://shop.example/cart#pay", "https://shop.example/pay/card"]
)
async def test_what_a_page_rewrites_of_its_own_address_leaves_the_question(
    world: World, asked: Asked, url: str
) -> None:
    world.tabs.update(asked.tab, url=url, title="Cart (1)")
    await next_round()
    assert asked.ask.state == "open"
    asked.approvals.allow(asked.ask)
    await asked.call


async def test_a_tab_that_is_gone_takes_its_question_along_and_leaves_others(world: World, asked: Asked) -> None:
    other = Tab("other", "https://shop.example/", "Shop", "install")
    world.tabs.add(other)
    world.tabs.remove(other)
    assert asked.ask.state == "open"
    world.tabs.remove(asked.tab)
    with pytest.raises(KaptureError, match="its tab is gone"):
        await asked.call


async def test_the_same_call_made_again_is_another_question() -> None:
    inbox = Inbox(pending_s=0.01)
    tab = Tab("t1", "https://shop.example/", "Shop", "install")
    first = await inbox.ask()
    assert first.startswith("APPROVAL_PENDING")
    inbox.added[0].scene = Scene(tab, (tab.url,))
    tab.url = "https://other.example/"
    inbox.approvals.on_tab_changed(tab)
    assert inbox.settled == [(inbox.added[0].id, "outdated")]
    assert (await inbox.ask()).startswith("APPROVAL_PENDING")
    assert len(inbox.added) == 2


async def test_it_is_known_whether_a_call_waits_for_the_answer() -> None:
    inbox = Inbox(pending_s=0.01)
    told: list[tuple[int, int]] = []
    inbox.approvals.waited.connect(lambda ask: told.append((ask.waiting, inbox.approvals.waiting_calls(AGENT))))
    assert (await inbox.ask()).startswith("APPROVAL_PENDING")
    assert told == [(1, 1), (0, 0)]
