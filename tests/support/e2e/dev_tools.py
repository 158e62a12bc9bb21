"""DevTools of a tab with the extension's panel in front, driven like any page."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from tests.support.patience import PATIENCE_S

_PANEL = f"chrome-extension://{EXTENSION_ID}/devtools/panel.html"
#: DevTools' own modules, as its pages load them; it knows a panel once the extension's page has made it.
_SHOW = f"""import('./ui/legacy/legacy.js').then(async ({{ InspectorView, ViewManager }}) => {{
  const name = 'chrome-extension://{EXTENSION_ID}Kapture';
  if (!ViewManager.ViewManager.instance().hasView(name)) return false;
  const view = InspectorView.InspectorView.instance();
  if (%s) await view.showPanel('elements');
  await view.showPanel(name);
  return true;
}})"""
_NEXT_FRAME = "new Promise(requestAnimationFrame)"
_IN_SIGHT = "document.body?.checkVisibility() === true"
#: A panel that is out of sight for so many frames is chosen again, after another one.
_FRAMES = 120


@dataclass(frozen=True)
class DevTools:
    """The CDP sessions of DevTools itself, which has the screen, and of our panel in it."""

    pipe: CdpPipe
    front: str
    panel: str

    async def in_sight(self) -> None:
        """Wait until our panel is rendered, some time after DevTools chose it: before, it takes no input."""
        async with asyncio.timeout(PATIENCE_S):
            frames = 0
            while not await _evaluate(self.pipe, self.panel, _IN_SIGHT):
                await _evaluate(self.pipe, self.front, _NEXT_FRAME)
                frames += 1
                if frames % _FRAMES == 0:
                    await _evaluate(self.pipe, self.front, _SHOW % "true")


async def opened(pipe: CdpPipe, page_target: str, width: int = 1100, height: int = 800) -> DevTools:
    """Open DevTools of that size for the tab of a page's target and choose Kapture in it."""
    known = set(await _targets(pipe, _PANEL))
    front_end = (await pipe.call("Target.openDevTools", {"targetId": page_target}))["targetId"]
    session = (await pipe.call("Target.attachToTarget", {"targetId": front_end, "flatten": True}))["sessionId"]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    await pipe.call("Emulation.setDeviceMetricsOverride", size, session=session)
    async with asyncio.timeout(PATIENCE_S):
        while await _evaluate(pipe, session, _SHOW % "false") is not True:
            await _targets(pipe, _PANEL)
        while not (found := set(await _targets(pipe, _PANEL)) - known):
            pass
    attached = await pipe.call("Target.attachToTarget", {"targetId": found.pop(), "flatten": True})
    front = DevTools(pipe, session, attached["sessionId"])
    await front.in_sight()
    return front


async def _targets(pipe: CdpPipe, url: str) -> list[str]:
    infos = (await pipe.call("Target.getTargets", {"filter": [{}]}))["targetInfos"]
    return [info["targetId"] for info in infos if info["url"].startswith(url)]


async def _evaluate(pipe: CdpPipe, session: str, expression: str) -> Any:
    given = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    return (await pipe.call("Runtime.evaluate", given, session=session))["result"].get("value")
