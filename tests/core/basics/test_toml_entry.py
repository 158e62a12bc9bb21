"""Edits of TOML files: our table comes and goes, and every other character stays."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics import toml_entry
from kapture_panel.core.basics.spot import Unreadable
from tests.support.core.installing.documents import ENTRIES

OUTER, NAME = "mcp_servers", "kapture"
ENTRY: dict[str, Any] = {"command": "/opt/kapture", "args": ["mcp"]}
TABLE = '[mcp_servers.kapture]\ncommand = "/opt/kapture"\nargs = ["mcp"]\n'

#: Pieces of a file, each a whole number of lines, that go together in any order.
PIECES = [
    "# a comment with [brackets] and = signs\n",
    "\n",
    '[mcp_servers.a]\ncommand = "a" # why\nargs = [\n  "[mcp_servers.kapture]", # no header\n]\n',
    "[mcp_servers.'b c'] # quoted\nurl = 'https://b'\n",
    '[mcp_servers."b c".env]\nKEY = "]"\n',
    '[tui]\nnote = """\n[mcp_servers.kapture]\ncommand = "\\"""\\\n"""\n',
    "[[projects]]\npath = '''\n[x]'''\ntrust = { level = 1, tags = [[1], [2]] }\n",
    '["kapture"]\n"a.b"."=" = 1979-05-27T07:32:00Z\n',
]


@st.composite
def documents(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(PIECES), unique=True))
    head = draw(st.sampled_from(["", 'model = "o"\n', "# first\nmodel = '''a\n''' # m\n\n"]))
    text = head + "".join(pieces)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(documents(), ENTRIES)
def test_a_table_is_added_at_the_end_and_nothing_else_happens(text: str, entry: dict[str, Any]) -> None:
    after = toml_entry.put(text, OUTER, NAME, entry)
    wanted = tomllib.loads(text)
    wanted.setdefault(OUTER, {})[NAME] = entry
    assert tomllib.loads(after) == wanted
    assert after.startswith(text)
    if "\r\n" in text:
        assert "\n" not in after.replace("\r\n", "")


@given(documents(), ENTRIES, st.lists(st.sampled_from(PIECES), max_size=2))
def test_it_goes_again_without_a_trace_whatever_came_behind_it(
    text: str, entry: dict[str, Any], later: list[str]
) -> None:
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text += newline
    behind = "".join(piece.replace("\n", newline) for piece in later if piece.split("\n")[0] not in text)
    added = toml_entry.put(text, OUTER, NAME, entry) + behind
    try:
        tomllib.loads(added)
    except tomllib.TOMLDecodeError:
        return  # two pieces that do not go together
    after = toml_entry.remove(added, OUTER, NAME)
    assert without_blank(after) == without_blank(text + behind)
    if not behind:
        assert after == text


def without_blank(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


@given(documents(), ENTRIES, ENTRIES)
def test_a_table_that_is_there_is_changed_where_it_differs(text: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    added = toml_entry.put(text, OUTER, NAME, old) + "# mine\nstartup_timeout_sec = 9\n"
    after = toml_entry.put(added, OUTER, NAME, new)
    assert toml_entry.get(after, OUTER, NAME) == {**new, "startup_timeout_sec": 9}
    assert toml_entry.put(added, OUTER, NAME, old) == added
    assert after.endswith("# mine\nstartup_timeout_sec = 9\n")
    assert toml_entry.get(toml_entry.put(added, OUTER, NAME, new, whole=True), OUTER, NAME) == new


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", TABLE),
        ('model = "o"', f'model = "o"\n\n{TABLE}'),
        ("# mine\n\n", f"# mine\n\n\n{TABLE}"),
        ("[mcp_servers]\n", f"[mcp_servers]\n\n{TABLE}"),
        ('mcp_servers.a.command = "a"\n', f'mcp_servers.a.command = "a"\n\n{TABLE}'),
        (
            "[mcp_servers.kapture]\ncommand = '/old' # here\nargs = [\n  \"mcp\",\n]\nenv = {}\n[x]\n",
            '[mcp_servers.kapture]\ncommand = "/opt/kapture" # here\nargs = [\n  "mcp",\n]\nenv = {}\n[x]\n',
        ),
        ("[mcp_servers.kapture]\nargs = ['mcp']", '[mcp_servers.kapture]\ncommand = "/opt/kapture"\nargs = [\'mcp\']'),
        ('mcp_servers.kapture = {}\nx = 1\n', None),
        ("mcp_servers = { a = {} }\n", None),
        ("[[mcp_servers]]\n", None),
    ],
)  # fmt: skip
def test_what_is_written(before: str, after: str | None) -> None:
    if after is not None:
        assert toml_entry.put(before, OUTER, NAME, ENTRY) == after
        return
    with pytest.raises(Unreadable) as raised:
        toml_entry.put(before, OUTER, NAME, ENTRY)
    assert "mcp_servers" in raised.value.reason
    assert (raised.value.line, raised.value.column) == (1, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"a = 1\n\n{TABLE}", "a = 1\n"),
        (f"{TABLE}\n[x]\n", "\n[x]\n"),
        (f"a = 1\n\n{TABLE}\n[x]\n", "a = 1\n\n[x]\n"),
        (f"{TABLE}# of x\n[x]\n", "# of x\n[x]\n"),
        (f'{TABLE}[mcp_servers.kapture.env] # e\nK = """\n[x]"""\n[x]\n', "[x]\n"),
        ("[mcp_servers]\na = {}\nkapture = { args = ['mcp'] } # c\n[x]\n", "[mcp_servers]\na = {}\n[x]\n"),
        ("mcp_servers.kapture.command = 'k'\nx = 1\n", "x = 1\n"),
        ("[mcp_servers.'kapture']\n# in it\ncommand = 'k'", ""),
        ("x = 1\n", "x = 1\n"),
    ],
)  # fmt: skip
def test_what_is_removed(before: str, after: str) -> None:
    assert toml_entry.remove(before, OUTER, NAME) == after


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a = 1\nb = \n", 2, 5), ("a = 1\na = 2\n", 2, 6), ('a = """', 1, 8), ("[a\n", 1, 3), ("x\n", 1, 2)],
)
def test_what_is_no_toml_is_said_where_it_is(text: str, line: int, column: int) -> None:
    with pytest.raises(Unreadable) as raised:
        toml_entry.put(text, OUTER, NAME, ENTRY)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert "(at " not in raised.value.reason


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_written_as_toml_has_it(text: str) -> None:
    written = toml_entry.dumped(OUTER, NAME, {"command": text, "args": [text]})
    assert tomllib.loads(written) == {OUTER: {NAME: {"command": text, "args": [text]}}}
    assert json.loads(json.dumps(text)) == text


def test_a_name_that_is_no_bare_key_is_quoted() -> None:
    assert toml_entry.dumped(OUTER, "a b", {}) == '[mcp_servers."a b"]\n'
