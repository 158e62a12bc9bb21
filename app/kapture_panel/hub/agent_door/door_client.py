"""The near side of the local door for our own programs: `kapture call`, raising the window, handing over."""

from __future__ import annotations

import json
from pathlib import Path

from kapture_panel import door_socket
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject


class DoorClient:
    """A connection to the running panel, as a context manager.

    Args:
        root: the data directory.
        greeting: the first line: `{"role": "call" | "control"}`.

    Raises:
        KaptureError: `PANEL_DOWN` when there is no panel, else as `ask` says.
    """

    def __init__(self, root: Path, greeting: JsonObject, timeout_s: float | None = None) -> None:
        try:
            self._socket, secret = door_socket.connect(str(root))
        except OSError:
            raise KaptureError("PANEL_DOWN", f"no panel is running for {root}", "start one with: kapture") from None
        self._socket.settimeout(timeout_s)
        self._file = self._socket.makefile("rwb")
        try:
            self.ask({**greeting, **secret})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> DoorClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        try:
            self._file.close()
        except OSError:
            pass  # what it still held cannot be sent: the panel has gone
        finally:
            self._socket.close()

    def ask(self, request: JsonObject) -> JsonObject:
        """Send one line and wait for the answer's line.

        Raises:
            KaptureError: the answer is an error, the panel went away (`PANEL_DOWN`) or did not answer in time
                (`COMMAND_TIMEOUT`).
        """
        try:
            self._file.write(json.dumps(request).encode() + b"\n")
            self._file.flush()
            line = self._file.readline()
        except TimeoutError:
            raise KaptureError(
                "COMMAND_TIMEOUT",
                f"the panel runs but did not answer within {self._socket.gettimeout():g} s",
                "it is busy or stopped: try again, or end it and start it again",
            ) from None
        except OSError:
            line = b""
        if not line:
            raise KaptureError("PANEL_DOWN", "the panel went away before it answered", "start it again")
        answer: JsonObject = json.loads(line)
        if "error" in answer:
            raise KaptureError.from_wire(answer["error"])
        return answer


def answers(root: Path) -> bool:
    """Whether a panel accepts connections for this data directory."""
    try:
        connection, _ = door_socket.connect(str(root))
    except OSError:
        return False
    connection.close()
    return True
