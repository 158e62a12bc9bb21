"""A batch of events is taken whole, but for kinds nobody knows."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from kapture_panel.core.wire import events
from kapture_panel.core.wire.events import Closed, ConsoleCleared, ConsoleSaid, RequestSeen, TabChanged


def decoded(*batch: Any) -> list[events.Event]:
    return events.decode([msgspec.Raw(json.dumps(event).encode()) for event in batch])


def test_a_batch_keeps_its_order() -> None:
    assert decoded({"kind": "console", "text": "a"}, {"kind": "cleared"}, {"kind": "tab", "title": "A"}) == [
        ConsoleSaid(text="a"), ConsoleCleared(), TabChanged(title="A"),
    ]  # fmt: skip


def test_a_request_without_an_answer_has_no_status() -> None:
    (seen,) = decoded({"kind": "request", "id": "r1", "at": 5, "status": None, "failure": None, "ms": None})
    assert seen == RequestSeen(id="r1", at=5)


@pytest.mark.parametrize("event", [{"kind": "nobody knows"}, {"kind": 7}, {"kind": ["tab"]}, {"kind": None}, {}])
def test_what_nobody_knows_is_left_out_and_spoils_nothing(event: dict[str, Any]) -> None:
    assert decoded(event, {"kind": "closed", "tabId": "t1"}) == [Closed(tabId="t1")]


@pytest.mark.parametrize(
    "event",
    [
        7,
        [],
        {"kind": "console", "at": "now"},
        {"kind": "console", "text": 7},
        {"kind": "request", "status": "200"},
        {"kind": "request", "bytes": 1.5},
        {"kind": "tab", "url": {}},
        {"kind": "dialog", "open": 1},
        {"kind": "closed", "tabId": None},
    ],
)
def test_an_event_of_another_form_than_its_kind_is_none(event: Any) -> None:
    with pytest.raises(msgspec.DecodeError):
        decoded(event)


def test_every_kind_has_a_name_of_its_own() -> None:
    of_a_tab = {"tab", "console", "cleared", "request", "dialog", "target", "pointer", "did", "crash"}
    assert of_a_tab | {"closed", "held", "back"} == events._KNOWN
