"""What a managed browser downloads, as its pipe tells it: where a file is and whether it is whole."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import Any

#: A small file is whole by the time an answer leaves; a large one is not waited for longer.
WAIT_S = 2.0
_KEPT = 200


class Downloads:
    """The latest downloads by their guid.

    Args:
        folder: where the browser puts them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._states: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._ended: dict[str, asyncio.Event] = {}

    def on_event(self, method: str, params: dict[str, Any]) -> None:
        """Take an event of CDP's Browser domain."""
        if method == "Browser.downloadWillBegin":
            self._know(params["guid"])
        elif method == "Browser.downloadProgress" and params["guid"] in self._states:
            state = self._states[params["guid"]]
            state |= {"state": params["state"], "bytes": int(params["receivedBytes"])}
            if params.get("filePath"):
                state["path"] = params["filePath"]
            if params["state"] != "inProgress":
                self._ended[params["guid"]].set()

    async def of(self, guid: str, wait_s: float = WAIT_S) -> dict[str, Any]:
        """`state` (inProgress, completed, canceled), `bytes` so far, and `path` once the file is whole, or the
        `folder` it goes to; one that runs is waited for up to `wait_s`."""
        # The tab tells of it another way than the pipe, and may be the first to.
        ended = self._know(guid)
        try:
            async with asyncio.timeout(wait_s):
                await ended.wait()
        except TimeoutError:
            return {**self._states.get(guid, {}), "folder": str(self._folder)}
        return self._states.get(guid, {})

    def _know(self, guid: str) -> asyncio.Event:
        """Set when the download has ended or is forgotten."""
        if guid not in self._ended:
            self._states[guid] = {"state": "inProgress"}
            self._ended[guid] = asyncio.Event()
            while len(self._states) > _KEPT:
                forgotten, _ = self._states.popitem(last=False)
                self._ended.pop(forgotten).set()
        return self._ended[guid]
