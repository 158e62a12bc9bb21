"""A person's own browser: not the panel's, with a profile of its own, in which the person looks and clicks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from kapture_panel import paths
from kapture_panel.core.wire import handshake
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from kapture_panel.hub.browsers.managed import END_S, UNASKED, find_browser
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from tests.support.e2e.leaving import unless_left
from tests.support.patience import PATIENCE_S

_FLAGS = [
    "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--password-store=basic",
    "--disable-dev-shm-usage", "--no-sandbox", "--window-size=1000,800", f"--disable-features={UNASKED}",
]  # fmt: skip
#: Resolves once an expression holds, looked at whenever the page changes.
_UNTIL = """new Promise((resolve) => {
  const look = () => { const found = (() => %s)(); if (found) resolve(found); };
  const all = { attributes: true, childList: true, characterData: true, subtree: true };
  new MutationObserver(look).observe(document, all);
  addEventListener("resize", look); // a frame that was hidden had no size
  look();
})"""

#: Resolves to Chrome's id of the tab whose address contains a text; it may still be on its way there.
_TAB_AT = """new Promise((resolve) => {
  const look = async () => {
    const found = (await chrome.tabs.query({})).find((tab) => tab.url.includes(%s));
    if (found) resolve(found.id);
  };
  chrome.tabs.onUpdated.addListener(look);
  look();
})"""


class OwnBrowser:
    """Chromium as the person started it; `pipe` is the test's own eyes and hands."""

    def __init__(self, pipe: CdpPipe, news: asyncio.Event, choosers: list[str]) -> None:
        self.pipe = pipe
        self._news = news
        self._choosers = choosers
        self._sessions: dict[str, str] = {}

    async def page(self, url: str) -> str:
        """The CDP session of the page whose address contains `url`, once it is there."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self._news.clear()
                for target in await self.pages():
                    if url in target["url"]:
                        return await self._session(target["targetId"])
                await self._news.wait()

    async def pages(self) -> list[dict[str, Any]]:
        """The open pages."""
        found: list[dict[str, Any]] = (await self.pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))[
            "targetInfos"
        ]
        return found

    async def open(self, url: str) -> str:
        """Open a tab and return its session."""
        target = await self.pipe.call("Target.createTarget", {"url": url})
        return await self._session(target["targetId"])

    async def close(self, url: str) -> None:
        """Close the tabs whose address contains `url`."""
        for target in await self.pages():
            if url in target["url"]:
                await self.pipe.call("Target.closeTarget", {"targetId": target["targetId"]})

    async def see(self, page: str, expression: str) -> Any:
        """The value of an expression in the page of a session."""
        reply = await self.pipe.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}, session=page
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    async def until(self, page: str, expression: str) -> Any:
        """What an expression comes to in the page of a session."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                # A page that is loaded again may hold it, too.
                if (found := await unless_left(self.see(page, _UNTIL % expression))) is not None:
                    return found

    async def click(self, page: str, selector: str) -> None:
        """Press the mouse's button over the middle of an element that is in sight."""
        await self.until(page, f"document.querySelector('{selector}')?.checkVisibility()")
        box = f"document.querySelector('{selector}').getBoundingClientRect()"
        x, y = await self.see(page, f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])({box})")
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            await self.pipe.call("Input.dispatchMouseEvent", event, session=page)

    async def show_choosers(self, page: str) -> None:
        """From now on count the file choosers that the page opens, which no window shows."""
        await self.pipe.call("Page.enable", session=page)
        await self.pipe.call("Page.setInterceptFileChooserDialog", {"enabled": True}, session=page)
        self._choosers.clear()

    async def chooser_shown(self, count: int) -> None:
        """Wait until as many have been opened."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self._choosers) < count:
                self._news.clear()
                await self._news.wait()

    async def popup(self, url: str) -> str:
        """The session of the extension's popup over the tab that shows `url`."""
        own = f"chrome-extension://{EXTENSION_ID}/popup/popup.html"
        popup = await self.open(own)
        await self.until(popup, "document.querySelector('#hint') !== null")
        async with asyncio.timeout(PATIENCE_S):
            number = await self.see(popup, _TAB_AT % json.dumps(url))
        await self.pipe.call("Page.navigate", {"url": f"{own}?tab={number}"}, session=popup)
        return popup

    async def pair(self, pairing: str) -> None:
        """Give the extension the pairing it would have kept, as JSON."""
        page = await self.page("pair/pair.html")
        await self.until(page, "document.body?.dataset.state")
        await self.until(page, "globalThis.chrome?.storage?.local")
        await self.see(page, f"chrome.storage.local.set({{ pairing: {pairing} }})")
        await self.until(page, "document.body.dataset.state === 'paired'")
        await self.close("pair/pair.html")

    async def connect(self, url: str) -> None:
        """The person connects the tab whose address contains `url`."""
        popup = await self.popup(url)
        await self.until(popup, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
        await self.click(popup, "#toggle")
        await self.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        await self.close("popup.html")

    async def keep_from_files(self) -> None:
        """The person takes the extension's access to files away, which one from the store never had; it restarts."""
        page = await self.open("chrome://extensions")
        await self.until(page, "globalThis.chrome?.developerPrivate")
        # Outside developer mode an unpacked extension that starts again is switched off.
        for change in (
            "updateProfileConfiguration({ inDeveloperMode: true })",
            f"updateExtensionConfiguration({{ extensionId: '{EXTENSION_ID}', fileAccess: false }})",
        ):
            await self.see(page, f"chrome.developerPrivate.{change}.then(() => 0)")
        await self.close("chrome://extensions")

    async def _session(self, target: str) -> str:
        if target not in self._sessions:
            attached = await self.pipe.call("Target.attachToTarget", {"targetId": target, "flatten": True})
            self._sessions[target] = attached["sessionId"]
        return self._sessions[target]


@contextlib.asynccontextmanager
async def started(profile: Path, extension: Path, *urls: str, headless: bool = True) -> AsyncIterator[OwnBrowser]:
    """A running browser with the extension loaded from `extension`; it ends with the block."""
    news = asyncio.Event()
    choosers: list[str] = []

    def on_event(method: str, _params: dict[str, Any], session: str) -> None:
        if method == "Page.fileChooserOpened":
            choosers.append(session)
        news.set()

    shown = ["--headless=new"] if headless else []
    command = [find_browser(), f"--user-data-dir={profile}", f"--load-extension={extension}", *_FLAGS, *shown, *urls]
    process = await asyncio.create_subprocess_exec(
        "/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh", *command,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        limit=64 * 1024 * 1024, env={"DBUS_SESSION_BUS_ADDRESS": "disabled:", **os.environ},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    pipe = CdpPipe(process.stdout, process.stdin, on_event)
    try:
        await pipe.call("Target.setDiscoverTargets", {"discover": True})
        yield OwnBrowser(pipe, news, choosers)
    finally:
        try:
            async with asyncio.timeout(END_S):
                await pipe.call("Browser.close")
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        await pipe.close()


@contextlib.asynccontextmanager
async def paired(folder: Path, *urls: str, headless: bool = True) -> AsyncIterator[tuple[Hub, OwnBrowser]]:
    """A panel without a window and a person's browser that is paired with it, as far as both keep a key."""
    data = DataDir.open(str(folder / "data"))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    try:
        await hub.start()
        async with joined(hub, folder, "a-browser", *urls, headless=headless) as browser:
            yield hub, browser
    finally:
        await hub.stop()
        instance.release()


@contextlib.asynccontextmanager
async def joined(hub: Hub, folder: Path, install: str, *urls: str, headless: bool = True) -> AsyncIterator[OwnBrowser]:
    """A browser of the person's, in a folder of its own, that is paired with a running panel as `install`."""
    extension = installed_browsers.place_extension(paths.extension(), folder / "extension", hub.port)
    key = handshake.new_secret()
    hub.state.paired.add(install, key, "Chromium")
    async with started(folder / "profile", extension, *urls, headless=headless) as browser:
        await browser.pair(json.dumps({"install": install, "key": key, "port": hub.port, "managed": False}))
        # The browser has kept the pairing; its link may still be on its way to the panel.
        async with asyncio.timeout(PATIENCE_S):
            while not hub.state.paired.is_here(install):
                await browser.pages()  # each look is a call of its own
        yield browser
