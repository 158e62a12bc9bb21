"""The core is put together once: what runs through it reaches every store, as the person has set it."""

from __future__ import annotations

from kapture_panel.core.basics.settings import RECORD_TYPED
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.core.stores.forgetting import Scope
from tests.support.core.fakes import World, ok, refused


async def test_a_command_goes_through_its_gates_to_the_executor_and_into_the_history(world: World) -> None:
    world.tab()
    await world.run("click", ref="e1")
    assert [sent.command for sent in world.executor.sent] == ["click"]
    assert (world.row().command, world.row().state) == ("click", "ok")


async def test_the_pause_of_the_state_is_the_one_that_holds(world: World) -> None:
    world.tab()
    world.state.pause.hold()
    error = await refused(world, "click", ref="e1")
    assert error.code == "PAUSED"


async def test_what_is_typed_is_kept_only_as_the_person_has_set_it(world: World) -> None:
    world.tab()
    world.executor.answers["fill"] = ok({"filled": True}, targets=[{}])
    await world.run("fill", ref="e1", value="Ada")
    assert is_redacted(world.row().params["value"])
    world.state.settings.set(RECORD_TYPED, True)
    await world.run("fill", ref="e1", value="Ada")
    assert world.row().params["value"] == "Ada"


async def test_what_is_forgotten_goes_from_the_stores_the_router_writes_into(world: World) -> None:
    world.tab()
    await world.run("click", ref="e1")
    world.core.forgetting.forget(Scope("everything"))
    assert world.history.rows() == []
