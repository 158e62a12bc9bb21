"""The links to a place, tried one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.doctor import PLACE, Check
from kapture_panel.hub.browsers.remote import examine as module
from kapture_panel.hub.browsers.remote.carrier import BINDING, READY
from kapture_panel.hub.browsers.remote.examine import examine
from kapture_panel.hub.browsers.remote.places import Place
from tests.support.hub.far import fake_grid, far_cdp
from tests.support.patience import PATIENCE_S


async def test_every_link_holds_and_the_browser_is_given_back() -> None:
    async with far_cdp() as far:
        checks = [check async for check in examine(Place(cdp=far.address, name="a"), paths.extension())]
        assert [check.link for check in checks] == list(PLACE)
        assert {check.state for check in checks} == {"ok"}
        assert all(check.words.startswith("a: ") for check in checks)
        assert far.methods()[-1] == "Browser.close"


async def test_a_worker_is_waited_for_whose_code_has_not_run_yet() -> None:
    async with far_cdp() as far:

        def evaluated(frame: dict[str, Any]) -> dict[str, Any]:
            has_run = "in globalThis" not in frame["params"]["expression"]
            return {"result": {"value": has_run, "objectId": "O"}}

        far.answers["Runtime.evaluate"] = evaluated
        checks = tasks.spawn(_all(far.address), "checks")
        await far.until_called("Runtime.evaluate")
        await far.say("Runtime.bindingCalled", {"name": BINDING, "payload": READY}, "S")
        assert {check.state for check in await checks} == {"ok"}


async def _all(address: str) -> list[Check]:
    return [check async for check in examine(Place(cdp=address, name="a"), paths.extension())]


async def test_behind_a_broken_link_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINK_S", PATIENCE_S)
    checks = []
    async with far_cdp(has_extension=False) as far:
        async for check in examine(Place(cdp=far.address, name="a"), paths.extension()):
            checks.append(check)
            # Short while the third link is tried, which does not hold; all else may take its time.
            monkeypatch.setattr(module, "LINK_S", 0.2 if len(checks) == 2 else PATIENCE_S)
        assert [check.state for check in checks] == ["ok", "ok", "failed", "idle", "idle"]
        assert "not supported yet" in checks[2].fix
        assert far.methods()[-1] == "Browser.close"
    checks = [check async for check in examine(Place(cdp=far.address, name="a"), paths.extension())]
    assert [check.state for check in checks] == ["ok", "failed", "idle", "idle", "idle"]


async def test_a_place_with_free_slots_that_gives_no_browser_is_not_said_to_be_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.2)
    async with fake_grid() as fake:
        fake.may_give.clear()
        checks = [check async for check in examine(Place(grid=fake.address, name="a"), paths.extension())]
        assert [check.state for check in checks] == ["ok", *["idle"] * 4]
        assert checks[0].words.endswith("answers, 1 of 2 are taken")
        assert checks[1].words == "a: no browser came within 0.2 s"
        fake.may_give.set()
        assert await fake.ended.get() == "/session/a1", "what came late is given back"
