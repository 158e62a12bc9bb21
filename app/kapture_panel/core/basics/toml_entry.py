"""One table of a TOML file, written and removed statement by statement; `tomllib` checks each result.

The libraries that keep a file's style mix line ends, move what follows a table and refuse a byte order mark.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.spot import Unreadable

Entry = JsonObject
Path = tuple[str, ...]
_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[\[\]{}=\n]|[^\["\'\#\]{}=\n]+''',
    re.DOTALL,
)
_POSITION = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


@dataclass(frozen=True)
class _Statement:
    """A header, an assignment, or a line of neither (`path` is empty); `end` is behind its line break.

    `path` is the whole path it writes to. An assignment's value is `value_start` to before `value_end`.
    """

    start: int
    end: int
    path: Path
    is_header: bool = False
    value_start: int = 0
    value_end: int = 0


def get(text: str, outer: str, name: str) -> Any:
    """The table `outer.name`; None when it is not there.

    Raises:
        Unreadable: `text` is not TOML, or `outer` is not a table.
    """
    holder = _loads(text).get(outer, {})
    if not isinstance(holder, dict):
        raise _cannot(text, outer, f"{outer} must be a table")
    return holder.get(name)


def put(text: str, outer: str, name: str, entry: Entry, *, whole: bool = False) -> str:
    """`text` with the table, at the end of the file.

    Args:
        whole: what stands there already goes, else its other keys stay.

    Raises:
        Unreadable: as `get`, or what is there is written in a way that cannot be added to.
    """
    there = get(text, outer, name)
    wanted = _loads(text)
    if there is not None and (whole or not isinstance(there, dict)):
        text, there = remove(text, outer, name), None
    wanted.setdefault(outer, {})[name] = {**(there or {}), **entry}
    if there is None:
        text = _appended(text, dumped(outer, name, entry))
    else:
        for key, value in entry.items():
            if there.get(key) != value:
                text = _assigned(text, (outer, name), key, value)
    return _checked(text, wanted, outer)


def remove(text: str, outer: str, name: str) -> str:
    """`text` without the table, its tables within it, and the empty line before it.

    Raises:
        Unreadable: as `put`.
    """
    if get(text, outer, name) is None:
        return text
    wanted = _loads(text)
    del wanted[outer][name]
    statements = list(_statements(text))
    ours = [number for number, one in enumerate(statements) if one.path[:2] == (outer, name)]
    gone = set(ours)
    for number, following in pairwise(ours):
        # A comment between two lines of ours is ours.
        if not any(statements[between].path for between in range(number + 1, following)):
            gone.update(range(number + 1, following))
    first, last = min(gone), max(gone)
    is_last = all(not text[one.start : one.end].strip() for one in statements[last + 1 :])
    is_spaced = last + 1 < len(statements) and not text[statements[last + 1].start : statements[last + 1].end].strip()
    if first and (is_last or is_spaced) and not text[statements[first - 1].start : statements[first - 1].end].strip():
        gone.add(first - 1)
    text = "".join(text[one.start : one.end] for number, one in enumerate(statements) if number not in gone)
    if not wanted[outer]:
        after = _loads(text)
        if outer not in after:
            del wanted[outer]
    return _checked(text, wanted, outer)


def dumped(outer: str, name: str, entry: Entry) -> str:
    """The table as it is written."""
    return "".join([f"[{outer}.{_key(name)}]\n", *(f"{key} = {_value(value)}\n" for key, value in entry.items())])


def _loads(text: str) -> JsonObject:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _POSITION.fullmatch(str(error))
        if match and match[2]:
            raise Unreadable(match[1], int(match[2]), int(match[3])) from None
        raise Unreadable.at(match[1] if match else str(error), text, len(text)) from None


def _statements(text: str) -> Iterator[_Statement]:
    """Every line of the file; what goes over several lines is one statement."""
    start, depth, table = 0, 0, Path()
    equals, last = -1, 0
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == "\n" and depth == 0:
            yield (found := _statement(text, start, token.end(), equals, last, table))
            table = found.path if found.is_header else table
            start, equals, last = token.end(), -1, token.end()
        elif word in "[{":
            depth += 1
        elif word in "]}":
            depth -= 1
        elif word == "=" and equals < 0:
            equals = token.end()
        if not word.startswith("#") and word.strip():
            last = token.start() + len(word.rstrip())
    if start < len(text):
        yield _statement(text, start, len(text), equals, last, table)


def _statement(text: str, start: int, end: int, equals: int, last: int, table: Path) -> _Statement:
    written = text[start:end]
    if written.lstrip().startswith("["):
        return _Statement(start, end, _path(tomllib.loads(written)), is_header=True)
    if equals < 0:
        return _Statement(start, end, ())
    value_start = equals + len(text[equals:last]) - len(text[equals:last].lstrip())
    return _Statement(start, end, (*table, *_path(tomllib.loads(f"{text[start:equals]} 0"))), False, value_start, last)


def _path(parsed: Any) -> Path:
    """The one path through what a statement alone says."""
    path: list[str] = []
    while parsed and isinstance(parsed, (dict, list)):
        if isinstance(parsed, dict):
            path.append(next(iter(parsed)))
            parsed = parsed[path[-1]]
        else:
            parsed = parsed[0]
    return tuple(path)


def _appended(text: str, table: str) -> str:
    newline = _newline(text)
    if text and not text.endswith("\n"):
        text += newline
    if text:
        text += newline
    return text + table.replace("\n", newline)


def _assigned(text: str, table: Path, key: str, value: Any) -> str:
    header = None
    for one in _statements(text):
        if one.path == (*table, key) and not one.is_header:
            return text[: one.value_start] + _value(value) + text[one.value_end :]
        if one.path == table and one.is_header:
            header = one
    if header is None:
        raise _cannot(text, table[0], f"{'.'.join(table)} is written in one line, which is not changed here; remove it")
    newline = _newline(text)
    before = text[: header.end] if text[: header.end].endswith("\n") else text[: header.end] + newline
    return f"{before}{key} = {_value(value)}{newline}{text[header.end :]}"


def _checked(text: str, wanted: JsonObject, outer: str) -> str:
    """`text`, when it says what is wanted and nothing else."""
    try:
        is_right = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise _cannot(text, outer, f"{outer} is written in a way that cannot be changed here; change it by hand")
    return text


def _cannot(text: str, outer: str, reason: str) -> Unreadable:
    place = re.search(rf"^[ \t\[]*[\"']?{re.escape(outer)}\b", text, re.MULTILINE)
    return Unreadable.at(reason, text, place.start() if place else 0)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    # A JSON string is a basic string of TOML, and an array of them an array; only DEL must be escaped, too.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
