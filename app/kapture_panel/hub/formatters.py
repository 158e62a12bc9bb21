"""Site formatters: plug-ins that rewrite a snapshot for pages they know, run in a helper process."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from kapture_panel.core.errors import KaptureError
from kapture_panel.core.protocol import Response
from kapture_panel.core.tabs import Tab

log = logging.getLogger(__name__)

#: A plug-in that takes longer is killed and the default used.
DEADLINE_S = 0.5
#: The helper itself may take this long to start and load its plug-ins.
START_S = 5.0
_LINE_LIMIT = 32 * 1024 * 1024
_REF = re.compile(r"\[ref=(e\d+)\]")

Send = Callable[[dict[str, Any]], Awaitable[Response]]


class Formatters:
    """The helper process and what is asked of it.

    Args:
        folders: where plug-ins are, the user's last: a file there replaces a shipped one of the same name.
    """

    def __init__(self, folders: list[Path]) -> None:
        self._folders = folders
        self._helper: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._names: list[str] = []
        self._broken = False

    async def snapshot(self, tab: Tab, params: dict[str, Any], send: Send) -> Response:
        """Run a `snapshot` command and have its result rewritten by the chosen plug-in, if any.

        Raises:
            KaptureError: `INVALID_PARAMS` when a plug-in is named that is not there.
        """
        chosen = params.pop("formatter")
        if params.get("diff") or "cursor" in params:
            return await send(params)
        name = await self._choose(chosen, tab.url)
        if name is None:
            return await send(params)
        response = await send({**params, "nodes": True})
        if response.success:
            response.result = await self._format(name, tab.url, response.result)
        return response

    async def close(self) -> None:
        """End the helper."""
        if self._helper is not None:
            self._kill(self._helper)
            await self._helper.wait()
            self._helper = None

    async def _choose(self, chosen: str, url: str) -> str | None:
        if chosen == "none" or self._broken or not any(folder.is_dir() for folder in self._folders):
            return None
        reply = await self._ask({"match": url})
        if chosen == "auto":
            name = reply.get("name")
            return name if isinstance(name, str) else None
        if chosen not in self._names:
            raise KaptureError(
                "INVALID_PARAMS",
                f"there is no formatter {chosen!r}; there are {', '.join(['auto', 'none', *self._names])}",
            )
        return chosen

    async def _format(self, name: str, url: str, result: dict[str, Any]) -> str:
        """The plug-in's text, or the default when it fails, is late or invents refs."""
        reply = await self._ask({"format": name, "nodes": result["nodes"], "url": url})
        text = reply.get("text")
        given = {node["ref"] for node in result["nodes"] if node.get("ref")}
        if not isinstance(text, str):
            log.warning("the formatter %s failed on %s: %s", name, tab_site(url), reply.get("error"))
        elif invented := set(_REF.findall(text)) - given:
            log.warning("the formatter %s gave refs it was not given: %s", name, sorted(invented)[:5])
        else:
            return f"{result['head']} (formatter {name})\n{text}"
        return str(result["text"])

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request, one reply; a helper that is late or ends is killed and replaced at the next request."""
        async with self._turn:
            try:
                if self._helper is None or self._helper.returncode is not None:
                    await self._start()
                async with asyncio.timeout(DEADLINE_S):
                    return await self._exchange(json.dumps(request).encode() + b"\n")
            except (TimeoutError, ConnectionError, ValueError) as error:
                if self._helper is not None:
                    self._kill(self._helper)
                self._helper = None
                return {"error": str(error) or f"not done after {DEADLINE_S * 1000:.0f} ms"}

    async def _exchange(self, line: bytes) -> dict[str, Any]:
        assert self._helper is not None
        assert self._helper.stdin is not None
        assert self._helper.stdout is not None
        self._helper.stdin.write(line)
        await self._helper.stdin.drain()
        reply: dict[str, Any] = json.loads(await self._helper.stdout.readline() or b'{"error": "the helper ended"}')
        return reply

    async def _start(self) -> None:
        self._helper = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kapture_panel.format_helper",
            *map(str, self._folders),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE_LIMIT,
        )
        try:
            async with asyncio.timeout(START_S):
                self._names = (await self._exchange(b""))["names"]
        except (TimeoutError, KeyError):
            # A plug-in that does not even load would hold up every snapshot.
            self._broken = True
            log.error("the formatters could not be loaded; snapshots go on without them")
            raise ConnectionError("the formatters could not be loaded") from None

    def _kill(self, helper: asyncio.subprocess.Process) -> None:
        if helper.returncode is None:
            helper.kill()


def tab_site(url: str) -> str:
    """The part of an address a log may keep."""
    return url.split("?")[0].split("#")[0][:200]
