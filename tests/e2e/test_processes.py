"""Whole processes: starting, meeting, handing over, ending, and what they leave behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import psutil
import pytest

from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.agent_door import door_client
from kapture_panel.hub.extension_door.listener import DEFAULT_PORT
from tests.support.e2e.desktop_host import until
from tests.support.e2e.processes import KAPTURE, Serve, processes_of, socket_of, wait_gone, wait_gone_but
from tests.support.patience import PATIENCE_S

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A data directory; whatever still runs for it afterwards is a failure, and is ended."""
    data = tmp_path / "data"
    yield data
    left = processes_of(data)
    for process in left:
        process.kill()
    assert not left, f"left behind: {left}"


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for temporary files of one's own, with a path short enough for a browser's socket."""
    with tempfile.TemporaryDirectory(prefix="kp-") as made:
        yield Path(made)


def wait_open(root: Path) -> None:
    """Wait until a panel answers at the door of the data directory."""
    until(lambda: door_client.answers(Path(os.path.realpath(root))), "a panel at the door")


class Child:
    """`kapture mcp` as a process, spoken to in raw lines."""

    def __init__(self, root: Path, **env: str) -> None:
        self.process = subprocess.Popen(
            [*KAPTURE, "mcp", "--data-dir", str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **env},
        )

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and read lines until its answer."""
        self.tell(message)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == message["id"]:
                return answer
        raise AssertionError("the child ended before it answered")

    def tell(self, message: dict[str, Any]) -> None:
        stdin: IO[bytes] | None = self.process.stdin
        assert stdin is not None
        stdin.write(json.dumps(message).encode() + b"\n")
        stdin.flush()

    def call(self, number: int, command: str, **params: Any) -> dict[str, Any]:
        """Call a tool; the tool's result."""
        request = {"name": f"kapturemcp_{command}", "arguments": params}
        answer = self.ask({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": request})
        result: dict[str, Any] = answer["result"]
        return result

    def end(self) -> int:
        """Hang up as a client does."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return code


def serve_connections(pid: int) -> list[Any]:
    return [c for c in psutil.Process(pid).net_connections("tcp") if c.status == psutil.CONN_LISTEN]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_serve_says_what_it_is_ready_for_and_however_it_ends_nothing_is_left_but_the_history(
    root: Path, temporary: Path, pages: str, number: int
) -> None:
    serve = Serve(root, "--browser", "--headless", "--url", f"{pages}/blank.html", env={"TMPDIR": str(temporary)})
    assert serve.ready["ready"] is True
    assert serve.ready["pid"] == serve.process.pid
    assert serve.ready["socket"] == str(socket_of(root))
    assert [tab["url"] for tab in serve.ready["tabs"]] == [f"{pages}/blank.html"]
    for family, address in ((2, "127.0.0.1"), (10, "::1")):
        listening = [c for c in serve_connections(serve.process.pid) if c.family == family]
        assert [(c.laddr.ip, c.laddr.port) for c in listening] == [(address, serve.ready["port"])]
    assert len(processes_of(root)) > 3
    code = serve.end(number)
    assert code == (-number if number == signal.SIGKILL else 0)
    wait_gone(root)
    assert list(temporary.iterdir()) == []
    if number != signal.SIGKILL:  # what was done last is written by an orderly end alone
        with contextlib.closing(sqlite3.connect(root / "history.sqlite3")) as history:
            rows = history.execute("SELECT command, state FROM commands").fetchall()
        assert rows == [("navigate", "ok")]
    again = Serve(root)
    assert again.end() == 0


def kapture(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*KAPTURE, *arguments], capture_output=True, text=True, check=False)


def test_beside_a_serve_another_is_told_who_is_there_and_calls_have_exit_codes(root: Path, pages: str) -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return kapture("call", "--data-dir", str(root), *arguments)

    down = call("list_tabs")
    assert down.returncode == 3
    assert "start one" in down.stderr
    serve = Serve(root, "--browser", "--headless", "--url", f"{pages}/keys.html")

    second = kapture("serve", "--data-dir", str(root))
    assert second.returncode == 1
    assert "already runs" in second.stderr
    port, other = str(serve.ready["port"]), root.with_name("other")
    taken = kapture("serve", "--port", port, "--data-dir", str(other))
    assert taken.returncode == 1
    assert f"port {port} on 127.0.0.1 is taken by another Kapture Panel, of {root}" in taken.stderr
    assert "kapture serve --port N" in taken.stderr

    good = call("fill", "selector=#plain", "value=5", "--json")
    assert good.returncode == 0
    assert json.loads(good.stdout)["result"]["value"] == "5"
    assert kapture("evaluate", "document.querySelector('#plain').value", "--data-dir", str(root)).stdout == "5\n"
    bad = call("click", "selector=#nowhere", "wait=0")
    assert bad.returncode == 1
    assert bad.stderr.startswith("ELEMENT_NOT_FOUND")
    assert call("click", "clickCount=2").returncode == 1
    assert call("clik").returncode == 2

    a_browser_without_a_window_gets_one_for_the_next_tab(root, pages)
    assert serve.end() == 0


def a_browser_without_a_window_gets_one_for_the_next_tab(root: Path, pages: str) -> None:
    child = Child(root)
    child.ask(INITIALIZE)
    child.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for tab in child.call(2, "list_tabs")["structuredContent"]["tabs"]:
        # The terminal holds it since it acted there.
        assert kapture("close_tab", "--tab-id", tab["tabId"], "--data-dir", str(root)).returncode == 0
    opened = child.call(20, "new_tab", url=f"{pages}/keys.html")
    assert opened["isError"] is False, opened
    assert child.call(21, "evaluate", code="location.pathname")["structuredContent"]["value"] == "/keys.html"
    assert child.end() == 0


def test_a_cold_child_starts_a_panel_that_opens_a_browser_for_the_first_navigate(root: Path, pages: str) -> None:
    child = Child(root, DISPLAY="", WAYLAND_DISPLAY="")
    assert child.ask(INITIALIZE)["result"]["serverInfo"]["name"] == "kapture-panel"
    child.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert child.call(2, "navigate", url=f"{pages}/blank.html")["isError"] is False
    owner = next(process for process in processes_of(root) if "serve" in process.cmdline())
    # The fixed port is the usual data folder's alone: this panel starts whoever holds that one.
    assert DEFAULT_PORT not in {connection.laddr.port for connection in serve_connections(owner.pid)}
    assert child.end() == 0
    owner.terminate()
    wait_gone(root)


def test_ten_children_at_once_start_exactly_one_panel(root: Path) -> None:
    children = [Child(root, DISPLAY="", WAYLAND_DISPLAY="") for _ in range(10)]
    answers: list[dict[str, Any]] = []

    def ask(child: Child) -> None:
        while "PANEL_DOWN" in str(answer := child.ask(INITIALIZE)):
            pass  # on a busy machine none was ready in time; the call can be made again
        answers.append(answer)

    threads = [threading.Thread(target=ask, args=[child], daemon=True) for child in children]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len(answers) == 10
    assert all("result" in answer for answer in answers)
    with_lock = [process for process in processes_of(root) if holds_lock(process, root)]
    assert len({process.pid for process in with_lock if "serve" in process.cmdline()}) == 1
    for child in children:
        assert child.end() == 0
    for process in processes_of(root):
        process.terminate()
    wait_gone(root)


def holds_lock(process: psutil.Process, root: Path) -> bool:
    with contextlib.suppress(psutil.Error):
        return any(file.path == os.path.realpath(root / "instance.lock") for file in process.open_files())
    return False


def test_a_child_outlives_its_panel_and_finds_the_next_one(root: Path, pages: str) -> None:
    serve = Serve(root, "--browser", "--headless", "--url", f"{pages}/blank.html")
    child = Child(root)
    child.ask(INITIALIZE)
    child.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert child.call(2, "evaluate", code="1+1")["structuredContent"]["value"] == 2
    running = {"jsonrpc": "2.0", "id": 3, "method": "tools/call"}
    running["params"] = {"name": "kapturemcp_wait", "arguments": {"selector": "#never"}}
    child.tell(running)
    assert serve.end(signal.SIGKILL) == -signal.SIGKILL
    assert child.process.stdout is not None
    cut = json.loads(child.process.stdout.readline())
    assert cut["id"] == 3
    assert cut["result"]["content"][0]["text"].startswith("OUTCOME_UNKNOWN")
    down = child.call(4, "list_tabs")
    assert down["content"][0]["text"].startswith("PANEL_DOWN")
    wait_gone_but(root, [child.process.pid])
    second = Serve(root, "--browser", "--headless", "--url", f"{pages}/blank.html")
    number = 5
    while (answer := child.call(number, "evaluate", code="document.title"))["isError"]:
        assert answer["content"][0]["text"].startswith("PANEL_DOWN")
        number += 1
    assert answer["structuredContent"]["value"] == "Blank"
    assert child.end() == 0
    assert second.end() == 0


def test_a_serve_for_agents_ends_after_its_last_client(root: Path) -> None:
    serve = Serve(root, "--idle-exit", "10")  # for a first agent it waits as long, which takes its time to start
    child = Child(root)
    child.ask(INITIALIZE)
    assert serve.process.poll() is None
    assert child.end() == 0
    assert serve.process.wait(PATIENCE_S) == 0
    assert serve.process.stdout is not None
    serve.process.stdout.close()
    wait_gone(root)


async def test_the_door_over_tcp_asks_for_its_secret(root: Path, pages: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPTURE_DOOR", "tcp")
    serve = Serve(root, "--browser", "--headless", "--url", f"{pages}/blank.html")
    known = json.loads((root / "door.json").read_text())
    assert (root / "door.json").stat().st_mode & 0o777 == 0o600
    reader, writer = await asyncio.open_connection("127.0.0.1", known["port"])
    writer.write(b'{"role": "mcp", "secret": "wrong"}\n')
    assert b"DENIED" in await reader.readline()
    writer.close()
    await writer.wait_closed()
    client = connect(root, "tcp")
    client.server.env = {"KAPTURE_DOOR": "tcp"}  # type: ignore[union-attr]
    async with client:
        assert (await Agent(client).call("evaluate", code="document.title"))["value"] == "Blank"
    assert serve.end() == 0


def panel_process(root: Path, *options: str) -> subprocess.Popen[str]:
    command = [*KAPTURE, "--port", "0", "--data-dir", str(root), *options]
    return subprocess.Popen(
        command, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, stderr=subprocess.PIPE, text=True
    )


def ended(process: subprocess.Popen[str]) -> int:
    code = process.wait(PATIENCE_S)
    assert process.stderr is not None
    process.stderr.close()
    return code


def test_the_window_takes_over_from_serve_and_a_second_one_raises_the_first(root: Path) -> None:
    serve = Serve(root)
    child = Child(root)
    child.ask(INITIALIZE)
    panel = panel_process(root)
    assert serve.process.wait(PATIENCE_S) == 0
    assert serve.process.stdout is not None
    serve.process.stdout.close()
    number = 2
    while child.call(number, "list_tabs")["isError"]:
        number += 1
    second = panel_process(root)
    assert ended(second) == 0
    assert panel.poll() is None
    panel.send_signal(signal.SIGTERM)
    assert ended(panel) == 0
    assert child.end() == 0
    wait_gone(root)


def test_the_panel_killed_leaves_no_browser(root: Path, pages: str) -> None:
    panel = panel_process(root, "--tray")
    wait_open(root)  # or the child would start a panel of its own
    child = Child(root)
    child.ask(INITIALIZE)
    child.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert child.call(2, "navigate", url=f"{pages}/blank.html")["isError"] is False
    panel.kill()
    ended(panel)
    assert child.end() == 0
    wait_gone(root)


@pytest.mark.skipif(not hasattr(psutil.Process, "memory_maps"), reason="this system does not tell what is loaded")
def test_a_panel_without_a_window_gets_ready_for_its_first_agent_by_itself(root: Path) -> None:
    """Nobody connects, and yet what an agent's conversation needs is loaded: its models are checked by this library."""
    serve = Serve(root)
    panel = psutil.Process(serve.ready["pid"])
    try:
        until(lambda: any("pydantic_core" in part.path for part in panel.memory_maps()), "the agents' protocol")
    finally:
        code = serve.end()
    assert code == 0
