"""An agent is told once, with its next answer, what a person did while it could not look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores.meanwhile import MAX_COMMANDS, Meanwhile
from kapture_panel.core.wire.effects import ByPerson
from kapture_panel.core.wire.events import PersonDid
from tests.support.core.fakes import World, failed, ok
from tests.support.core.router import running

SECRET = "what the person typed"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.history.close()


async def by_person(world: World, command: str, **params: Any) -> Answer:
    return await world.router.run(world.person, command, {"tabId": "t1", **params})


async def paused(world: World, *commands: tuple[str, dict[str, Any]]) -> None:
    """The agent works, is paused, the person does this, the agent may go on."""
    await world.run("click", selector="#a")
    world.router.gates.pause.hold()
    for command, params in commands:
        await by_person(world, command, **params)
    world.router.gates.pause.lift()


def told(answer: Answer) -> Any:
    return msgspec.to_builtins(answer.late_effects.person) if answer.late_effects is not None else None


async def test_after_a_pause_the_next_answer_says_where_the_tab_is_and_what_was_done(world: World) -> None:
    tab = world.tab()
    await paused(world, ("fill", {"selector": "#name", "value": SECRET}), ("click", {"selector": "#go"}))
    world.tabs.update(tab, url="https://shop.example/thanks", title="Thanks")
    world.executor.answers["snapshot"] = ok("- button", lateEffects={"requests": 2})
    answer = await world.run("snapshot")
    assert msgspec.to_builtins(answer.late_effects) == {
        "requests": 2,
        "person": {"url": "https://shop.example/thanks", "title": "Thanks", "did": ["fill #name", "click #go"]},
    }
    assert told(await world.run("snapshot")) is None


async def test_what_was_typed_is_not_told(world: World) -> None:
    world.tab()
    await paused(world, ("type", {"selector": "#name", "text": SECRET}))
    assert SECRET not in str(told(await world.run("snapshot")))


async def test_a_pause_in_which_nothing_was_done_says_so(world: World) -> None:
    world.tab()
    await paused(world, ("snapshot", {}))
    assert told(await world.run("snapshot")) == {"changed": False}


async def test_without_a_pause_nothing_is_told(world: World) -> None:
    world.tab()
    await world.run("click", selector="#a")
    await by_person(world, "click", selector="#b")
    assert told(await world.run("snapshot")) is None


async def test_an_error_tells_it_too_and_a_command_that_was_not_sent_keeps_it(world: World) -> None:
    world.tab()
    await paused(world, ("click", {"selector": "#b"}))
    world.executor.answers["click"] = KaptureError("NOT_SENT", "the connection is closed")
    with pytest.raises(KaptureError):
        await world.run("click", selector="#a")
    world.executor.answers["click"] = failed("STALE_REF", "take a new snapshot")
    with pytest.raises(KaptureError) as error:
        await world.run("click", ref="e1")
    assert error.value.details["lateEffects"] == {"person": {"did": ["click #b"]}}
    assert told(await world.run("snapshot")) is None


async def test_who_gets_a_tab_is_told_what_is_there(world: World) -> None:
    world.tab()
    other = Client("codex", "agent")
    world.clients.add(other)
    await world.run("click", selector="#a")
    await by_person(world, "click", selector="#b")
    world.router.gates.leases.hand_over(other, "t1")
    answer = await world.router.run(other, "snapshot", {"tabId": "t1"})
    assert told(answer) == {"url": "https://shop.example/cart", "title": "Cart", "did": ["click #b"]}
    assert told(await world.run("snapshot", tabId="t1")) is None


async def test_a_tab_that_was_closed_is_told_in_the_next_one(world: World) -> None:
    world.tab()
    second = world.tab("t2", "https://bank.example/")
    await world.run("click", selector="#a", tabId="t2")
    await world.run("click", selector="#a", tabId="t1")
    world.router.gates.pause.hold()
    world.tabs.remove(second)
    world.router.gates.pause.lift()
    assert told(await world.run("snapshot", tabId="t1")) == {"closed": ["t2"]}


async def test_of_many_commands_the_newest_are_told(world: World) -> None:
    world.tab()
    await paused(world, *(("click", {"selector": f"#n{number}"}) for number in range(MAX_COMMANDS + 5)))
    did = told(await world.run("snapshot"))["did"]
    assert (len(did), did[-1]) == (MAX_COMMANDS, f"click #n{MAX_COMMANDS + 4}")


async def test_clients_and_tabs_that_go_leave_nothing_behind(world: World) -> None:
    tab = world.tab()
    await paused(world, ("click", {"selector": "#b"}))
    world.clients.remove(world.agent)
    world.tabs.remove(tab)
    left = vars(world.router._meanwhile)
    assert {name: kept for name, kept in left.items() if kept} == {}


async def test_what_the_person_did_where_they_stepped_in_is_told_once_by_kind_and_field(world: World) -> None:
    tab, leases = world.tab(), world.router.gates.leases
    await world.run("click", selector="#a")
    leases.step_in(world.person, tab.tab_id)
    for act, role, name in (
        ("pressed", "button", "Log in"),
        ("typed", "textbox", "E‮mail\n"),
        ("pressed Enter", "textbox", ""),
        ("scrolled", "", ""),
    ):
        world.tabs.by_person.emit(tab, PersonDid(act=act, role=role, name=name))  # type: ignore[arg-type]
        await world.run("snapshot")  # who looks meanwhile loses nothing of it
    leases.step_out(tab.tab_id)
    assert told(await world.run("click", selector="#a")) == {
        "did": ['pressed button "Log in"', 'typed into textbox "Email"', "pressed Enter in textbox", "scrolled"]
    }
    assert told(await world.run("click", selector="#a")) is None


async def test_a_tab_that_was_stepped_into_and_left_as_it_was_says_so(world: World) -> None:
    tab, leases = world.tab(), world.router.gates.leases
    await world.run("click", selector="#a")
    leases.step_in(world.person, tab.tab_id)
    leases.step_out(tab.tab_id)
    assert told(await world.run("click", selector="#a")) == {"changed": False}


async def while_it_reads(world: World, happens: Callable[[], object]) -> Any:
    """What a read tells that ends just after this."""
    world.executor.open.clear()
    reading = running(world, "snapshot", tabId="t1")
    await world.executor.arrived.get()
    happens()
    world.executor.open.set()
    return told(await reading)


async def test_a_tab_given_back_while_the_agent_reads_is_told_with_the_next_answer(world: World) -> None:
    tab, leases = world.tab(), world.router.gates.leases
    await world.run("click", selector="#a")
    await world.executor.arrived.get()
    leases.step_in(world.person, tab.tab_id)
    world.tabs.by_person.emit(tab, PersonDid(act="pressed", role="button", name="Pay"))

    def give_back() -> None:
        world.tabs.update(tab, url="https://shop.example/paid", title="Paid")
        leases.step_out(tab.tab_id)

    assert await while_it_reads(world, give_back) is None
    news = {"url": "https://shop.example/paid", "title": "Paid", "did": ['pressed button "Pay"']}
    assert told(await world.run("snapshot")) == news
    assert told(await world.run("snapshot")) is None


async def test_what_an_answer_told_already_is_not_told_with_what_came_while_it_was_made(world: World) -> None:
    tab, leases, second = world.tab(), world.router.gates.leases, world.tab("t2")
    await world.run("click", selector="#a", tabId="t2")
    await world.run("click", selector="#a", tabId="t1")
    for _ in range(2):
        await world.executor.arrived.get()

    def stepped(name: str) -> None:
        leases.step_in(world.person, tab.tab_id)
        world.tabs.by_person.emit(tab, PersonDid(act="pressed", role="button", name=name))
        leases.step_out(tab.tab_id)

    world.tabs.remove(second)
    stepped("One")
    first = {"did": ['pressed button "One"'], "closed": ["t2"]}
    assert await while_it_reads(world, lambda: stepped("Two")) == first
    assert told(await world.run("snapshot")) == {"did": ['pressed button "Two"']}


def test_what_the_agent_did_beside_an_answer_that_told_the_news_is_not_the_persons(world: World) -> None:
    tab, meanwhile = world.tab(), Meanwhile(world.tabs, world.clients)
    meanwhile.answered(world.agent, tab, meanwhile.told(world.agent, tab))
    meanwhile.resumed()
    going, looking = (meanwhile.told(world.agent, tab) for _ in range(2))
    meanwhile.answered(world.agent, tab, looking)
    world.tabs.update(tab, url="https://shop.example/agents-own")
    meanwhile.answered(world.agent, tab, going)
    meanwhile.resumed()
    assert meanwhile.told(world.agent, tab).news == ByPerson(changed=False)


async def test_a_tab_handed_over_while_its_new_holder_reads_is_told_with_the_next_answer(world: World) -> None:
    world.tab()
    assert await while_it_reads(world, lambda: world.router.gates.leases.hand_over(world.agent, "t1")) is None
    assert told(await world.run("snapshot")) == {"url": "https://shop.example/cart", "title": "Cart"}
    assert told(await world.run("snapshot")) is None
