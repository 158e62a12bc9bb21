"""A person who starts the panel's browser reads what it is; agents find the blank tab that they always find."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.browsers.managed import Launch
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.support.e2e import desktop_host


async def read(hub: Hub) -> list[str]:
    """What the page in front says, by the pipe: its words, and the colour behind them."""
    browser = hub.browsers.shared
    assert browser is not None
    targets = (await browser.pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
    (target,) = [one["targetId"] for one in targets]
    session = (await browser.pipe.call("Target.attachToTarget", {"targetId": target, "flatten": True}))["sessionId"]
    found = []
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        await browser.pipe.call("Emulation.setEmulatedMedia", media, session)
        look = "document.body.innerText + getComputedStyle(document.body).backgroundColor"
        asked = {"expression": look, "returnByValue": True}
        found.append(str((await browser.pipe.call("Runtime.evaluate", asked, session))["result"]["value"]))
    await browser.pipe.call("Target.detachFromTarget", {"sessionId": session})
    return found


@pytest.mark.parametrize("opens_later", [True, False], ids=["Linux", "elsewhere"])
async def test_a_person_reads_what_it_is_and_an_agent_begins_as_ever(
    tmp_path: Path, shop: str, monkeypatch: pytest.MonkeyPatch, opens_later: bool
) -> None:
    monkeypatch.setattr(Launch, "opens_later", opens_later)
    data = paths.DataDir.open(str(tmp_path / "data"))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    with desktop_host.desktop_of_ours(monkeypatch, manager=""):
        hub = Hub(data, instance, Options(port=0, headless=False), lambda _ask: False)
        try:
            await hub.start()
            first = await hub.browsers.open(in_front=True)
            light, dark = await read(hub)
            assert "This is Kapture Panel's browser" in light
            assert "Pause agents" in light
            assert (light.endswith("rgb(244, 245, 247)"), dark.endswith("rgb(16, 19, 23)")) == (True, True)
            async with connect(data.root, "worker") as client:
                agent = Agent(client)
                (tab,) = (await agent.call("list_tabs"))["tabs"]
                assert (tab["tabId"], tab["url"], tab["title"]) == (first.tab_id, "about:blank", "about:blank")
                (open_tab,) = (await agent.call("list_browser_tabs"))["tabs"]
                assert open_tab["connected"]
                gone = await agent.call("navigate", url=f"{shop}/checkout")
                assert gone["url"] == f"{shop}/checkout"
                assert [one["tabId"] for one in (await agent.call("list_tabs"))["tabs"]] == [first.tab_id]
            assert [row.command for row in hub.state.history.rows() if row.command == "navigate"] == ["navigate"]
        finally:
            await hub.stop()
            instance.release()
