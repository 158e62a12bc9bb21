"""Carry JSON-RPC lines between the client's pipes and the panel's door, across restarts of the panel."""

import json
import os
import socket
import sys
import threading

from kapture_panel import door, door_socket
from kapture_panel.mcp_child import launch

TYPE_CHECKING = False  # importing typing costs as much as half of this program
if TYPE_CHECKING:
    from typing import Any, BinaryIO

#: A panel that was started may take this long to open its door; then the client gets an error.
START_DEADLINE_S = 8.0
START_LOOK_S = 0.02
#: How often a lost panel is looked for.
REATTACH_S = 0.25
_ID_PREFIX = b'{"jsonrpc":"2.0","id":'
_REPLAY = "kapture-replay-"
#: JSON-RPC's codes for a line that is not JSON, and for JSON that is not a message.
_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600

USAGE = """usage: kapture mcp [--data-dir DIR] [--tools all|core|GROUP,…] [--profile NAME]
                   [--isolated [--idle MINUTES] [--on PLACE]]

Speak MCP on standard input and output, for an MCP client to start. Attaches to the running panel of the
data directory, or starts one. --tools chooses what is offered: all (default), core, or groups by name.
--profile speaks as another system: kapture (default), unibrowse, webpilot, phoenix, browserx, or a file of yours.
--isolated gives the conversation a headless browser of its own, which its first call starts and which ends
with it, or after 30 minutes without a call (--idle). --on takes that browser from a place of browsers.toml
on another machine, or from here.
"""


def main(arguments: "list[str]") -> int:
    """Run the child until its client hangs up; the exit code says whether it was used right."""
    options = {"--data-dir": "", "--tools": "all", "--profile": "", "--idle": "", "--on": ""}
    isolated = False
    rest = list(arguments)
    while rest:
        name, _, value = rest.pop(0).partition("=")
        if name in ("-h", "--help"):
            sys.stdout.write(USAGE)
            return 0
        if name == "--isolated" and not value:
            isolated = True
            continue
        if name not in options or not (value or rest):
            sys.stderr.write(f"kapture mcp: cannot use {name!r}\n{USAGE}")
            return 2
        options[name] = value or rest.pop(0)
    if options["--on"] and not isolated:
        sys.stderr.write(f"kapture mcp: --on {options['--on']} is for --isolated\n{USAGE}")
        return 2
    wishes = {
        "tools": options["--tools"],
        "profile": options["--profile"],
        "isolated": isolated,
        "idle": options["--idle"],
        "on": options["--on"],
    }
    relay = Relay(door.data_dir(options["--data-dir"] or None), wishes)
    try:
        return relay.run(sys.stdin.buffer, sys.stdout.buffer)
    except KeyboardInterrupt:
        return 130


class Relay:
    """One client's conversation; `wishes` are what the panel is told of it: tools, profile, isolated, idle,
    on.

    `_pending` are the requests the panel has not answered yet: id → method. `_kept` are the lines a new panel
    must hear again: `initialize`, `initialized`, the log level and each subscription.
    """

    def __init__(self, root: str, wishes: "dict[str, Any]") -> None:
        self._root = root
        self._wishes = wishes
        self._panel: socket.socket | None = None
        self._pending: dict[Any, str] = {}
        self._kept: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        #: Only one thread at a time connects: the one that looks for a lost panel, or the one that starts one.
        self._attaching = threading.Lock()
        #: The client knows that the panel could not be started: its next request is the next try.
        self._start_again = False
        self._started_ever = False
        self._down = "the panel is not running"
        self._client_gone = threading.Event()

    def run(self, stdin: "BinaryIO", stdout: "BinaryIO") -> int:
        """Relay until `stdin` ends."""
        self._stdout = stdout
        try:
            attached = self._attach() or self._start()
        except Refused as refusal:
            # `programs/terminal.py` would cost modules: what is not printable goes here.
            told = "".join(sign for sign in str(refusal) if sign.isprintable())
            sys.stderr.write(f"kapture mcp: {told}\n")
            return 2
        if not attached:
            threading.Thread(target=self._reattach, daemon=True).start()
        for line in stdin:
            if line.strip():
                self._from_client(line)
        # The client is gone: hanging up cancels whatever it left running.
        self._client_gone.set()
        with self._lock:
            if self._panel is not None:
                _hang_up(self._panel)
        return 0

    def _attach(self) -> bool:
        """Connect to a running panel, tell it what it must know, and listen to it."""
        with self._attaching:
            return self._panel is not None or self._attach_now()

    def _attach_now(self) -> bool:
        try:
            panel, greeting = door_socket.connect(self._root)
        except OSError:
            return False
        lines = panel.makefile("rb")
        try:
            _send(panel, {"role": "mcp", **self._wishes, "pid": os.getpid(), **greeting})
            answer = json.loads(lines.readline() or b"{}")
            if "error" in answer:
                raise Refused(answer["error"].get("message", "refused"))
            if not answer.get("ok"):
                raise OSError("this is no panel")
            with self._lock:
                for number, message in enumerate(self._kept.values()):
                    _send(panel, {**message, "id": f"{_REPLAY}{number}"} if "id" in message else message)
                self._panel = panel
                self._started_ever = True
        except (OSError, ValueError, Refused) as error:
            lines.close()
            panel.close()
            if isinstance(error, Refused):
                raise
            return False
        threading.Thread(target=self._from_panel, args=(panel, lines), daemon=True).start()
        return True

    def _start(self) -> bool:
        """Start a panel and attach to it; children that start one at the same time meet at the same panel."""
        try:
            pid = launch.start_panel(self._root)
        except OSError as error:
            self._down = f"the panel could not be started: {error}"
            return False
        pause = threading.Event()
        waited = 0.0
        while waited < START_DEADLINE_S:
            pause.wait(START_LOOK_S)
            waited += START_LOOK_S
            if self._attach():
                return True
            reason = launch.failure(pid, self._root)
            if reason:
                self._down = f"the panel could not start: {reason}"
                break
        else:
            self._down = f"the panel did not start within {START_DEADLINE_S:.0f} s"
        self._down += f" (its log: {os.path.join(self._root, 'panel.log')})"
        return False

    def _reattach(self) -> None:
        """Look for a panel until there is one or the client goes; a panel the person ended is not started again."""
        try:
            while not self._client_gone.is_set() and not self._attach():
                self._client_gone.wait(REATTACH_S)
        except Refused as refusal:
            self._down = f"the panel refuses this client: {refusal}"

    def _from_client(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._answer_error(None, _PARSE_ERROR, f"Parse error: {error}; send one JSON-RPC message a line")
            return
        fault = _fault(message)
        if fault:
            is_ours = isinstance(message, dict) and "method" in message and _is_id(message.get("id"))
            self._answer_error(message["id"] if is_ours else None, _INVALID_REQUEST, f"Invalid Request: {fault}")
            return
        method: Any = message.get("method")
        is_request = method is not None and "id" in message
        if is_request and self._start_again:
            self._try_again()
        with self._lock:
            panel = self._panel
            if method is not None:
                self._keep(method, message)
                if panel is not None and is_request:
                    self._pending[message["id"]] = method
        if panel is None:
            if is_request:
                self._answer_down(message["id"], method, sent=False)
            return
        try:
            panel.sendall(line if line.endswith(b"\n") else line + b"\n")
        except OSError:
            return  # its reader thread settles what is pending

    def _try_again(self) -> None:
        """Start the panel after all, or say again why not."""
        self._start_again = False
        try:
            self._attach() or self._start()
        except Refused as refusal:
            self._down = f"the panel refuses this client: {refusal}"

    def _keep(self, method: str, message: "dict[str, Any]") -> None:
        if method in ("initialize", "notifications/initialized", "logging/setLevel"):
            self._kept[method] = message
        elif method in ("resources/subscribe", "resources/unsubscribe"):
            params = message.get("params")
            subscribed = f"subscribe {params.get('uri') if isinstance(params, dict) else ''}"
            if method == "resources/subscribe":
                self._kept[subscribed] = message
            else:
                self._kept.pop(subscribed, None)

    def _from_panel(self, panel: socket.socket, lines: "BinaryIO") -> None:
        try:
            for line in lines:
                answered = _answered_id(line)
                if isinstance(answered, str) and answered.startswith(_REPLAY):
                    continue
                with self._lock:
                    self._pending.pop(answered, None)
                self._to_client(line)
        except OSError:
            pass  # the same as the end of the lines
        with self._lock:
            cut, self._pending = self._pending, {}
            self._panel = None
            self._down = "the panel has ended; start it with: kapture"
        lines.close()
        panel.close()
        for request, method in cut.items():
            self._answer_down(request, method, sent=True)
        self._reattach()

    def _answer_down(self, request: "Any", method: str, sent: bool) -> None:
        """Answer for a panel that is not there: a tool call with a tool error, anything else with an RPC error."""
        if method == "tools/call" and sent:
            text = "OUTCOME_UNKNOWN: the panel ended while the command ran; look at the page before trying again"
        else:
            text = f"PANEL_DOWN: {self._down}; nothing was done, the call can be made again"
            # One that ran was ended by the person; one that never did is started when the call is made again.
            self._start_again = not self._started_ever
        if method == "tools/call":
            content = [{"type": "text", "text": text}]
            # The stateless era demands the last word; who speaks the handshake's takes no notice of it.
            self._answer(request, "result", {"content": content, "isError": True, "resultType": "complete"})
        else:
            self._answer_error(request, -32000, text)

    def _answer_error(self, request: "Any", code: int, text: str) -> None:
        self._answer(request, "error", {"code": code, "message": text})

    def _answer(self, request: "Any", kind: str, value: "dict[str, Any]") -> None:
        self._to_client(json.dumps({"jsonrpc": "2.0", "id": request, kind: value}).encode() + b"\n")

    def _to_client(self, line: bytes) -> None:
        with self._lock:
            try:
                self._stdout.write(line)
                self._stdout.flush()
            except OSError:
                return  # the client is gone; the end of its input ends us


class Refused(Exception):
    """The panel does not take this child, and will not take it later: wrong options, another user."""


def _fault(message: "Any") -> str:
    """Why `message` is none of JSON-RPC as MCP speaks it; "" for one that is."""
    if isinstance(message, list):
        return "a batch; MCP has none, send each message on a line of its own"
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return 'a message is an object with "jsonrpc": "2.0"'
    if "method" not in message:
        return "" if "result" in message or "error" in message else "neither a method nor a result nor an error"
    if not isinstance(message["method"], str):
        return "the method must be a string"
    if "id" in message and not _is_id(message["id"]):
        return "the id must be a string or an integer"
    if message.get("params") is not None and not isinstance(message["params"], dict):
        return "params must be an object"
    return ""


def _is_id(value: "Any") -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _send(panel: socket.socket, message: "dict[str, Any]") -> None:
    panel.sendall(json.dumps(message).encode() + b"\n")


def _hang_up(panel: socket.socket) -> None:
    """End the connection for the thread that reads it too, which closing alone does not."""
    try:
        panel.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # the panel was first


def _answered_id(line: bytes) -> "Any":
    """The id a response answers; long answers are not parsed for it. None for anything else."""
    if line.startswith(_ID_PREFIX):
        head = line[len(_ID_PREFIX) : 300].decode("utf-8", "replace")
        try:
            answered, end = json.JSONDecoder().raw_decode(head)
            if head.startswith((',"result"', ',"error"'), end):
                return answered
        except ValueError:
            pass  # an id longer than that: the whole line is parsed
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message.get("id") if isinstance(message, dict) and "method" not in message else None
