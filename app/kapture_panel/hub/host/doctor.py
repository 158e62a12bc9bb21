"""The doctor of a running instance: tries every link from the agents' programs to the pages in the tabs."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TypeVar

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, GROUND, Check, Ill, NotYet, tried
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.clients import Clients
from kapture_panel.core.wire.results import Checked
from kapture_panel.hub.browsers.remote.examine import examine
from kapture_panel.hub.browsers.remote.places import Places
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.host import installation
from kapture_panel.hub.host.clock import Clock
from kapture_panel.hub.host.formatters import Formatters
from kapture_panel.paths import DataDir, extension

T = TypeVar("T")

#: No link may take longer; the slowest is the child, which is a process to start.
DEADLINE_S = 5.0
_PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
#: The halves of what a tab answers: how long it took, and why it did not.
_HALVES: dict[str, Callable[[Checked], tuple[float | None, str]]] = {
    "debugger": lambda answer: (answer.debuggerMs, answer.debuggerError),
    "page": lambda answer: (answer.pageMs, answer.pageError),
}
_DECLINED = "a person disconnected {}, with Disconnect or by cancelling the browser's bar about debugging"
_FLOODS = "it floods its console, so the browser slows it"
#: What helps where a page says why it does not answer.
_PAGE_FIXES = {
    "dialog": "answer it with the command Handle dialog",
    _FLOODS: "have the page write less to its console, or close the tab",
}
_FIXES = {
    "client": "restart the agent's program, or disconnect it and add Kapture to it again",
    "child": "run it by hand and read what it says: kapture mcp --help; panel.log in the data folder may tell more",
    "panel": "end the panel and start it again",
    "socket": "end the panel and start it again; another program may hold the port: kapture doctor tells",
    "worker": "reload the extension on chrome://extensions, or end the browser and start it again",
    "debugger": "close the tab and open it again; no other program may debug it",
    "tab": "load the page again: the command Reload",
    "pause": "resume them in the window, its tray or the extension's popup",
    "history": "end the panel and start it again",
    "data": "start the panel with another folder: kapture --data-dir DIR",
    "browser": "install Chrome or Chromium, or name one in KAPTURE_BROWSER",
    "formatters": "mend its file; yours are in the folder formatters of the data folder. Snapshots do without it",
    "files": "install Kapture Panel again",
    "versions": "install Kapture Panel again",
}


class Doctor:
    """Looks at one instance; nothing it does is a command, so no history row and no client comes of it.

    Args:
        root: the data directory.
        clients: whose programs are asked whether they still answer.
        pause: whether the person holds the agents.
        connections: links of browsers and tabs.
        formatters: whose failures are told.
        child: the command an MCP client starts.
    """

    def __init__(
        self,
        root: Path,
        clients: Clients,
        pause: Pause,
        connections: Connections,
        formatters: Formatters,
        child: Sequence[str],
    ) -> None:
        self._root = root
        self._clients = clients
        self._pause = pause
        self._connections = connections
        self._formatters = formatters
        self._child_command = child
        self._clock = Clock()
        self._tries: dict[str, Callable[[], Awaitable[str]]] = {
            "client": self._client,
            "child": self._child,
            "panel": self._panel,
            "pause": self._paused,
            "socket": self._socket,
            "worker": self._worker,
            "debugger": lambda: self._in_tabs("debugger"),
            "tab": lambda: self._in_tabs("page"),
            "data": lambda: asyncio.to_thread(installation.data_folder, root),
            "history": lambda: asyncio.to_thread(installation.history, root),
            "browser": lambda: asyncio.to_thread(installation.browser),
            "formatters": self._of_formatters,
            "files": lambda: asyncio.to_thread(installation.extension_files),
            "versions": lambda: asyncio.to_thread(installation.versions),
        }

    async def examine(self) -> AsyncGenerator[Check, None]:
        """Try one link after the other, the chain first; each check comes as soon as it is made."""
        for link in (*CHAIN, *GROUND):
            yield await tried(link, self._tries[link], _FIXES[link])
        async for check in self._places():
            yield check

    async def _places(self) -> AsyncGenerator[Check, None]:
        """The places on other machines, if the person named any."""
        kept = Places(DataDir(self._root).places)
        try:
            places = kept.all()
        except KaptureError as error:
            yield Check("reach", "failed", error.what, error.next_step)
            return
        for place in places.values():
            async with aclosing(examine(place, extension())) as checks:
                async for check in checks:
                    yield check

    async def _client(self) -> str:
        agents = self._clients.agents()
        if not agents:
            raise NotYet("no agent is connected", "add Kapture to your agent: the window's “Copy MCP config”")
        reading = await asyncio.gather(*(_within(agent.reads()) for agent in agents), return_exceptions=True)
        if unread := [agent for agent, end in zip(agents, reading, strict=True) if isinstance(end, TimeoutError)]:
            told = "; ".join(f"{agent.name}: {agent.unread() / 1_000_000:.1f} MB wait" for agent in unread)
            raise Ill(f"does not read what it is answered ({told})", _FIXES["client"])
        asked = [agent for agent in agents if agent.echo is not None]
        answers = await asyncio.gather(
            *(_within(agent.echo()) for agent in asked if agent.echo), return_exceptions=True
        )
        silent = [agent.name for agent, answer in zip(asked, answers, strict=True) if isinstance(answer, BaseException)]
        if silent:
            raise Ill(f"{', '.join(silent)} did not answer a ping", _FIXES["client"])
        names = ", ".join(sorted({agent.name for agent in agents}))
        unasked = len(agents) - len(asked)
        return (
            f"{names} answered a ping"
            if not unasked
            else f"{names}: connected; {unasked} cannot be pinged in their protocol"
        )

    async def _child(self) -> str:
        process = await asyncio.create_subprocess_exec(
            *self._child_command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            async with asyncio.timeout(DEADLINE_S):
                said, words = await _ask_child(process)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        try:
            answer = json.loads(said)
        except ValueError:
            why = words.decode(errors="replace").strip().splitlines()[-1:] or ["nothing"]
            raise Ill(f"{self._child_command[0]} gave no answer; it said: {why[0][:300]}", _FIXES["child"]) from None
        if "result" not in answer:
            raise Ill(str(answer.get("error", {}).get("message", answer))[:300], _FIXES["child"])
        return f"{self._child_command[0]} mcp was started, reached the panel and was answered"

    async def _panel(self) -> str:
        running = await asyncio.to_thread(installation.running, self._root)
        return "; ".join(filter(None, (running, self._clock.jumped())))

    async def _paused(self) -> str:
        if self._pause.is_on:
            raise NotYet(
                "agents are paused: a person holds them", "resume them in the window, its tray or the extension's popup"
            )
        return "agents are not paused"

    async def _of_formatters(self) -> str:
        if failures := await _within(self._formatters.failures()):
            told = "; ".join(f"{name} {why}" for name, why in list(failures.items())[:5])
            raise Ill(f"{len(failures)} failed ({told})", _FIXES["formatters"])
        return "all were loaded, none has failed"

    async def _socket(self) -> str:
        listener = self._connections.listener
        if listener.is_crowded or listener.is_crowded_for_unknown:
            places, tab = (
                ("all places for new connections", "new tab")
                if listener.is_crowded
                else ("the places for new connections of other systems", "new tab of a browser in a container")
            )
            raise Ill(
                f"{places} are taken by programs that connect and do not prove who they are, so no {tab} gets in",
                f"end what connects to port {listener.port} (on Linux: ss -tnp)",
            )
        return await asyncio.to_thread(installation.listens, listener.port)

    async def _worker(self) -> str:
        workers = list(self._connections.of_browsers.values())
        refusal = self._connections.listener.refusal
        if refusal:
            raise Ill(f"the last connection was refused: {refusal}", _FIXES["worker"])
        if not workers:
            raise NotYet("no browser is connected", "press Start browser in the panel, or: kapture navigate ADDRESS")
        await asyncio.gather(*(_within(worker.ping()) for worker in workers))
        return f"{len(workers)} connected, answered a ping"

    async def _in_tabs(self, what: str) -> str:
        """Ask every tab; `what` is the half of the answer that is looked at."""
        tabs = self._connections.of_tabs
        declined = self._connections.declined
        also = f"; {_DECLINED.format(', '.join(declined))}" if declined else ""
        if not tabs:
            raise NotYet(
                f"no tab is connected{also}",
                "open one: the command New tab (kapture new_tab ADDRESS), or Connect in the extension's popup",
            )
        asked = [_within(link.check()) for link in tabs.values()]
        answers = dict(zip(tabs, await asyncio.gather(*asked, return_exceptions=True), strict=True))
        wrong: dict[str, str] = {}
        slowest = 0.0
        for tab_id, answer in answers.items():
            if isinstance(answer, TimeoutError):
                wrong[tab_id] = "no answer"
            elif isinstance(answer, KaptureError):
                wrong[tab_id] = answer.message
            elif isinstance(answer, BaseException):
                raise answer
            else:
                ms, why = _HALVES[what](answer)
                slowest = max(slowest, ms or 0.0)
                if answer.slowed and what == "page":
                    wrong[tab_id] = ", and ".join(filter(None, (_FLOODS, why)))
                elif ms is None:
                    wrong[tab_id] = why or "its debugger does not answer"
        if wrong:
            told = "; ".join(f"{tab_id}: {why}" for tab_id, why in list(wrong.items())[:5])
            fix = next((fix for words, fix in _PAGE_FIXES.items() if words in told), "")
            raise Ill(f"{len(wrong)} of {len(tabs)} failed ({told})", fix or _FIXES["tab" if what == "page" else what])
        answered = f"{len(tabs)} of {len(tabs)} answered, the slowest in {slowest:.1f} ms there"
        return f"{answered}{also}" if what == "debugger" else answered


async def _ask_child(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    """One line from a child that is then hung up on, and what it had to say beside."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        process.stdin.write(_PING)
        await process.stdin.drain()
        said = await process.stdout.readline()
        process.stdin.close()
    except ConnectionError:
        said = b""
    words = await process.stderr.read()
    await process.wait()
    return said, words


async def _within(work: Awaitable[T]) -> T:
    async with asyncio.timeout(DEADLINE_S):
        return await work
