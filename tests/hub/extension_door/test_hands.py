"""A person who steps into a tab: what its link is told, and who is held meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.wire.watching import KeyInput, MouseInput
from kapture_panel.hub.extension_door.hands import Hands
from tests.support.hub.extension_door import FakeGuard, Setting
from tests.support.hub.fakes import FakeExtension
from tests.support.patience import PATIENCE_S

PERSON = Client("you", "person")


def made(setting: Setting) -> tuple[Hands, Leases]:
    leases = Leases(Clients(), setting.tabs)
    return Hands(setting.tabs, setting.connections, setting.guards, leases, PERSON), leases


async def kinds(extension: FakeExtension, number: int) -> list[str]:
    return [(await extension.next())["type"] for _ in range(number)]


async def test_what_is_done_goes_to_the_tab_in_order_and_giving_back_waits_for_its_word(setting: Setting) -> None:
    hands, leases = made(setting)
    extension = await setting.dial()
    hands.give("t1", KeyInput(key="x", down=True))  # the person is not there
    hands.step_in("t1")
    hands.step_in("t1")
    assert leases.holder("t1") is PERSON
    hands.give("t1", MouseInput(act="down", x=10, y=20, button="left", buttons=1, count=1))
    hands.give("t1", KeyInput(key="a", down=True))
    giving = tasks.spawn(hands.step_out("t1"), "give back")
    assert await kinds(extension, 3) == ["stepIn", "mouse", "key"]
    asked = await extension.next()
    assert asked["type"] == "stepOut"
    assert leases.holder("t1") is PERSON, "it has not told all yet"
    await extension.send({"type": "response", "id": asked["id"], "success": True})
    await giving
    assert leases.holder("t1") is None
    await hands.step_out("t1")


async def test_a_tab_whose_link_breaks_is_the_persons_still_and_told_so_again(setting: Setting) -> None:
    hands, leases = made(setting)
    await setting.dial()
    hands.step_in("t1")
    again = await setting.dial()
    assert await kinds(again, 1) == ["stepIn"]
    assert leases.holder("t1") is PERSON


async def test_a_tab_that_goes_is_left_and_one_that_is_not_there_is_not_entered(setting: Setting) -> None:
    hands, leases = made(setting)
    await setting.dial()
    hands.step_in("t1")
    setting.tabs.remove(setting.tabs.get("t1"))
    assert leases.holder("t1") is None
    with pytest.raises(KaptureError, match="no connected tab"):
        hands.step_in("t1")


async def test_a_tab_that_is_let_go_of_is_not_entered(setting: Setting) -> None:
    hands, leases = made(setting)
    await setting.dial()
    setting.tabs.update(setting.tabs.get("t1"), state="paused")
    with pytest.raises(KaptureError, match="is disconnected while"):
        hands.step_in("t1")
    assert leases.holder("t1") is None


async def test_a_press_waits_until_the_browsers_window_keeps_off_the_keyboard(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands, _leases = made(setting)
    extension = await setting.dial()
    guard = FakeGuard()

    monkeypatch.setattr(setting.guards, "of", lambda _install: guard)
    hands.step_in("t1")
    for act in ("down", "up", "down"):
        hands.give("t1", MouseInput(act=act, x=1, y=1, button="left"))
    assert await kinds(extension, 4) == ["stepIn", "mouse", "mouse", "mouse"]
    await asyncio.wait_for(hands.close(), PATIENCE_S)
    assert guard.seen == ["an act begins", "an act begins", "it ends", "it ends"]
