"""What stands out in code."""

from __future__ import annotations

import pytest

from kapture_panel.window.widgets.code_colours import spans

FOUND: list[tuple[str, list[tuple[str, str]]]] = [
    ("return a", [("return", "accent")]),
    ("returned(newer)", []),
    ("x = 'it\\'s' + \"b\"", [("'it\\'s'", "ok"), ('"b"', "ok")]),
    ("`a\nb`", [("`a\nb`", "ok")]),
    ("'open", [("'open", "ok")]),
    ("1 + 0xFF + a1", [("1", "driving"), ("0xFF", "driving")]),
    ("a // if 1\nif", [("// if 1", "text_secondary"), ("if", "accent")]),
    ("/* 'a'\n */ 2", [("/* 'a'\n */", "text_secondary"), ("2", "driving")]),
    ("/* open", [("/* open", "text_secondary")]),
]


@pytest.mark.parametrize(("code", "found"), FOUND)
def test_parts_of_code_stand_out(code: str, found: list[tuple[str, str]]) -> None:
    assert [(code[start:end], role) for start, end, role in spans(code)] == found
