"""`kapture mcp`, the real process: it carries lines, outlives the panel, and never lies about what was done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.mcp_child.conversation import HELLO, Conversation, answer_of, text_of
from tests.support.mcp_child.fakes import Child, FakePanel, call, request

READY: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with FakePanel(tmp_path) as panel, Child("--data-dir", str(tmp_path)) as child:
        made = Conversation(tmp_path, panel, child)
        with made.attached:
            yield made


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
    assert answer["result"]["resultType"] == "complete"  # the stateless era takes no result without
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
        refusal = {"error": {"code": "INVALID_PARAMS", "message": "--tools 'cooking' is not one of all, core"}}
        with panel.accept(refusal):
            assert child.end() == (2, "", "kapture mcp: --tools 'cooking' is not one of all, core\n")


def test_a_refusal_later_on_is_told_in_every_answer(talk: Conversation) -> None:
    talk.panel_dies()
    with FakePanel(talk.root) as panel, panel.accept({"error": {"code": "DENIED", "message": "not you"}}) as again:
        assert again.hear() is None
    while "refuses this client: not you" not in text_of(answer_of(talk.child)):
        pass
    assert talk.child.end()[0] == 0
