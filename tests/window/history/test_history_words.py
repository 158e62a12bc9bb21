"""Rows of the history in a few words: where first, then what came of it."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target
from kapture_panel.window.history import history_words


def row(params: dict[str, Any], summary: str = "", **fields: Any) -> Row:
    given: dict[str, Any] = {"site": "shop.example", "command": "click", "state": "ok", **fields}
    return Row(1, 0.0, "codex", "agent", "t1", url="", params=params, summary=summary, **given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (row({"selector": "#place-order"}, "navigated to /thanks · 3 requests"), "#place-order → /thanks · 3 requests"),
        (row({"url": "https://shop.example/checkout"}, "navigated to /checkout"), "/checkout"),
        (row({"url": "https://shop.example/a?b=1"}, "navigated to /login"), "/a?b=1 → /login"),
        (row({"url": "https://me@other.example/"}, "navigated to /"), "other.example → /"),
        (row({"url": "https://shop.example./a"}, "navigated to /b"), "/a → /b"),
        (row({"url": "not an address"}, ""), "not an address"),
        (row({"url": "http://[::"}, ""), "http://[::"),
        (row({"selector": "#full-name", "value": {"redacted": 4}}, "no observable effect"), "#full-name"),
        (row({"selector": "#full-name"}, "page changed"), "#full-name · page changed"),
        (row({"selector": "#plc"}, "no match", code="ELEMENT_NOT_FOUND"), "#plc · no match"),
        (row({"selector": "#plc"}, "", code="TAB_CRASHED"), "#plc · the tab's renderer crashed"),
        (row({"key": "Enter"}, "page changed"), "Enter · page changed"),
        (row({"x": 10, "y": 20}, "page changed"), "10, 20 · page changed"),
        (row({}, "page changed", targets=[Target(role="button", name="Pay")]), "“Pay” · page changed"),
        (row({"selector": "a"}, "page changed", targets=[Target(role="link", name="Write Bob")]),
         "“Write Bob” · page changed"),
        (row({"selector": "div"}, "page changed", targets=[Target(role="group")]), "div · page changed"),
        (row({"x": 10, "y": 20}, "page changed", targets=[Target(name="Pay")]), "“Pay” · page changed"),
        (row({"key": "Enter"}, "page changed", targets=[Target(name="Pay", focus=True)]), "Enter · page changed"),
        (row({}, "412 tokens, 38 refs"), "412 tokens, 38 refs"),
        (row({}, ""), ""),
        (row({"selector": "a\u202eb\n<b>"}, "c"), "ab <b> · c"),
    ],
)  # fmt: skip
def test_what_was_meant_comes_before_what_came_of_it(given: Row, words: str) -> None:
    assert history_words.summary(given) == words
