"""A tab that is closed under a command: every command of a tab tells it at once, and nothing else suffers."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.core import tasks
from kapture_panel.core.errors import KaptureError
from tests.core.fakes import CATALOGUE, minimal
from tests.e2e.conftest import Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: `handle_dialog` never waits, so nothing can vanish under it.
COMMANDS = [command.short_name for command in CATALOGUE.of_scope("tab") if not command.immediate]


@pytest.mark.parametrize("name", COMMANDS)
async def test_it_answers_tab_disconnected(panel: Panel, pages: str, tmp_path: Path, name: str) -> None:
    router, person = panel.hub.services.router, panel.hub.services.person
    opened = await router.run(person, "new_tab", {"url": f"{pages}/blank.html?vanish"})
    there = {"tabId": opened.tab_id}
    params = minimal(CATALOGUE.get(name))
    if "paths" in params:
        (tmp_path / "file").write_text("content")
        params["paths"] = [str(tmp_path / "file")]
    # The first command holds the queue, so the one in question is under way when the tab goes.
    holding = tasks.spawn(router.run(person, "wait", {"selector": "#never", **there}), "hold")
    await panel.executing(opened.tab_id)
    running = tasks.spawn(router.run(person, name, {**params, **there}), name)
    assert panel.hub.links.browser is not None
    pipe = panel.hub.links.browser.pipe
    targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
    target = next(found["targetId"] for found in targets if found["url"].endswith("?vanish"))
    await pipe.call("Target.closeTarget", {"targetId": target})
    for command in (holding, running):
        with pytest.raises(KaptureError) as error:
            await command
        assert error.value.code in ("TAB_DISCONNECTED", "TAB_NOT_FOUND"), name
    assert panel.hub.services.tabs.find(opened.tab_id) is None
