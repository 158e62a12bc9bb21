"""The command history in SQLite: a row is written before its action is sent."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kapture_panel.core.errors import KaptureError
from kapture_panel.core.signal import Signal

log = logging.getLogger(__name__)

MAX_ROWS = 50_000
MAX_AGE_S = 30 * 24 * 3600
#: Rows of reads wait at most this long for company; rows of actions never wait.
BATCH_S = 0.05
#: Errors of the surroundings: the file itself may be whole.
_NOT_DAMAGED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM}
_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS commands (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL, tab_id TEXT NOT NULL,
    site TEXT NOT NULL, url TEXT NOT NULL, command TEXT NOT NULL, params TEXT NOT NULL, state TEXT NOT NULL,
    code TEXT NOT NULL, summary TEXT NOT NULL, ms REAL, effects TEXT NOT NULL, shot TEXT NOT NULL
);
"""


@dataclass
class Row:
    """One command as it is kept. `state` is running, ok, error, cancelled or unknown; `at` in seconds since 1970;
    `params` are redacted; `ms` is the whole time in the panel."""

    id: int
    at: float
    client: str
    kind: str
    tab_id: str
    site: str
    url: str
    command: str
    params: dict[str, Any]
    state: str = "running"
    code: str = ""
    summary: str = ""
    ms: float | None = None
    effects: dict[str, Any] = field(default_factory=dict)
    shot: str = ""


_COLUMNS = tuple(Row.__dataclass_fields__)
_INSERT = f"INSERT OR REPLACE INTO commands ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"

#: The fields a search looks at.
SEARCHED = ("client", "command", "site", "code", "summary")
_HAYSTACK = "(" + " || char(10) || ".join(SEARCHED) + ")"
_LIKE_SPECIAL = re.compile(r"[%_\\]")


def matches(row: Row, matching: str) -> bool:
    """Whether `rows(matching=…)` would find `row`."""
    haystack = "\n".join(getattr(row, name) for name in SEARCHED).lower()
    return all(word in haystack for word in matching.lower().split())


class History:
    """All commands, newest last.

    Args:
        path: the database file, made with mode 0600; a damaged one is moved aside and a new one begun.
    """

    def __init__(self, path: Path) -> None:
        self.began: Signal[Row] = Signal()
        self.settled: Signal[Row] = Signal()
        self._unwritten: dict[int, Row] = {}
        self._flush_timer: asyncio.TimerHandle | None = None
        try:
            self._db = _open(path)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _NOT_DAMAGED:
                raise KaptureError("INTERNAL", f"the history {path} cannot be opened: {error}") from error
            _move_aside(path, error)
            self._db = _open(path)
        self._next_id: int = self._db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM commands").fetchone()[0]

    def begin(self, row: Row, *, durable: bool) -> Row:
        """Write a new row.

        Args:
            row: its `id` is given here.
            durable: commit before returning, as every action needs.

        Raises:
            KaptureError: `INTERNAL` when the row cannot be written: no record, no action.
        """
        row.id = self._next_id
        self._next_id += 1
        self._unwritten[row.id] = row
        if durable:
            try:
                self.flush()
            except sqlite3.Error as error:
                self._unwritten.pop(row.id, None)
                raise KaptureError(
                    "INTERNAL",
                    f"the history cannot be written ({error}), so nothing was done; free some disk space and try again",
                ) from error
        else:
            self._flush_soon()
        self.began.emit(row)
        return row

    def settle(self, row: Row) -> None:
        """Write the outcome of a row."""
        self._unwritten[row.id] = row
        self._flush_soon()
        self.settled.emit(row)

    def flush(self) -> None:
        """Write what waits."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        if not self._unwritten:
            return
        rows = [tuple(_stored(row)) for row in self._unwritten.values()]
        with self._db:
            self._db.executemany(_INSERT, rows)
        self._unwritten.clear()

    def rows(self, *, before: int | None = None, limit: int = 200, matching: str = "") -> list[Row]:
        """A page of rows, newest first.

        Args:
            before: only rows with a smaller id.
            limit: how many at most.
            matching: only rows that have each of its words in one of `SEARCHED`, ignoring the case of ASCII.
        """
        self._flush_if_possible()
        words = ["%" + _LIKE_SPECIAL.sub(r"\\\g<0>", word) + "%" for word in matching.split()]
        condition = f" AND {_HAYSTACK} LIKE ? ESCAPE '\\'" * len(words)
        found = self._db.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM commands WHERE id < ?{condition} ORDER BY id DESC LIMIT ?",
            (before if before is not None else self._next_id, *words, limit),
        )
        return [_loaded(values) for values in found]

    def __len__(self) -> int:
        self._flush_if_possible()
        return int(self._db.execute("SELECT COUNT(*) FROM commands").fetchone()[0])

    def export(self, path: Path) -> int:
        """Write all rows, oldest first, as one JSON array.

        Returns:
            The number of rows.
        """
        self._flush_if_possible()
        found = self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM commands ORDER BY id")
        rows = [asdict(_loaded(values)) for values in found]
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1, ensure_ascii=False)
        return len(rows)

    def close(self) -> None:
        """Write what waits and close the file."""
        self._flush_if_possible()
        self._db.close()

    def _flush_soon(self) -> None:
        if self._flush_timer is None:
            self._flush_timer = asyncio.get_running_loop().call_later(BATCH_S, self._flush_if_possible)

    def _flush_if_possible(self) -> None:
        """A full disk stops actions, not reading: what cannot be written now waits for the next time."""
        try:
            self.flush()
        except sqlite3.Error as error:
            log.error("the history could not be written: %s", error)


def _open(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    db = sqlite3.connect(path)
    # A flipped bit in one text must not hide the other rows.
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA secure_delete=ON")
        with db:
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version={_SCHEMA_VERSION}")
            db.execute("UPDATE commands SET state = 'unknown', code = 'OUTCOME_UNKNOWN' WHERE state = 'running'")
            db.execute("DELETE FROM commands WHERE at < ?", (time.time() - MAX_AGE_S,))
            db.execute(
                "DELETE FROM commands WHERE id <= (SELECT MAX(id) FROM commands) - ?",
                (MAX_ROWS,),
            )
        db.execute(f"SELECT {', '.join(_COLUMNS)} FROM commands LIMIT 0")
        # 15 ms for a full history; without it a damaged page shows up only when a view asks for its rows.
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _move_aside(path: Path, error: Exception) -> None:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for suffix in ("", "-wal", "-shm"):
        file = path.with_name(path.name + suffix)
        if file.exists():
            file.replace(path.with_name(f"{path.name}.damaged-{stamp}{suffix}"))
    log.warning("the history was damaged (%s) and has been moved aside as %s.damaged-%s", error, path.name, stamp)


def _stored(row: Row) -> Iterable[Any]:
    for name in _COLUMNS:
        value = getattr(row, name)
        yield json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def _loaded(values: tuple[Any, ...]) -> Row:
    fields = dict(zip(_COLUMNS, values, strict=True))
    fields["params"] = _object(fields["params"])
    fields["effects"] = _object(fields["effects"])
    return Row(**fields)


def _object(stored: Any) -> dict[str, Any]:
    try:
        value = json.loads(stored)
    except (ValueError, TypeError):
        value = None
    return value if isinstance(value, dict) else {"damaged": str(stored)}
