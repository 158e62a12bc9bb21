"""The floor: a Chromium of its own, driven by CDP over a WebSocket with nothing in between."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from kapture_panel.core.basics import tasks
from kapture_panel.hub.browsers.managed import find_browser

_FLAGS = (
    "--headless=new", "--remote-debugging-port=0", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling", "--disable-dev-shm-usage", "--password-store=basic",
)  # fmt: skip

#: What a snapshot costs at least: every element is looked at once, and a line told of those that say something.
WALKER = """(() => {
  const lines = [];
  const walk = (element, depth) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility !== "visible") return;
    const role = element.getAttribute("role") ?? element.localName;
    const name = element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).textContent.trim();
    if (/^(a|button|input|select|textarea|h[1-6]|label)$/.test(role)) {
      const { top, bottom } = element.getBoundingClientRect();
      const place = bottom < 0 || top > innerHeight ? " offscreen" : "";
      lines.push(`${" ".repeat(depth)}- ${role} "${name.slice(0, 100)}"${place}`);
    }
    for (const child of element.children) walk(child, depth + 1);
  };
  walk(document.body, 0);
  return lines.join("\\n");
})()"""


class Floor:
    """One page of that browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._serial = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loaded = asyncio.Event()
        self._session = ""
        self._pump = tasks.spawn(self._receive(), "floor")

    async def open(self) -> None:
        """Open its page, of the size the panel's browser gives its own."""
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        await self.call("Page.enable")
        await self.call("Emulation.setDeviceMetricsOverride", width=1280, height=720, deviceScaleFactor=1, mobile=False)

    async def close(self) -> None:
        """End the browser."""
        self._session = ""
        await self.call("Browser.close")
        await tasks.end(self._pump)

    def send(self, method: str, **params: Any) -> asyncio.Future[dict[str, Any]]:
        """Call a method; the answer comes later."""
        number = next(self._serial)
        frame = {"id": number, "method": method, "params": params}
        if self._session:
            frame["sessionId"] = self._session
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        tasks.spawn(self._socket.send(json.dumps(frame)), "floor call")
        return answer

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method and wait for its answer.

        Raises:
            RuntimeError: the browser refused it.
        """
        reply = await self.send(method, **params)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        result: dict[str, Any] = reply["result"]
        return result

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return (await self.call("Runtime.evaluate", expression=expression))["result"].get("value")

    async def navigate(self, url: str) -> None:
        """Go somewhere and wait until it has loaded."""
        self._loaded.clear()
        await self.call("Page.navigate", url=url)
        await self._loaded.wait()

    async def click(self, x: float, y: float) -> None:
        """Move, press and release at a point; the page's handlers have run when it returns."""
        point = {"x": x, "y": y, "button": "left", "clickCount": 1}
        sent = [self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)]
        sent += [
            self.send("Input.dispatchMouseEvent", type=kind, **point) for kind in ("mousePressed", "mouseReleased")
        ]
        await asyncio.gather(*sent)

    async def click_and_frame(self, x: float, y: float) -> None:
        """The same, and the page's next frame."""
        await self.click(x, y)
        await self.call("Runtime.evaluate", expression="new Promise(requestAnimationFrame)", awaitPromise=True)

    async def fill(self, selector: str, text: str) -> Any:
        """Select what a field holds, insert the text, and read what it holds."""
        field = f"document.querySelector({json.dumps(selector)})"
        await self.evaluate(f"{field}.focus(), {field}.select()")
        await self.call("Input.insertText", text=text)
        return await self.evaluate(f"{field}.value")

    async def picture(self) -> bytes:
        """A PNG of the viewport, made as fast as the browser can."""
        taken = await self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        return base64.b64decode(taken["data"])

    async def _receive(self) -> None:
        async for text in self._socket:
            frame = json.loads(text)
            if "id" in frame:
                self._waiting.pop(frame["id"]).set_result(frame)
            elif frame["method"] == "Page.loadEventFired":
                self._loaded.set()


@asynccontextmanager
async def floor(folder: Path) -> AsyncIterator[Floor]:
    """Start the browser with a profile in `folder`; it has ended afterwards."""
    as_root = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    process = await asyncio.create_subprocess_exec(
        find_browser(), *_FLAGS, *as_root, f"--user-data-dir={folder}", "about:blank",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        env={"DBUS_SESSION_BUS_ADDRESS": "disabled:", **os.environ},
    )  # fmt: skip
    assert process.stderr is not None
    address = ""
    while not address:
        line = (await process.stderr.readline()).decode()
        if not line:
            raise RuntimeError("the floor's browser ended at once")
        _, _, address = line.strip().partition("DevTools listening on ")
    async with connect(address, max_size=None, compression=None) as socket:
        page = Floor(socket)
        await page.open()
        try:
            yield page
        finally:
            await page.close()
    await process.wait()
