"""Answers in lines for people."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.hub.agent_door import plain_text

CASES: list[tuple[dict[str, Any], str]] = [
    ({"clicked": "button", "outcome": "done", "effects": {"changed": True}},
     "done\nclicked: button\neffects:\n  changed: true"),
    ({"count": 0, "elements": []}, "count: 0\nelements: none"),
    ({"tags": ["a", "b"], "names": ["Doe, John"]}, "tags: a, b\nnames:\n  - Doe, John"),
    ({"tabs": [{"tabId": "t1", "url": "https://a.example"}, {"tabId": "t2", "title": "two\nlines"}]},
     "tabs:\n  - tabId: t1  url: https://a.example\n  - tabId: t2\n    title:\n      two\n      lines"),
    ({"text": "two\nlines", "gone": None, "empty": ""}, "text:\n  two\n  lines\ngone: null\nempty:"),
    ({"rows": [[1, 2], []], "none": {}}, "rows:\n  - [1, 2]\n  - none\nnone: none"),
    ({"list": [{"in": [{"a": 1}]}, {}]}, "list:\n  - in:\n      - a: 1\n  - {}"),
]  # fmt: skip


@pytest.mark.parametrize(("told", "text"), CASES, ids=range(len(CASES)))
def test_an_object_is_a_line_for_each_name(told: dict[str, Any], text: str) -> None:
    assert plain_text.of_answer(told) == text


def test_what_code_gave_is_a_text_as_it_is_or_json() -> None:
    assert plain_text.of_value("a\nb") == "a\nb"
    assert plain_text.of_value({"ä": [1]}) == '{\n  "ä": [\n    1\n  ]\n}'
    assert plain_text.of_value(None) == "null"
