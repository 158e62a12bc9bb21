"""The wire: what is encoded decodes the same, and nothing else is taken for a message."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.effects import Effects
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.events import ConsoleSaid, TabChanged
from kapture_panel.core.wire.protocol import FromExtension, FromPanel

FROM_EXTENSION: list[FromExtension] = [
    protocol.Hello(protocol=1, role="tab", install="i", nonce="n", tabId="t1"),
    protocol.Proof(proof="ab"),
    protocol.Register(url="https://a.example/", title="Ü", tabId="t1"),
    protocol.Response(id="c1", success=True, result={"value": [1, None]}, effects=Effects(changed=True), ms=1.5),
    protocol.Response(id="c2", success=False, error=Failure(code="BUSY", message="wait")),
    protocol.Event(events=[ConsoleSaid(text="x"), TabChanged(url="https://a.example/")]),
    protocol.Ping(),
    protocol.Pong(),
]
FROM_PANEL: list[FromPanel] = [
    protocol.Challenge(nonce="n", proof="p"),
    protocol.Accepted(),
    protocol.Refused(code="DENIED", message="no"),
    protocol.Registered(tabId="t1"),
    protocol.Registered(tabId="t1", naturalMouse="on", showCursor="off"),
    protocol.Settings(naturalMouse="off", showCursor="on"),
    protocol.CommandFrame(id="c1", command="kapturemcp_click", params={"ref": "e1"}, timeout=30_000),
    protocol.Cancel(id="c1"),
    protocol.Pick(id="c2"),
    protocol.Ping(),
    protocol.Pong(),
]


@pytest.mark.parametrize("message", FROM_EXTENSION, ids=lambda message: type(message).__name__)
def test_a_message_of_the_extension_is_read_as_it_was_sent(message: FromExtension) -> None:
    assert protocol.decode(msgspec.json.encode(message)) == message
    assert protocol.decode(msgspec.json.encode(message).decode()) == message


@pytest.mark.parametrize("message", FROM_PANEL, ids=lambda message: type(message).__name__)
def test_a_message_of_the_panel_is_a_json_object_with_its_type(message: FromPanel) -> None:
    wire = json.loads(protocol.encode(message))
    fields = {name: getattr(message, name) for name in message.__struct_fields__}
    assert wire.pop("type")
    assert {**fields, **wire} == fields


def test_the_command_frame_names_all_the_extension_needs() -> None:
    frame = protocol.encode(protocol.CommandFrame(id="c1", command="kapturemcp_reload", params={}, timeout=5))
    assert json.loads(frame) == {
        "type": "command", "id": "c1", "command": "kapturemcp_reload", "params": {}, "timeout": 5,
    }  # fmt: skip


@pytest.mark.parametrize(
    "frame",
    [
        "", "{}", "[]", "null", "7", "hello", '{"type":"hello"}', '{"type":"nobody"}', '{"type":7}', '{"id":"c1"}',
        '{"type":"hello","protocol":"1","role":"tab","install":"i","nonce":"n"}',
        '{"type":"hello","protocol":1,"role":"window","install":"i","nonce":"n"}',
        '{"type":"response","id":1,"success":true}', '{"type":"response","id":"c1","success":"yes"}',
        '{"type":"event","events":[1]}', '{"type":"event","events":{}}', '{"type":"proof","proof":null}',
        '{"type":"ping"} trailing', '{"type":"ping"', b"\xff\xfe", b"\x00", "[" * 100_000,
        '{"type":"event","events":[' + '{"a":' * 100_000,
    ],
    ids=lambda frame: repr(frame[:40]),
)  # fmt: skip
def test_what_is_no_message_of_the_extension_is_refused(frame: str | bytes) -> None:
    with pytest.raises(KaptureError, match="not a frame of the extension") as raised:
        protocol.decode(frame)
    assert raised.value.code == "INVALID_PARAMS"


@pytest.mark.parametrize("message", FROM_PANEL[:6], ids=lambda message: type(message).__name__)
def test_a_message_of_the_panel_is_not_taken_from_the_extension(message: FromPanel) -> None:
    with pytest.raises(KaptureError):
        protocol.decode(protocol.encode(message))


@given(frame=st.binary(max_size=200) | st.text(max_size=200))
@example(frame='{"type":"ping"}')
def test_garbage_is_refused_and_never_more_than_that(frame: str | bytes) -> None:
    read(frame)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({name for message in FROM_EXTENSION for name in message.__struct_fields__})
TYPES = ["hello", "proof", "register", "response", "event", "ping", "pong", "command", "refused"]


@given(
    kind=st.sampled_from(TYPES),
    fields=st.dictionaries(st.sampled_from(FIELDS) | st.text(), json_values, max_size=6),
)
def test_a_message_with_odd_fields_is_read_or_refused(kind: str, fields: dict[str, Any]) -> None:
    read(json.dumps({"type": kind, **fields}))


@given(result=json_values)
def test_any_json_comes_through_a_response(result: Any) -> None:
    message = protocol.Response(id="c1", success=True, result=result)
    read_back = protocol.decode(json.dumps(msgspec.to_builtins(message)))
    assert read_back == message


def read(frame: str | bytes) -> None:
    message: object = None
    with contextlib.suppress(KaptureError):
        message = protocol.decode(frame)
    assert message is None or isinstance(message, FromExtension)
