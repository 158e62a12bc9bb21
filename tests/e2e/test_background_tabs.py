"""A tab in the background, where most agents work, is drawn while a command runs there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import BOTH_KINDS, OpenAgent, Panel, extension_target

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]

#: How many times a timer of 100 ms comes while a page paints twenty frames; the browser gives a page that nobody sees
#: one a second.
TIMES = """new Promise((resolve) => {
  let times = 0, frames = 0;
  const timer = setInterval(() => (times += 1), 100);
  const draw = () => {
    frames += 1;
    document.body.style.background = `rgb(${frames}, 0, 0)`;
    if (frames < 20) return requestAnimationFrame(draw);
    clearInterval(timer);
    resolve(times);
  };
  requestAnimationFrame(draw);
})"""


@asynccontextmanager
async def behind_another(a: Agent) -> AsyncIterator[None]:
    """Another tab is in front of the agent's, until the end."""
    await a.call("evaluate", code="globalThis.front = open('blank.html?front', 'in-front'); 1")
    try:
        yield
    finally:
        await a.call("evaluate", code="front.close()")


async def test_frames_come_there_as_in_front(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a, behind_another(a):
        # The browser goes on for some frames after it hid the page.
        seen = [(await a.call("evaluate", code=TIMES))["value"] for _ in range(2)]
        assert seen[1] < 80


#: The browser stops to draw the tab in the very moment in which it is asked for a picture of it.
NOT_DRAWN = """{
  const send = chrome.debugger.sendCommand;
  chrome.debugger.sendCommand = async (target, method, params) => {
    if (method !== "Page.captureScreenshot") return send.call(chrome.debugger, target, method, params);
    chrome.debugger.sendCommand = send;
    await chrome.debugger.sendCommand(target, "Page.stopScreencast");
    return chrome.debugger.sendCommand(target, method, params);
  };
}"""


async def test_a_picture_comes_even_when_the_browser_stops_to_draw_the_tab(
    panel: Panel, agent: OpenAgent, pages: str
) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="document.body.style.background = 'red'")
        # What is in front is drawn anyway. Of a tab that went behind the browser gives one more picture by itself.
        async with behind_another(a):
            await is_pictured(panel, a)


async def is_pictured(panel: Panel, a: Agent) -> None:
    """Two pictures come, though each time the browser stops to draw the tab."""
    worker = await extension_target(panel, "service_worker")
    attach = {"targetId": worker["targetId"], "flatten": True}
    session = (await panel.pipe.call("Target.attachToTarget", attach))["sessionId"]
    try:
        for _ in range(2):
            await panel.pipe.call("Runtime.evaluate", {"expression": NOT_DRAWN}, session)
            picture = await a.picture(name="behind")
            assert picture.convert("RGB").getpixel((5, 5)) == (255, 0, 0)
    finally:
        await panel.pipe.call("Target.detachFromTarget", {"sessionId": session})
