"""What the answers of each job cost, beside what was recorded.

The record lies in the repository and not in a cache: so it is the same for everybody, it stays what it was while a
change is tried out in several ways, and the commit that changes the answers shows their price. The fonts of another
system can move a figure by a token or two: they are in where a click went.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

RECORD = Path(__file__).with_name("tokens.json")
#: What a page sends or complains of stands in this answer or the next, now in one, now in two; a wait is told if it was
#: long.
_BY_CHANCE = re.compile(r',?"(?:lateEffects|consoleErrors|requests|waited|waitedMs)":|\nlateEffects: ')
_PORT = re.compile(r"(127\.0\.0\.1):\d+")


def steady(text: str, data_dir: Path) -> str:
    """An answer's text without what differs from run to run or from machine to machine: late effects, console errors,
    numbers of requests, waits, ports and the data directory's place. Ids and moments are always as long."""
    while found := _BY_CHANCE.search(text):
        _, end = json.JSONDecoder().raw_decode(text, found.end())
        end += text[found.start()] == '"' and text[end : end + 1] == ","
        text = text[: found.start()] + text[end:]
    return _PORT.sub(r"\1:0", text.replace(str(data_dir), "/data"))


@dataclass(frozen=True)
class Row:
    """What one job took; `failure` says why it is not done."""

    page: str
    calls: int
    tokens: int
    failure: str = ""


class Record:
    """The calls and tokens of an earlier run: {page: [calls, tokens]} in a file.

    Args:
        path: the file; when there is none, nothing was recorded yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        known: dict[str, list[int]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self._rows = {page: Row(page, calls, tokens) for page, (calls, tokens) in known.items()}

    def of(self, page: str) -> Row | None:
        """What was recorded of a job."""
        return self._rows.get(page)

    def renew(self, rows: list[Row]) -> None:
        """Replace all that was recorded."""
        lines = [f"  {json.dumps(row.page)}: [{row.calls}, {row.tokens}]" for row in rows]
        self._path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def table(rows: list[Row], record: Record) -> str:
    """A line for each job and one for their sum, which has nothing beside it unless all are done and were recorded."""
    lines = [f"  {'':<32}{'calls':>7}{'was':>7}{'tokens':>9}{'was':>9}{'more':>8}"]
    pairs = [(row, record.of(row.page)) for row in rows]
    known = [old for row, old in pairs if old and not row.failure]
    lines += [_line(row, old) for row, old in pairs]
    lines.append(_line(_sum(rows), _sum(known) if len(known) == len(rows) else None))
    return "\n".join(lines)


def finish(rows: list[Row], record: Record, *, renew: bool) -> int:
    """Print the table and what is not done, and renew the record when all is.

    Returns:
        The exit code: 1 when a job is not done, else 0.
    """
    print(table(rows, record))
    failed = [row for row in rows if row.failure]
    for row in failed:
        print(f"not done: {row.page}: {row.failure}")
    if failed:
        print(f"make bench-tokens: {len(failed)} of {len(rows)} jobs are not done{', nothing recorded' * renew}")
        return 1
    if renew:
        record.renew(rows)
    print(f"make bench-tokens: all {len(rows)} jobs are done{', and recorded' * renew}")
    return 0


def _sum(rows: list[Row]) -> Row:
    return Row("sum", sum(row.calls for row in rows), sum(row.tokens for row in rows))


def _line(row: Row, old: Row | None) -> str:
    if row.failure:
        return f"  {row.page:<32}{row.calls:>7}   not done"
    if old is None:
        return f"  {row.page:<32}{row.calls:>7}{'–':>7}{row.tokens:>9}{'–':>9}{'–':>8}"
    more = row.tokens - old.tokens
    shown = f"{more:+}" if more else "="
    return f"  {row.page:<32}{row.calls:>7}{old.calls:>7}{row.tokens:>9}{old.tokens:>9}{shown:>8}"
