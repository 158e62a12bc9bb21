"""A person's browser with the extension of an older version, when the panel was brought up to date meanwhile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from tests.support import upgrading
from tests.support.e2e import own_browser
from tests.support.ports import quiet_port
from tests.support.window.qt_loop import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

TOLD = "reload the extension on its browser's extensions page"
#: The paired browser of the folder is one whose profile is gone; this one is given what it had kept.
KEEP = "chrome.storage.local.set({ pairing: %s })"
#: As the person does it, who turned the developer mode on to load it.
RELOAD = f"""chrome.developerPrivate.updateProfileConfiguration({{ inDeveloperMode: true }})
  .then(() => chrome.developerPrivate.reload("{EXTENSION_ID}"))"""


async def test_it_is_told_to_reload_and_is_paired_still_when_it_has(tmp_path: Path, pages: str) -> None:
    left = upgrading.unpack(tmp_path)
    (paired,) = left.kept("paired.json")
    data, port = DataDir.open(str(left.data)), quiet_port()
    mark = data.extension / "panel.json"
    mark.write_text(json.dumps({**left.kept("extension/panel.json"), "port": port}), encoding="utf-8")
    assert not (data.extension / "wire").exists()

    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(headless=True), lambda _ask: False)
    async with own_browser.started(tmp_path / "profile", data.extension, f"{pages}/keys.html") as browser:
        page = await browser.page("pair/pair.html")
        await browser.until(page, "globalThis.chrome?.storage?.local")
        pairing = json.dumps({"install": paired["install"], "key": paired["key"], "port": port, "managed": False})
        await browser.see(page, KEEP % pairing)
        try:
            await hub.start()
            assert hub.port == port
            await until(lambda: hub.connections.listener.refusal.endswith(TOLD), "the old extension")
            assert not hub.state.paired.is_here(paired["install"])

            extensions = await browser.open("chrome://extensions")
            await browser.until(extensions, "globalThis.chrome?.developerPrivate")
            await browser.see(extensions, RELOAD)
            await until(lambda: hub.state.paired.is_here(paired["install"]), "the new extension")
            popup = await browser.popup("keys.html")
            await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
            await until(lambda: len(hub.state.tabs) == 1, "the tab")
            async with connect(data.root, "helper", "all", "--profile", "shop") as client:
                assert [tool.name for tool in (await client.list_tools()).tools] == ["order", "page"]
                answer = await client.call_tool("page", {"action": "go", "to": f"{pages}/keys.html?again"})
                assert answer.content[0].text.startswith(f"at {pages}/keys.html?again")  # type: ignore[union-attr]
            async with connect(data.root, "another") as client:
                assert (await Agent(client).call("list_tabs"))["tabs"][0]["title"] == "Keys"
        finally:
            await hub.stop()
            instance.release()
