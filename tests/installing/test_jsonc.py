"""JSON with comments: what is read, and where it says that it cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics.spot import Unreadable
from kapture_panel.installing import jsonc
from kapture_panel.installing.jsonc import Node
from tests.support.core.installing.documents import data, documents

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def plain(text: str) -> Any:
    node = jsonc.parse(text)
    assert node is not None
    return node.plain()


@given(_JSON, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_all_json_is_read_as_json(value: Any, indent: int | str | None, is_ascii: bool) -> None:
    assert plain(json.dumps(value, indent=indent, ensure_ascii=is_ascii)) == value


@given(documents())
def test_comments_and_last_commas_say_nothing(text: str) -> None:
    assert plain(text) == data(text)


@given(documents())
def test_every_span_is_that_of_its_value(text: str) -> None:
    def walk(node: Node) -> None:
        assert plain(text[node.start : node.end]) == node.plain()
        for member in node.members:
            assert json.JSONDecoder().raw_decode(text, member.start)[0] == member.key
            assert member.comma == -1 or text[member.comma] == ","
            walk(member.node)

    root = jsonc.parse(text)
    assert root is not None
    walk(root)


@pytest.mark.parametrize("text", ["", "  \n", "// only this", "/* and\nthis */ "])
def test_a_file_without_a_value_is_empty(text: str) -> None:
    assert jsonc.parse(text) is None


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma or }"),
        ('{"a": [1 2]}', 1, 10, "a comma or ]"),
        ('{"a" 1}', 1, 6, "a colon"),
        ("{a: 1}", 1, 2, "a name in double quotes"),
        ("{'a': 1}", 1, 2, "a name in double quotes"),
        ('{"a": }', 1, 7, "a value"),
        ('{"a": 1,,}', 1, 9, "a name in double quotes"),
        ('{"a": 1', 1, 8, "ends too early"),
        ('{"a": ', 1, 7, "ends too early"),
        ('{"a": "b}', 1, 7, "this text does not end"),
        ('{"a": "b\nc"}', 1, 7, "must be escaped"),
        ('{"a": "\\x"}', 1, 7, "must be escaped"),
        ('{"a": 01}', 1, 7, "this is not a number"),
        ('{"a": 1.}', 1, 7, "this is not a number"),
        ('{"a": truer}', 1, 7, "a value"),
        ('{"a": NaN}', 1, 7, "a value"),
        ('{"a": 1} // fine\n{', 2, 1, "nothing more"),
        ('{"a": 1 /* no end', 1, 9, "this comment does not end"),
        ('{"a": 1 / 2}', 1, 9, "this comment does not end"),
        ("]", 1, 1, "a value"),
        ("[" * 300, 1, 202, "nested more than 200 deep"),
    ],
)
def test_what_is_no_json_is_said_where_it_is(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(Unreadable) as raised:
        jsonc.parse(text)
    assert reason in raised.value.reason
    assert (raised.value.line, raised.value.column) == (line, column)


@given(documents(), st.data())
def test_a_file_cut_off_anywhere_is_refused_and_never_read_as_less(text: str, drawn: st.DataObject) -> None:
    end = drawn.draw(st.integers(0, len(text)))
    try:
        node = jsonc.parse(text[:end])
    except Unreadable:
        return
    assert node is None or node.plain() == data(text)
