"""`kapture mcp`, the real process: it carries lines, outlives the panel, and never lies about what was done."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.mcp_child.fakes import Attached, Child, FakePanel, call, request
from tests.support.patience import PATIENCE_S

HELLO = request(1, "initialize", protocolVersion="2025-06-18", clientInfo={"name": "test-agent"})
READY: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Conversation:
    """A child attached to a fake panel."""

    def __init__(self, root: Path, panel: FakePanel, child: Child) -> None:
        self.root, self.panel, self.child = root, panel, child
        self.attached: Attached = panel.accept()

    def panel_dies(self) -> None:
        """End the panel while a call runs; the child has noticed once that call is answered."""
        self.child.say(call("last"))
        self.attached.hear()
        self.panel.__exit__(None, None, None)
        self.attached.hang_up()
        while (answer := self.child.hear())["id"] != "last":
            pass
        assert "OUTCOME_UNKNOWN" in text_of(answer)


def text_of(answer: dict[str, Any]) -> str:
    """The words of a tool error."""
    result = answer["result"]
    assert result["isError"] is True
    return str(result["content"][0]["text"])


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with FakePanel(tmp_path) as panel, Child("--data-dir", str(tmp_path)) as child:
        made = Conversation(tmp_path, panel, child)
        with made.attached:
            yield made


def test_it_tells_the_panel_who_it_is(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(f"--data-dir={tmp_path}", "--tools=core,tabs") as child,
        panel.accept() as attached,
    ):
        wishes = {"tools": "core,tabs", "profile": "", "isolated": False, "idle": ""}
        assert attached.greeting == {"role": "mcp", **wishes, "pid": child.process.pid}


def test_it_asks_for_a_profile(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(f"--data-dir={tmp_path}", "--profile", "phoenix"),
        panel.accept() as attached,
    ):
        assert attached.greeting["profile"] == "phoenix"


def test_it_asks_for_a_browser_of_its_own(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(f"--data-dir={tmp_path}", "--isolated", "--idle", "5"),
        panel.accept() as attached,
    ):
        assert (attached.greeting["isolated"], attached.greeting["idle"]) == (True, "5")


def test_it_knows_the_secret_of_a_tcp_door(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path, secret="s3cret") as panel,
        Child("--data-dir", str(tmp_path), environment={"KAPTURE_DOOR": "tcp"}) as child,
        panel.accept() as attached,
    ):
        assert attached.greeting["secret"] == "s3cret"
        child.say(HELLO)
        assert attached.answer({}) == HELLO
        assert child.hear()["id"] == 1


def test_the_data_directory_may_come_from_the_environment(tmp_path: Path) -> None:
    with (
        FakePanel(tmp_path) as panel,
        Child(environment={"KAPTURE_HOME": str(tmp_path)}),
        panel.accept() as attached,
    ):
        assert attached.greeting["tools"] == "all"


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
        b'{ "id" : 1 , "method" : "ping", "jsonrpc":"2.0" }\n',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"text":"' + "ü‽".encode() * 1_000_000 + b'"}}\n',
        b'{"jsonrpc":"2.0","id":"a","result":{}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/x","params":null}\n',
    ],
    ids=lambda line: line[:30],
)
def test_lines_cross_unchanged_both_ways(talk: Conversation, line: bytes) -> None:
    talk.child.say(line)
    assert talk.attached.hear_line() == line
    talk.attached.say(line)
    assert talk.child.hear_line() == line


#: What a client says, the code of the answer, the id it is for, and a part of its words.
FAULTS: list[tuple[bytes, int, Any, str]] = [
    (b"no JSON at all", -32700, None, "Parse error: Expecting value"),
    (b'{"jsonrpc":"2.0","id":1,', -32700, None, "send one JSON-RPC message a line"),
    (b'"\xff"', -32700, None, "Parse error"),
    (b"[" * 100_000, -32700, None, "Parse error"),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None, "a batch; MCP has none"),
    (b"[]", -32600, None, "a batch"),
    (b"7", -32600, None, "a message is an object"),
    (b"null", -32600, None, "a message is an object"),
    (b'{"id":1,"method":"ping"}', -32600, 1, "jsonrpc"),
    (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a", "jsonrpc"),
    (b'{"jsonrpc":"2.0","id":1}', -32600, None, "neither a method nor a result nor an error"),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600, 1, "the method must be a string"),
    (b'{"jsonrpc":"2.0","id":[1],"method":"tools/call"}', -32600, None, "the id must be a string or an integer"),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None, "the id must be"),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None, "the id must be"),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None, "the id must be"),
    (b'{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":[]}', -32600, 1, "params must be an object"),
]


def test_what_is_no_message_is_answered_with_or_without_a_panel(talk: Conversation) -> None:
    def faults_are_answered() -> None:
        for line, code, number, words in FAULTS:
            talk.child.say(line + b"\n")
            answer = talk.child.hear()
            assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", number, code)
            assert words in answer["error"]["message"]

    faults_are_answered()
    talk.child.say(READY)
    assert talk.attached.hear() == READY, "the panel heard of none of them"
    talk.panel_dies()
    faults_are_answered()
    code, rest, complaints = talk.child.end()
    assert (code, rest, complaints) == (0, "", "")


def test_empty_lines_stay_behind(talk: Conversation) -> None:
    talk.child.say(b"\n   \n")
    talk.child.say(HELLO)
    assert talk.attached.hear() == HELLO


def test_many_calls_at_once_keep_their_order(talk: Conversation) -> None:
    for number in range(50):
        talk.child.say(call(number))
    assert [talk.attached.answer({})["id"] for _ in range(50)] == list(range(50))
    assert [talk.child.hear()["id"] for _ in range(50)] == list(range(50))


def test_when_the_client_hangs_up_so_does_the_child(talk: Conversation) -> None:
    talk.child.say(call(1))
    assert talk.attached.hear()["id"] == 1
    assert talk.child.end() == (0, "", "")
    assert talk.attached.hear() is None


def test_a_running_call_has_an_unknown_outcome_when_the_panel_ends(talk: Conversation) -> None:
    talk.child.say(call(1))
    talk.child.say(request(2, "tools/list"))
    assert [talk.attached.hear()["id"], talk.attached.hear()["id"]] == [1, 2]
    talk.attached.say({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}})
    talk.attached.hang_up()
    assert talk.child.hear()["method"] == "notifications/progress"
    assert text_of(talk.child.hear()).startswith("OUTCOME_UNKNOWN: the panel ended while the command ran")
    listed = talk.child.hear()
    assert (listed["id"], listed["error"]["code"]) == (2, -32000)
    assert listed["error"]["message"].startswith("PANEL_DOWN")


def test_a_call_that_was_answered_is_not_answered_again(talk: Conversation) -> None:
    talk.child.say(call(1))
    talk.attached.answer({"content": []})
    assert talk.child.hear() == {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
    talk.panel_dies()
    code, rest, _ = talk.child.end()
    assert (code, rest) == (0, "")


def test_without_a_panel_calls_are_answered_at_once(talk: Conversation) -> None:
    talk.panel_dies()
    talk.child.say(call(1))
    answer = talk.child.hear()
    assert answer["id"] == 1
    assert text_of(answer) == (
        "PANEL_DOWN: the panel has ended; start it with: kapture; nothing was done, the call can be made again"
    )
    talk.child.say(request("two", "tools/list"))
    talk.child.say(READY)
    talk.child.say(call(3))
    listed = talk.child.hear()
    assert (listed["id"], listed["error"]["message"].split(":")[0]) == ("two", "PANEL_DOWN")
    assert talk.child.hear()["id"] == 3
    assert talk.child.end()[0] == 0


def test_a_new_panel_hears_what_it_must_know_and_the_client_hears_nothing_of_it(talk: Conversation) -> None:
    talk.child.say(HELLO)
    talk.attached.answer({"serverInfo": {"name": "kapture-panel"}})
    assert talk.child.hear()["id"] == 1
    kept = [READY, request(2, "logging/setLevel", level="debug"), request(3, "resources/subscribe", uri="kapture://a")]
    gone = [
        request(4, "resources/subscribe", uri="kapture://b"),
        request(5, "resources/unsubscribe", uri="kapture://b"),
    ]
    for message in kept + gone:
        talk.child.say(message)
        assert talk.attached.hear() == message
        if "id" in message:
            talk.attached.say({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            assert talk.child.hear()["id"] == message["id"]
    talk.panel_dies()
    talk.child.say(call(6))
    assert "PANEL_DOWN" in text_of(talk.child.hear())
    with FakePanel(talk.root) as panel, panel.accept() as again:
        assert again.greeting["role"] == "mcp"
        replayed = [again.hear() for _ in range(4)]
        assert [message["method"] for message in replayed] == [message["method"] for message in [HELLO, *kept]]
        assert [message.get("params") for message in replayed] == [message.get("params") for message in [HELLO, *kept]]
        ids = [message["id"] for message in replayed if "id" in message]
        assert all(number.startswith("kapture-replay-") for number in ids)
        for number in ids:
            again.say({"jsonrpc": "2.0", "id": number, "result": {}})
        talk.child.say(call(7))
        assert again.answer({"content": []})["id"] == 7
        assert talk.child.hear() == {"jsonrpc": "2.0", "id": 7, "result": {"content": []}}


def test_a_client_without_a_handshake_needs_no_replay(talk: Conversation) -> None:
    talk.panel_dies()
    with FakePanel(talk.root) as panel, panel.accept() as again:
        changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        again.say(changed)
        assert talk.child.hear() == changed
        talk.child.say(call(1))
        assert again.answer({"content": []}) == call(1)
        assert talk.child.hear()["result"] == {"content": []}


def test_a_panel_may_come_and_go_many_times(talk: Conversation) -> None:
    talk.child.say(HELLO)
    talk.attached.answer({})
    talk.child.hear()
    talk.panel_dies()
    for _ in range(3):
        with FakePanel(talk.root) as panel, panel.accept() as again:
            assert again.answer({})["id"] == "kapture-replay-0"
    assert talk.child.end()[0] == 0


def test_a_request_of_the_panel_is_no_answer_to_the_clients(talk: Conversation) -> None:
    talk.child.say(call(0))
    talk.attached.hear()
    talk.attached.say({"jsonrpc": "2.0", "id": 0, "method": "ping"})
    assert talk.child.hear()["method"] == "ping"
    talk.attached.hang_up()
    answer = talk.child.hear()
    assert answer["id"] == 0
    assert "OUTCOME_UNKNOWN" in text_of(answer)


@pytest.mark.parametrize("number", ["i" * 1000, 'a"b\\c', "ü" * 200, 10**300, "", 0], ids=lambda n: str(n)[:10])
@pytest.mark.parametrize("loose", [False, True], ids=["compact", "loose"])
def test_answers_are_told_by_any_id(talk: Conversation, number: Any, loose: bool) -> None:
    talk.child.say(call(number))
    asked = talk.attached.hear()
    answer = {"jsonrpc": "2.0", "id": asked["id"], "result": {"content": []}}
    talk.attached.say(json.dumps(answer).encode() + b"\n" if loose else answer)
    assert talk.child.hear() == answer
    talk.panel_dies()
    assert talk.child.end()[1] == ""


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"resources/subscribe"}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":null}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{}}\n',
        b'{"jsonrpc":"2.0","id":{},"result":7}\n',
    ],
    ids=lambda line: line[16:60],
)
def test_no_odd_message_ends_the_child(talk: Conversation, line: bytes) -> None:
    talk.child.say(line)
    assert talk.attached.hear_line() == line
    talk.panel_dies()
    talk.child.say(line)
    talk.child.say(call(2))
    while talk.child.hear()["id"] != 2:
        pass
    code, _, complaints = talk.child.end()
    assert (code, complaints) == (0, "")


def test_a_panel_that_refuses_ends_the_child_with_its_reason(tmp_path: Path) -> None:
    with FakePanel(tmp_path) as panel, Child("--data-dir", str(tmp_path), "--tools", "cooking") as child:
        refusal = {"error": {"code": "INVALID_PARAMS", "message": "--tools 'cooking' is none of all, core"}}
        with panel.accept(refusal):
            assert child.end() == (2, "", "kapture mcp: --tools 'cooking' is none of all, core\n")


def test_a_refusal_later_on_is_told_in_every_answer(talk: Conversation) -> None:
    talk.panel_dies()
    with FakePanel(talk.root) as panel, panel.accept({"error": {"code": "DENIED", "message": "not you"}}) as again:
        assert again.hear() is None
    while "refuses this client: not you" not in text_of(answer_of(talk.child)):
        pass
    assert talk.child.end()[0] == 0


def answer_of(child: Child) -> dict[str, Any]:
    child.say(call(9))
    answer: dict[str, Any] = child.hear()
    return answer


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--tools", "core", "--help"]])
def test_help_is_printed_and_nothing_started(arguments: list[str]) -> None:
    with Child(*arguments) as child:
        code, out, complaints = child.end()
    assert (code, complaints) == (0, "")
    assert out.startswith("usage: kapture mcp [--data-dir DIR] [--tools all|core|GROUP,…]")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--nope"], "--nope"), (["tabs"], "tabs"), (["--tools"], "--tools"), (["--data-dir"], "--data-dir"),
     (["--tools", "core", "x"], "x"), (["--port=1"], "--port")],
)  # fmt: skip
def test_a_wrong_option_is_named_with_the_usage(arguments: list[str], named: str) -> None:
    with Child(*arguments) as child:
        code, out, complaints = child.end()
    assert (code, out) == (2, "")
    assert complaints.startswith(f"kapture mcp: cannot use {named!r}\nusage: kapture mcp")


#: The child with another way to start a panel.
STARTING = """
import os, sys
from kapture_panel.mcp_child import launch, relay
relay.START_DEADLINE_S = {deadline}
def start_panel(root):
    {start}
launch.start_panel = start_panel
sys.exit(relay.main(["--data-dir", sys.argv[1]]))
"""


@pytest.mark.parametrize(
    ("start", "deadline", "reason"),
    [
        ("raise OSError('no such program')", 8, "the panel could not be started: no such program"),
        ("return 0", 0, "the panel did not start within 0 s (its log: {root}/panel.log)"),
        (
            "open(os.path.join(root, 'panel.log'), 'w').write('first\\nkapture: port 1 is taken\\n\\n');"
            " return os.posix_spawn(sys.executable, [sys.executable, '-c', 'raise SystemExit(1)'], os.environ)",
            8,
            "the panel could not start: kapture: port 1 is taken (its log: {root}/panel.log)",
        ),
    ],
    ids=["cannot be started", "takes too long", "ends at once"],
)
def test_without_a_panel_that_starts_the_client_is_told_why(
    tmp_path: Path, start: str, deadline: int, reason: str
) -> None:
    with Child(str(tmp_path), program=STARTING.format(start=start, deadline=deadline)) as child:
        child.say(HELLO)
        answer = child.hear()
        assert answer["id"] == 1
        assert answer["error"]["code"] == -32000
        assert reason.format(root=tmp_path) in answer["error"]["message"]
        with FakePanel(tmp_path) as panel, panel.accept() as attached:
            assert attached.answer({})["id"] == "kapture-replay-0"
            child.say(call(2))
            while (message := attached.hear())["method"] != "tools/call":
                pass
            assert message["id"] == 2
        assert text_of(child.hear()).startswith("OUTCOME_UNKNOWN")


#: Each start is told through a pipe; the first one fails.
SECOND_TIME = """
    with open(os.path.join(root, "starts"), "w") as starts:
        starts.write("x")
    launch.tries = getattr(launch, "tries", 0) + 1
    if launch.tries == 1:
        raise OSError("not yet")
    return 0
"""


class Starts:
    """Hears when the child of a data directory starts a panel."""

    def __init__(self, root: Path) -> None:
        os.mkfifo(root / "starts")
        # For writing, too: without a writer a pipe is at its end and has always something to read.
        self._pipe = os.open(root / "starts", os.O_RDWR | os.O_NONBLOCK)

    def __enter__(self) -> Starts:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._pipe)

    def heard(self, wait_s: float = PATIENCE_S) -> bool:
        """Whether there was one more."""
        return bool(select.select([self._pipe], [], [], wait_s)[0]) and os.read(self._pipe, 1) == b"x"


def test_a_start_that_failed_is_tried_again_with_the_next_call(tmp_path: Path) -> None:
    program = STARTING.format(start=SECOND_TIME, deadline=PATIENCE_S)
    with Starts(tmp_path) as starts, Child(str(tmp_path), program=program) as child:
        child.say(HELLO)
        assert "not yet; nothing was done, the call can be made again" in child.hear()["error"]["message"]
        assert starts.heard()
        assert not starts.heard(0), "what failed is told before it is tried again"
        child.say(HELLO)
        assert starts.heard()
        with FakePanel(tmp_path) as panel, panel.accept() as attached:
            while attached.hear() != HELLO:
                pass
            attached.say({"jsonrpc": "2.0", "id": 1, "result": {}})
            assert child.hear() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_panel_that_ran_and_was_ended_is_not_started_by_a_call(tmp_path: Path) -> None:
    program = STARTING.format(start=SECOND_TIME, deadline=PATIENCE_S)
    with Starts(tmp_path) as starts, FakePanel(tmp_path) as panel, Child(str(tmp_path), program=program) as child:
        talk = Conversation(tmp_path, panel, child)
        with talk.attached:
            talk.panel_dies()
            for _ in range(2):
                assert "the panel has ended" in text_of(answer_of(child))
        assert not starts.heard(0)
