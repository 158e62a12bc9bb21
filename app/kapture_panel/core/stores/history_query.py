"""The search language of the history: `agent:x site:y status:error cmd:click tab:z kind:agent after:10:30 "some text"`.

Words stand beside each other: a row must pass all of them. Several words of one key are alternatives, except `before`
and `after`; a `-` in front turns a word round. A value in quotes may hold spaces and means the whole field.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kapture_panel.core.stores.history_row import Row

#: The field of each key that looks into one, by the word a person types.
FIELDS = {"agent": "client", "site": "site", "cmd": "command", "tab": "tab_id", "status": "state", "kind": "kind"}
STATES = ("ok", "error", "cancelled", "unknown", "running")
KINDS = ("person", "terminal", "agent")
#: Keys whose value is one of a few words; the beginning of one is enough.
_CHOICES = {"status": STATES, "kind": KINDS}
_TIMES = ("before", "after")
KEYS = (*FIELDS, *_TIMES)
#: The fields a word without a key is looked for in.
SEARCHED = ("client", "command", "site", "code", "said")
#: `Row.said` in SQL.
_SAID = "summary || CASE next_step WHEN '' THEN '' ELSE '; ' || next_step END"
#: Called in SQL as `folded(…)`; LIKE knows the case of ASCII alone.
FUNCTION = "folded"

_WORD = re.compile(
    r'(?P<open>-?[A-Za-z]+:)(?!\S)|(?P<minus>-)?(?:(?P<key>[A-Za-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<plain>\S+))'
)
#: SQLite nests conditions a thousand deep at most; nobody types that many.
MAX_WORDS = 50
_AGO = re.compile(r"(\d{1,6})(s|min|m|h|d)", re.ASCII)
_AGO_S = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?", re.ASCII)
_TIME_FORMS = "10:30, 15min, 2h, 3d, today, yesterday, 2026-05-17 or 2026-05-17T10:30"


def folded(value: str | bytes) -> str:
    """`value` as it is compared: without the difference of upper and lower case, of every alphabet."""
    given = value if isinstance(value, bytes) else value.encode("utf-8", "replace")
    return given.decode("utf-8", "replace").casefold()


@dataclass(frozen=True)
class Word:
    """One condition. `key` is empty for plain text; `value` is folded; `at` is the moment of before and after, in
    seconds since 1970; `is_whole` asks for the whole field; `commands` are those whose titles have a plain text."""

    key: str
    value: str
    is_negated: bool = False
    is_whole: bool = False
    at: float = 0.0
    commands: tuple[str, ...] = ()

    def passes(self, row: Row) -> bool:
        """Whether `row` fulfils it."""
        return self._holds(row) != self.is_negated

    def where(self) -> tuple[str, list[object]]:
        """The same as SQL and its arguments."""
        sql, arguments = self._sql()
        return (f"NOT {sql}" if self.is_negated else sql), arguments

    def _holds(self, row: Row) -> bool:
        if self.key in _TIMES:
            return row.at < self.at if self.key == "before" else row.at >= self.at
        if not self.key:
            is_said = self.value in folded("\n".join(getattr(row, name) for name in SEARCHED))
            return is_said or row.command in self.commands
        found = folded(getattr(row, FIELDS[self.key]))
        if self.is_whole:
            return found == self.value
        return found.startswith(self.value) if self.key in _CHOICES else self.value in found

    def _sql(self) -> tuple[str, list[object]]:
        if self.key in _TIMES:
            return ("(at < ?)" if self.key == "before" else "(at >= ?)"), [self.at]
        # As bytes: a flipped bit in a text must not end the search.
        if not self.key:
            haystack = " || char(10) || ".join(_SAID if name == "said" else name for name in SEARCHED)
            is_said = f"instr({FUNCTION}(CAST({haystack} AS BLOB)), ?) > 0"
            marks = ", ".join("?" * len(self.commands))
            return f"({is_said} OR command IN ({marks}))", [self.value, *self.commands]
        found = f"{FUNCTION}(CAST({FIELDS[self.key]} AS BLOB))"
        if self.is_whole:
            return f"({found} = ?)", [self.value]
        return f"(instr({found}, ?) {'= 1' if self.key in _CHOICES else '> 0'})", [self.value]


@dataclass(frozen=True)
class Query:
    """What was asked for; `problems` say, one per word that cannot be meant so, what is wrong with it."""

    words: tuple[Word, ...] = ()
    problems: tuple[str, ...] = field(default=(), compare=False)

    def __bool__(self) -> bool:
        return bool(self.words)

    def passes(self, row: Row) -> bool:
        """Whether the search finds `row`."""
        return all(any(word.passes(row) for word in group) for group in self._groups())

    def where(self) -> tuple[str, list[object]]:
        """The condition as SQL, "1" where there is none, and its arguments."""
        parts, arguments = [], []
        for group in self._groups():
            each = [word.where() for word in group]
            parts.append("(" + " OR ".join(sql for sql, _ in each) + ")")
            arguments += [argument for _, given in each for argument in given]
        return " AND ".join(parts) or "1", arguments

    def _groups(self) -> Iterable[list[Word]]:
        """What must hold, each a list of alternatives."""
        alone = [word for word in self.words if not word.key or word.key in _TIMES or word.is_negated]
        yield from ([word] for word in alone)
        others = sorted((word for word in self.words if word not in alone), key=lambda word: word.key)
        for _, group in groupby(others, key=lambda word: word.key):
            yield list(group)


def parse(text: str, now: float | None = None, titles: Mapping[str, str] = MappingProxyType({})) -> Query:
    """The search `text` means; never raises: what cannot be meant so becomes a problem and is left out.

    Args:
        now: seconds since 1970, which relative times count from.
        titles: what the reader sees in place of commands' names; plain text is looked for there, too.
    """
    words: list[Word] = []
    problems: list[str] = []
    for match in _WORD.finditer(text):
        if match["open"]:
            continue  # a key whose value is still to come
        if len(words) == MAX_WORDS:
            problems.append(f"only the first {MAX_WORDS} words are looked for")
            break
        word = _word(match, time.time() if now is None else now, problems.append)
        if word is not None and word.value:
            called = () if word.key else (name for name, title in titles.items() if word.value in folded(title))
            words.append(replace(word, commands=tuple(called)))
    return Query(tuple(words), tuple(problems))


def _word(match: re.Match[str], now: float, complain: Callable[[str], None]) -> Word | None:
    is_quoted = match["quoted"] is not None
    given = match["quoted"] if is_quoted else match["plain"]
    value, is_negated = folded(given), bool(match["minus"])
    key = (match["key"] or "").lower()
    if not key:
        return Word("", value, is_negated)
    if key in _TIMES:
        at = _moment(value, now)
        if at is not None:
            return Word(key, value, is_negated, at=at)
        complain(f"{key}:{given} is not a time; write it like {_TIME_FORMS}")
        return None
    if key in _CHOICES and not any(choice.startswith(value) for choice in _CHOICES[key]):
        complain(f"{key}: takes {' or '.join([', '.join(_CHOICES[key][:-1]), _CHOICES[key][-1]])}, not {given}")
        return None
    if key in FIELDS:
        return Word(key, value, is_negated, is_quoted)
    if not is_quoted and not given.startswith(("/", "\\")):
        known = " ".join(f"{name}:" for name in KEYS)
        complain(f"{key}: is not a key here, so it is searched as text; the keys are {known}")
    return Word("", f"{key}:{value}", is_negated)


def _moment(value: str, now: float) -> float | None:
    try:
        today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
        if value in ("today", "yesterday"):
            return (today - timedelta(days=value == "yesterday")).timestamp()
        if ago := _AGO.fullmatch(value):
            return now - int(ago[1]) * _AGO_S[ago[2]]
        if clock := _CLOCK.fullmatch(value):
            return today.replace(hour=int(clock[1]), minute=int(clock[2]), second=int(clock[3] or 0)).timestamp()
        return datetime.fromisoformat(value.upper()).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def prepare(db: sqlite3.Connection) -> None:
    """Teach `db` the function that `where` calls."""
    db.create_function(FUNCTION, 1, folded, deterministic=True)


def word_at(text: str, position: int) -> tuple[int, int]:
    """Where the word around `position` begins and ends; an empty one where there is none."""
    for match in re.finditer(r'(?:[^\s"]|"[^"]*"?)+', text):
        if match.start() <= position <= match.end():
            return match.span()
    return position, position


def completions(text: str, position: int, values: Mapping[str, Iterable[str]]) -> list[str]:
    """Words that could stand for the one at `position`, best first.

    Args:
        values: known values by key; keys without an entry have none but their own.
    """
    start, _ = word_at(text, position)
    typed = text[start:position]
    minus = "-" if typed.startswith("-") else ""
    key, colon, value = typed.removeprefix("-").partition(":")
    if not colon:
        return [f"{minus}{name}:" for name in KEYS if name.startswith(key.lower()) and key]
    times = {"before": ("today", "1h", "1d"), "after": ("today", "yesterday", "15min", "1h")}
    known: dict[str, Iterable[str]] = {**_CHOICES, **times, **values}
    wanted = folded(value.strip('"'))
    offered = [one for one in known.get(key.lower(), ()) if wanted in folded(one) and wanted != folded(one)]
    return [
        f"{minus}{key}:{_quoted(one)}" for one in sorted(offered, key=lambda one: not folded(one).startswith(wanted))
    ]


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"\s", value) else value
