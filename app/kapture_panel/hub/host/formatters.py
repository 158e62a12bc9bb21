"""Site formatters: plug-ins that rewrite a snapshot for pages they know, run in a helper process."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.call import Call
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.router import Send
from kapture_panel.core.wire.protocol import Response

log = logging.getLogger(__name__)

#: A plug-in that takes longer is killed and the default used.
DEADLINE_S = 0.5
#: The helper itself may take this long to start, and each file this long to load.
START_S = 5.0
LOAD_S = 1.0
#: A plug-in whose `match` was killed this often costs no snapshot any more, until a file changes.
MAX_KILLED = 3
#: As much as a page of the default text.
MAX_CHARS = 32_000
_LINE_LIMIT = 32 * 1024 * 1024
_REF = re.compile(r"\[ref=(e\d+)\]")
#: A part of the page that was asked for is told as it is.
_NARROWING = ("selector", "xpath", "ref", "x", "y", "interactiveOnly", "maxDepth", "roles", "look")

Stamp = dict[Path, int]


class Formatters:
    """The helper process and what is asked of it.

    Args:
        folders: where plug-ins are, the user's last: a file there replaces a shipped one of the same name.
    """

    def __init__(self, folders: list[Path]) -> None:
        self._folders = folders
        self._helper: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._stamp: Stamp = {}
        self._names: list[str] = []
        self._broken: dict[str, str] = {}
        self._killed: Counter[str] = Counter()
        self._failed: dict[tuple[str, str], str] = {}

    async def failures(self) -> dict[str, str]:
        """Why plug-ins cannot be used, by name: they are loaded as they are now, and those that loaded failed when they
        were asked last."""
        await self._ready()
        async with self._turn:
            if self._stamp and self._helper is None:
                await self._start()
            if self._stamp and self._helper is None:
                return {"their process": "does not start, see panel.log"}
        failed = {name: why for (name, _), why in self._failed.items() if name in self._names}
        return {**{name: f"cannot be loaded: {why}" for name, why in self._broken.items()}, **failed}

    async def snapshot(self, _call: Call, tab: Tab, params: Params, send: Send) -> Response:
        """Run a `snapshot` command and have its result rewritten by the chosen plug-in, if any.

        Raises:
            KaptureError: `INVALID_PARAMS` when a plug-in is named that is not there or cannot be loaded.
        """
        chosen = params.pop("formatter")
        if chosen == "none" or params.get("diff") or params.get("find") or "cursor" in params:
            return await send(params)
        asked = await (self._matching(tab.url, params) if chosen == "auto" else self._named(chosen))
        names = list(asked)
        if not names:
            return await send(params)
        # Nodes cost a large page twice the time: only one that shows a plug-in's sign is told in them.
        signs = [sign for of_one in asked.values() for sign in of_one]
        response = await send({**params, "nodes": signs if all(asked.values()) else True})
        if response.success and isinstance(response.result, dict):
            response.result = await self._text(names, tab.url, response.result, told=chosen != "auto")
        return response

    async def close(self) -> None:
        """End the helper."""
        helper, self._helper = self._helper, None
        if helper is not None:
            self._kill(helper)
            await helper.wait()

    async def _matching(self, url: str, params: Params) -> dict[str, list[str]]:
        """The plug-ins that take an address, in the order they are asked, each with its signs."""
        if any(params.get(name) for name in _NARROWING):
            return {}
        await self._ready()
        found = {}
        for name in self._names:
            if self._killed[name] >= MAX_KILLED:
                continue
            reply = await self._ask({"match": url, "name": name})
            if reply.get("killed"):
                self._killed[name] += 1
            if "error" in reply:
                log.warning("the formatter %s failed to match %s: %s", name, tab_site(url), reply["error"])
                self._failed[name, "match"] = f"failed to match a page: {reply['error']}"
                continue
            self._failed.pop((name, "match"), None)
            if reply["takes"]:
                found[name] = reply["signs"]
        return found

    async def _named(self, name: str) -> dict[str, list[str]]:
        await self._ready()
        if name in self._broken:
            raise KaptureError("INVALID_PARAMS", f"the formatter {name!r} cannot be loaded: {self._broken[name]}")
        if name not in self._names:
            there = ", ".join(["auto", "none", *sorted(self._names)])
            raise KaptureError("INVALID_PARAMS", f"there is no formatter {name!r}", f"there are {there}")
        return {name: []}

    async def _text(self, names: list[str], url: str, result: JsonObject, *, told: bool) -> str:
        """The text of the first plug-in that knows the page, or the default when none does or it fails.

        Args:
            told: why it is the default is said in its first line.
        """
        head, why = result["head"], "does not know this page"
        for name in names:
            reply = await self._ask({"format": name, "nodes": result["nodes"], "url": url})
            text = reply.get("text")
            if "error" in reply:
                why = f"failed: {reply['error']}"
            elif isinstance(text, str):
                given = {node["ref"] for node in result["nodes"] if node.get("ref")}
                if not (invented := set(_REF.findall(text)) - given):
                    self._failed.pop((name, "format"), None)
                    note = f", {reply['note']}" if reply["note"] else ""
                    return f"{head} (formatter {name}{note})\n{_bounded(text)}"
                why = f"gave refs it was not given: {sorted(invented)[:5]}"
            else:
                self._failed.pop((name, "format"), None)
                continue
            log.warning("the formatter %s, on %s, %s", name, tab_site(url), why)
            self._failed[name, "format"] = why
        default = str(result["text"])
        return default.replace(head, f"{head} (default text: the formatter {names[0]} {why})", 1) if told else default

    async def _ready(self) -> None:
        """Have a helper that knows the files as they are now; without any file there is none."""
        async with self._turn:
            stamp = {file: file.stat().st_mtime_ns for folder in self._folders for file in folder.glob("*.py")}
            if stamp != self._stamp:
                await self.close()
                self._names, self._broken, self._failed = [], {}, {}
                self._killed.clear()
                if stamp:
                    await self._start()
                self._stamp = stamp

    async def _ask(self, request: JsonObject) -> JsonObject:
        """One request, one reply; a helper that is late or ends is killed, and replaced at the next request."""
        async with self._turn:
            if self._helper is None or self._helper.returncode is not None:
                await self._start()
            if self._helper is None:
                return {"error": "the formatters' process does not start"}
            assert self._helper.stdin is not None
            try:
                async with asyncio.timeout(DEADLINE_S):
                    self._helper.stdin.write(json.dumps(request).encode() + b"\n")
                    await self._helper.stdin.drain()
                    return await self._read()
            except (TimeoutError, ConnectionError, ValueError) as error:
                await self.close()
                return {"error": str(error) or f"not done after {DEADLINE_S * 1000:.0f} ms", "killed": True}
            except asyncio.CancelledError:
                # Its reply would be taken for that to the next request.
                await self.close()
                raise

    async def _read(self) -> JsonObject:
        assert self._helper is not None
        assert self._helper.stdout is not None
        line = await self._helper.stdout.readline()
        if not line:
            raise ConnectionError("its process ended")
        reply: JsonObject = json.loads(line)
        return reply

    async def _start(self) -> None:
        """Start the helper, without the files that end it or never finish loading."""
        while not await self._load():
            await self.close()
        for name, why in self._broken.items():
            log.warning("the formatter %s cannot be loaded: %s", name, why)

    async def _load(self) -> bool:
        """Start the helper and hear it out; False when the file it was loading must be left out."""
        await self._spawn()
        loading, deadline_s = "", START_S
        try:
            while True:
                async with asyncio.timeout(deadline_s):
                    said = await self._read()
                if "names" in said:
                    self._names = said["names"]
                    self._broken |= said["broken"]
                    return True
                loading, deadline_s = said["loading"], LOAD_S
        except (TimeoutError, ConnectionError) as error:
            if loading:
                self._broken[loading] = str(error) or f"still loading after {LOAD_S:.0f} s"
                return False
            log.error("the formatters' process does not start; snapshots go on without them")
            self._names = []
            await self.close()
            return True
        except asyncio.CancelledError:
            await self.close()
            raise

    async def _spawn(self) -> None:
        self._helper = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kapture_panel.format_helper",
            *map(str, self._folders),
            "--without",
            *self._broken,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE_LIMIT,
            start_new_session=True,  # and so the leader of a process group, where there are such
        )

    def _kill(self, helper: asyncio.subprocess.Process) -> None:
        """End it with what a plug-in has started: that would hold its output open, and go on without it."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):  # it has ended, and nothing is left of its group
                os.killpg(helper.pid, signal.SIGKILL)
        elif helper.returncode is None:
            helper.kill()


def tab_site(url: str) -> str:
    """The part of an address a log may keep."""
    return url.split("?")[0].split("#")[0][:200]


def _bounded(text: str) -> str:
    if len(text) <= MAX_CHARS:
        return text
    shown = text[:MAX_CHARS].rpartition("\n")[0] or text[:MAX_CHARS]
    left = text.count("\n", len(shown))
    return f"{shown}\n({left} more lines left out; narrow the snapshot with a target, or page through formatter none)"
