"""The links to a place, tried one after the other."""

from __future__ import annotations

import pytest

from kapture_panel import paths
from kapture_panel.core.doctor import PLACE
from kapture_panel.hub.browsers.remote import examine as module
from kapture_panel.hub.browsers.remote.examine import examine
from kapture_panel.hub.browsers.remote.places import Place
from tests.support.hub.far import far_cdp


async def test_every_link_holds_and_the_browser_is_given_back() -> None:
    async with far_cdp() as far:
        checks = [check async for check in examine(Place(cdp=far.address, name="a"), paths.extension())]
        assert [check.link for check in checks] == list(PLACE)
        assert {check.state for check in checks} == {"ok"}
        assert all(check.words.startswith("a: ") for check in checks)
        assert far.methods()[-1] == "Browser.close"


async def test_behind_a_broken_link_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINK_S", 0.2)
    async with far_cdp(has_extension=False) as far:
        checks = [check async for check in examine(Place(cdp=far.address, name="a"), paths.extension())]
        assert [check.state for check in checks] == ["ok", "ok", "failed", "idle", "idle"]
        assert "not supported yet" in checks[2].fix
        assert far.methods()[-1] == "Browser.close"
    checks = [check async for check in examine(Place(cdp=far.address, name="a"), paths.extension())]
    assert [check.state for check in checks] == ["ok", "failed", "idle", "idle", "idle"]
