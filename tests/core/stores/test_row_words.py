"""Rows in words."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.core.stores import row_words
from kapture_panel.core.wire.targets import Target


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"redacted": 1}, "1 character, not kept"),
        ({"redacted": "?"}, "not kept"),
        (True, "yes"),
        ([{"a": 1}, {"a": {"redacted": 2}}], "a 1; a 2 characters, not kept"),
        ([], "none"),
        (None, "null"),
        ("x", "x"),
    ],
)
def test_a_parameter_is_said_in_words(given: Any, said: str) -> None:
    assert row_words.value(given) == said


def test_an_element_is_its_role_and_name() -> None:
    assert row_words.element(Target(role="button", name="Pay")) == "button “Pay”"
    assert row_words.element(Target(selector="#a")) == ""


def test_each_effect_is_said() -> None:
    seen = {
        "url": "https://a.example/b", "newTabs": [{"tabId": "t2", "title": "Receipt"}],
        "dialogs": [{"message": "Sure?"}], "downloads": [{"path": "downloads/report.pdf"}], "consoleErrors": 2,
        "requests": [1, 2, 3], "changed": True,
    }  # fmt: skip
    assert row_words.effects(seen) == [
        ("Went to", "https://a.example/b"), ("New tab", "Receipt"), ("Dialog", "Sure?"), ("Download", "report.pdf"),
        ("Console errors", "2"), ("Requests", "3"),
    ]  # fmt: skip
    assert row_words.effects({"changed": True}) == [("Page", "changed")]
    assert row_words.effects({"pending": ["POST https://a.example/save"]}) == [
        ("Under way", "POST https://a.example/save")
    ]
    assert row_words.effects({"changed": "unknown"}) == [("Page", "not known")]
    assert row_words.effects({"target": {"checked": [False, True], "expanded": [None, True]}}) == [
        ("Checked", "no → yes"), ("Expanded", "nothing → yes"),
    ]  # fmt: skip
    assert row_words.effects({"damaged": "x"}) == []
