"""Edits of JSON files: our entry comes and goes, and every other character stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, example, given

from kapture_panel.core.basics.spot import Unreadable
from kapture_panel.installing import json_entry, jsonc
from kapture_panel.installing.jsonc import Member
from tests.support.core.installing.documents import ENTRIES, NAME, OUTER, comments, data, documents

ENTRY: dict[str, Any] = {"command": "/opt/kapture", "args": ["mcp"]}
WRITTEN = '"kapture": {"command": "/opt/kapture", "args": ["mcp"]}'


def holder(text: str) -> list[Member] | None:
    """The servers of a file, None when it has no place for them."""
    root = jsonc.parse(text)
    found = [member.node.members for member in root.members if member.key == OUTER] if root else []
    return found[0] if found else None


def without_space(text: str) -> str:
    return "".join(text.split())


def is_within(small: str, large: str) -> bool:
    """Whether `small` is left when some of `large` is taken out."""
    rest = iter(large)
    return all(character in rest for character in small)


@given(documents(), ENTRIES)
@example('{"servers": {"a": 1 // why\n}}', ENTRY)
@example('{\n  "servers": {\n    "a": 1 /* over\n two */\n  }\n}', ENTRY)
@example('{"servers":{"a":{}},}', ENTRY)
def test_an_entry_is_added_and_nothing_else_happens(text: str, entry: dict[str, Any]) -> None:
    after = json_entry.put(text, OUTER, NAME, entry)
    wanted = data(text)
    wanted.setdefault(OUTER, {})[NAME] = entry
    assert data(after) == wanted
    assert list(data(after)) == list(wanted)
    assert comments(after) == comments(text)
    assert is_within(without_space(text), without_space(after))
    root, old = jsonc.parse(text), holder(text)
    assert root is not None
    outside = next((member.node for member in root.members if member.key == OUTER), root)
    assert after.startswith(text[: outside.start + 1])
    assert after.endswith(text[outside.end - 1 :])
    if old:
        new = holder(after) or []
        spans = [[one[member.start : member.node.end] for member in members] for one, members in
                 ((text, old), (after, new))]  # fmt: skip
        assert spans[1][:-1] == spans[0]
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        assert "\n" not in after.replace("\r\n", "")


@given(documents(), ENTRIES)
def test_where_there_are_other_servers_it_goes_again_without_a_trace(text: str, entry: dict[str, Any]) -> None:
    assume(holder(text))
    assert json_entry.remove(json_entry.put(text, OUTER, NAME, entry), OUTER, NAME) == text


@given(documents(), ENTRIES)
def test_removing_keeps_all_that_is_not_ours(text: str, entry: dict[str, Any]) -> None:
    added = json_entry.put(text, OUTER, NAME, entry)
    after = json_entry.remove(added, OUTER, NAME)
    wanted = data(text)
    wanted.setdefault(OUTER, {})
    assert data(after) == wanted
    assert comments(after) == comments(text)
    assert json_entry.remove(after, OUTER, NAME) == after


@given(documents())
@example('{"servers":{"a":null// why\n,},}')
@example('{"servers":{// all\n"a":null ,\n"b":null,},}')
@example('{"servers":{// all\n"a":null/* over\n two */,\n"b":null,},}')
@example('{"servers":{"b":1, "a":null// why\n,},}')
def test_any_server_can_be_removed_from_anywhere(text: str) -> None:
    for member in holder(text) or []:
        after = json_entry.remove(text, OUTER, member.key)
        wanted = data(text)
        del wanted[OUTER][member.key]
        assert data(after) == wanted
        own = comments(text[member.start : member.node.end])
        assert sorted(comments(after) + own) == sorted(comments(text))


@given(documents(), ENTRIES, ENTRIES)
def test_an_entry_that_is_there_is_changed_where_it_differs(
    text: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    added = json_entry.put(text, OUTER, NAME, {**old, "env": {"KEY": "1"}})
    after = json_entry.put(added, OUTER, NAME, new)
    assert json_entry.get(after, OUTER, NAME) == {**new, "env": {"KEY": "1"}}
    assert json_entry.put(added, OUTER, NAME, {**old, "env": {"KEY": "1"}}) == added
    assert json_entry.get(json_entry.put(added, OUTER, NAME, new, whole=True), OUTER, NAME) == new


LONG = """"kapture": {
  "command": "/opt/kapture",
  "args": ["mcp"]
}"""


def long(indent: str, unit: str = "  ", newline: str = "\n") -> str:
    """The entry over several lines, the first one where the text is."""
    return LONG.replace("  ", unit).replace("\n", newline + indent)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "servers": {\n    ' + long("    ") + "\n  }\n}\n"),
        ("// hello", '// hello\n{\n  "servers": {\n    ' + long("    ") + "\n  }\n}\n"),
        ('{"servers": {}}\n', f'{{"servers": {{{WRITTEN}}}}}\n'),
        ('{"servers":{"a":{}}}', f'{{"servers":{{"a":{{}}, {WRITTEN}}}}}'),
        ('{"servers":{"a":{},}}', f'{{"servers":{{"a":{{}}, {WRITTEN},}}}}'),
        (
            '{\n\t"a": 1 // one\n}',
            '{\n\t"a": 1, // one\n\t"servers": {\n\t\t' + long("\t\t", "\t") + "\n\t}\n}",
        ),
        (
            '{\r\n    "servers": {\r\n        // none \r\n    }\r\n}',
            '{\r\n    "servers": {\r\n        // none \r\n        ' + long(" " * 8, " " * 4, "\r\n") + "\r\n    }\r\n}",
        ),
    ],
)
def test_it_is_laid_out_as_its_neighbours_are(before: str, after: str) -> None:
    assert json_entry.put(before, "servers", "kapture", ENTRY) == after


def test_a_change_keeps_the_comments_and_keys_within() -> None:
    before = (
        '{"servers": {\n  "kapture": {\n    "command": "/old", // here\n    "args": ["mcp"],\n    "env": {},\n  },\n}}'
    )
    after = json_entry.put(before, "servers", "kapture", ENTRY)
    assert after == before.replace("/old", "/opt/kapture")


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("[]", 1, 1, "an object"),
        ('{\n "servers": []}', 2, 13, '"servers" must be an object'),
        ('{"servers": null}', 1, 13, '"servers" must be an object'),
        ('{"servers": {}, "servers": {}}', 1, 17, '"servers" is there twice'),
        ('{"servers": {"kapture": {}, "kapture": {}}}', 1, 29, '"kapture" is there twice'),
        ('{"servers": {"a": 1 "b"}}', 1, 21, "a comma or }"),
    ],
)
def test_what_cannot_be_changed_surely_is_refused(text: str, line: int, column: int, reason: str) -> None:
    for change in (
        lambda: json_entry.put(text, "servers", "kapture", ENTRY),
        lambda: json_entry.remove(text, "servers", "kapture"),
        lambda: json_entry.get(text, "servers", "kapture"),
    ):
        with pytest.raises(Unreadable) as raised:
            change()
        assert reason in raised.value.reason
        assert (raised.value.line, raised.value.column) == (line, column)


def test_what_is_pasted_is_json() -> None:
    assert json.loads(json_entry.dumped({"servers": {"kapture": ENTRY}})) == {"servers": {"kapture": ENTRY}}
