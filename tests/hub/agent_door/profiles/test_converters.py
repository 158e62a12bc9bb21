"""Named converters: one table of all of them, so that none is without a test."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.profiles.converters import CONVERTERS, tab_id, tab_number

#: converter → value → what it becomes; an error code where it becomes nothing.
CASES: dict[str, list[tuple[Any, Any]]] = {
    "duration": [
        ("15s", 15000), ("500ms", 500), ("2m", 120000), ("1.5s", 1500), (" 3 s ", 3000), (4, 4000), ("5", 5000),
        ("0s", "INVALID_PARAMS"), ("soon", "INVALID_PARAMS"), ("-1s", "INVALID_PARAMS"), ("", "INVALID_PARAMS"),
        ("1h", "INVALID_PARAMS"),
    ],
    "seconds": [(2, 2000), (0.25, 250)],
    "whole": [(5, 5), (5.0, 5), (0, 0), (5.5, "INVALID_PARAMS")],
    "tabId": [(10837609, "6gacp"), (37.0, "11"), (0, "TAB_NOT_FOUND"), (-3, "TAB_NOT_FOUND"), (1.5, "INVALID_PARAMS")],
    "tabNumber": [("6gacp", 10837609), ("z", 35)],
    "key": [
        ("Enter", "Enter"), ("ctrl+return", "Control+Enter"), ("Cmd+shift+K", "Meta+Shift+K"), ("a", "a"), ("A", "A"),
        ("esc", "Escape"), ("Ctrl++", "Control++"), ("+", "+"), ("page_down", "PageDown"), ("F5", "F5"),
    ],
    "formatter": [(True, "auto"), (False, "none")],
    "host": [
        ("http://localhost:8000/a?b", "localhost:8000"), ("https://u:p@shop.example/", "shop.example"),
        ("localhost:8000/a", "localhost:8000"), ("", ""),
    ],
    "list": [("a", ["a"]), (["a"], ["a"])],
    "refs": [('- button "A [ref=e9]" [ref=e1]\n  - link "B" [ref=e2]\n- text: [ref=e3]', 2), ("", 0)],
}  # fmt: skip


def test_every_converter_has_its_cases() -> None:
    assert set(CASES) == set(CONVERTERS)


@pytest.mark.parametrize(
    ("name", "value", "expected"), [(name, *case) for name, cases in CASES.items() for case in cases]
)
def test_a_value_becomes_what_it_should(name: str, value: Any, expected: Any) -> None:
    if isinstance(expected, str) and expected.isupper() and "_" in expected:
        with pytest.raises(KaptureError) as raised:
            CONVERTERS[name](value)
        assert raised.value.code == expected
    else:
        assert CONVERTERS[name](value) == expected


@given(st.text("abcdefghjkmnpqrstuvwxyz23456789", min_size=5, max_size=5))
def test_a_tabs_number_leads_back_to_the_tab(name: str) -> None:
    assert tab_id(tab_number(name)) == name
    assert tab_number(name) < 2**53, "a number every JSON reader keeps whole"
