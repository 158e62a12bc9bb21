"""Both ends of `kapture mcp`: the MCP client that starts it, and the panel whose door it finds."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from kapture_panel import door
from kapture_panel.hub.agent_door import door_address
from tests.support.patience import PATIENCE_S


class FakePanel:
    """A panel's door for the data directory `root`; the test says what it answers.

    With `secret` it is a TCP door, like where there are no Unix sockets.
    """

    def __init__(self, root: Path, secret: str = "") -> None:
        self._address = Path(root, "door.json") if secret else Path(door.address(str(root)))
        # The run-time folder is everybody's: another test's panel may remove it just before this one is in it.
        self._listening = socket.socket() if secret else door_address.unix_socket(self._address)
        self._listening.settimeout(PATIENCE_S)
        if secret:
            self._listening.bind(("127.0.0.1", 0))
        self._listening.listen()
        if secret:
            port = self._listening.getsockname()[1]
            self._address.write_text(json.dumps({"port": port, "secret": secret}))

    def __enter__(self) -> FakePanel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()
        self._address.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._address.parent.rmdir()  # the run-time folder, when nobody else uses it

    def accept(self, answer: dict[str, Any] | None = None) -> Attached:
        """Take the next child and answer its greeting, with `ok` unless told otherwise."""
        connection, _ = self._listening.accept()
        connection.settimeout(PATIENCE_S)
        attached = Attached(connection)
        attached.say(answer or {"ok": True})
        return attached


class Attached:
    """The panel's end of one child."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("rb")
        self.greeting: dict[str, Any] = self.hear()

    def __enter__(self) -> Attached:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hang_up()

    def say(self, message: dict[str, Any] | bytes) -> None:
        self._connection.sendall(message if isinstance(message, bytes) else compact(message))

    def hear(self) -> Any:
        """The next line of the child; None when it has hung up."""
        line = self.hear_line()
        return json.loads(line) if line else None

    def hear_line(self) -> bytes:
        return self._lines.readline()

    def answer(self, result: Any) -> dict[str, Any]:
        """Answer the next request with `result` and return it."""
        request: dict[str, Any] = self.hear()
        self.say({"jsonrpc": "2.0", "id": request["id"], "result": result})
        return request

    def hang_up(self) -> None:
        self._lines.close()
        self._connection.close()


class Child:
    """A real `kapture mcp` process and its client's end of the pipes."""

    def __init__(self, *arguments: str, program: str = "", environment: dict[str, str] | None = None) -> None:
        start = ["-c", program] if program else ["-m", "kapture_panel", "mcp"]
        self.process = subprocess.Popen(
            [sys.executable, *start, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            if kind is not None:
                self.process.kill()
            self.process.communicate()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def say(self, message: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(message if isinstance(message, bytes) else compact(message))
        self.process.stdin.flush()

    def hear(self) -> Any:
        line = self.hear_line()
        return json.loads(line) if line else None

    def hear_line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self) -> tuple[int, str, str]:
        """Hang up as a client does: its exit code, what it had still to say, and its complaints."""
        out, complaints = self.process.communicate()
        return self.process.returncode, out.decode(), complaints.decode()


def compact(message: dict[str, Any]) -> bytes:
    """A line in the form the panel's own JSON has."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def request(number: int | str, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number: int | str, name: str = "kapturemcp_click") -> dict[str, Any]:
    """A tool call."""
    return request(number, "tools/call", name=name, arguments={})
