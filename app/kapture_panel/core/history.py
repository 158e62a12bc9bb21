"""The command history in SQLite: a row is written before its action is sent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kapture_panel.core import history_query
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.history_query import Query
from kapture_panel.core.signal import Signal

log = logging.getLogger(__name__)

MAX_ROWS = 50_000
MAX_AGE_S = 30 * 24 * 3600
#: Rows of reads wait at most this long for company; rows of actions never wait.
BATCH_S = 0.05
#: Errors of the surroundings: the file itself may be whole.
_NOT_DAMAGED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM}
_SCHEMA_VERSION = 3
_SCHEMA = """
CREATE TABLE IF NOT EXISTS commands (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL, tab_id TEXT NOT NULL,
    site TEXT NOT NULL, url TEXT NOT NULL, command TEXT NOT NULL, params TEXT NOT NULL, state TEXT NOT NULL,
    code TEXT NOT NULL, summary TEXT NOT NULL, ms REAL, effects TEXT NOT NULL, shot TEXT NOT NULL,
    targets TEXT NOT NULL DEFAULT '[]', before TEXT NOT NULL DEFAULT '', after TEXT NOT NULL DEFAULT ''
);
"""
#: What a file of an older version lacks, by that version.
_MIGRATIONS = {
    1: ("ALTER TABLE commands ADD COLUMN targets TEXT NOT NULL DEFAULT '[]'",),
    2: (
        "ALTER TABLE commands ADD COLUMN before TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE commands ADD COLUMN after TEXT NOT NULL DEFAULT ''",
    ),
}
#: Of rows that are too old, or more than are kept.
_EXPIRED = "at < ? OR id <= (SELECT MAX(id) FROM commands) - ?"
#: Rows looked at in one question are asked for by their ids, this many at a time at most.
_MAX_IDS = 500


@dataclass
class Row:
    """One command as it is kept. `state` is running, ok, error, cancelled or unknown; `at` in seconds since 1970;
    `params` are redacted; `ms` is the whole time in the panel; `targets` are the elements it meant, in the order of
    its parameters (see `protocol.Response`); `shot` is the picture it took, `before` and `after` are those the recorder
    took around it: names of files, empty without one."""

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
    targets: list[dict[str, Any]] = field(default_factory=list)
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Past:
    """What is to be known of a row before it is forgotten; `pictures` are names of files."""

    id: int
    at: float
    ms: float | None
    tab_id: str
    pictures: tuple[str, ...]


_COLUMNS = tuple(Row.__dataclass_fields__)
_INSERT = f"INSERT OR REPLACE INTO commands ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"


class History:
    """All commands, newest last.

    Args:
        path: the database file, made with mode 0600; a damaged one is moved aside and a new one begun.
    """

    def __init__(self, path: Path) -> None:
        self.began: Signal[Row] = Signal()
        self.settled: Signal[Row] = Signal()
        #: The rows that retention took away: their ids, and the recorder's pictures no other row names.
        self.removed: Signal[list[int], list[str]] = Signal()
        self.path = path
        self._unwritten: dict[int, Row] = {}
        #: What still goes on with these rows, such as a picture of them, is not written any more.
        self._forgotten: set[int] = set()
        #: Another connection kept the log of the database from being emptied.
        self._must_empty_log = False
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
        """Write the outcome of a row, unless it was forgotten."""
        if row.id in self._forgotten:
            return
        self._unwritten[row.id] = row
        self._flush_soon()
        self.settled.emit(row)

    def flush(self) -> None:
        """Write what waits."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        if self._must_empty_log:
            self._empty_log()
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
            matching: only rows this search finds, see `history_query`.
        """
        self._flush_if_possible()
        query = history_query.parse(matching)
        return _selected(self._db, before if before is not None else self._next_id, limit, query)

    def ids(self, query: Query, *, before: int, down_to: int) -> list[int]:
        """The ids of the rows a search finds among those below `before` and not below `down_to`, newest first."""
        self._flush_if_possible()
        condition, arguments = query.where()
        found = self._db.execute(
            f"SELECT id FROM commands WHERE id < ? AND id >= ? AND {condition} ORDER BY id DESC",
            (before, down_to, *arguments),
        )
        return [row_id for (row_id,) in found]

    @property
    def span(self) -> tuple[int, int]:
        """The smallest id there is, and the one the next row gets."""
        self._flush_if_possible()
        (smallest,) = self._db.execute("SELECT COALESCE(MIN(id), 1) FROM commands").fetchone()
        return int(smallest), self._next_id

    def of(self, ids: Sequence[int]) -> list[Row]:
        """The rows with these ids, newest first; those that are gone are missing."""
        self._flush_if_possible()
        return _of(self._db, ids)

    def pictures(self, but: str = "0", arguments: Sequence[object] = ()) -> set[str]:
        """The names of all pictures the recorder took for the rows there are; `but` leaves out those that are over and
        fulfil this condition."""
        self._flush_if_possible()
        found = self._db.execute(
            "SELECT before, after FROM commands WHERE (before != '' OR after != '') "
            f"AND NOT (({but}) AND state != 'running')",
            arguments,
        )
        return {name for names in found for name in names if name}

    def past(self, condition: str, arguments: Sequence[object]) -> list[Past]:
        """The rows that fulfil an SQL condition and whose commands are over."""
        self._flush_if_possible()
        found = self._db.execute(
            f"SELECT id, at, ms, tab_id, shot, before, after FROM commands WHERE ({condition}) AND state != 'running'",
            arguments,
        )
        return [Past(row_id, at, ms, tab_id, tuple(filter(None, names))) for row_id, at, ms, tab_id, *names in found]

    def running(self, condition: str, arguments: Sequence[object]) -> int:
        """How many rows fulfil an SQL condition while their commands go on."""
        self._flush_if_possible()
        found = self._db.execute(f"SELECT COUNT(*) FROM commands WHERE ({condition}) AND state = 'running'", arguments)
        return int(found.fetchone()[0])

    def forget(self, condition: str, arguments: Sequence[object]) -> None:
        """Delete the rows `past` finds, so that no byte of them is left in the files, and tell `removed`.

        Raises:
            KaptureError: `INTERNAL` when the file cannot be written; then no row has gone.
        """
        try:
            self.flush()
            with self._db:
                gone = self._db.execute(
                    f"DELETE FROM commands WHERE ({condition}) AND state != 'running' RETURNING id, before, after",
                    arguments,
                ).fetchall()
        except sqlite3.Error as error:
            raise KaptureError(
                "INTERNAL", f"the history cannot be written ({error}), so nothing was forgotten; try again"
            ) from error
        self._forgotten.update(row_id for row_id, *_ in gone)
        self._tell_removed(gone)
        self._empty_log()

    def forget_damaged(self) -> None:
        """Delete the files that were moved aside because they were damaged."""
        for file in self.path.parent.glob(f"{self.path.name}.damaged-*"):
            file.unlink()

    def has_forgotten(self, row: Row) -> bool:
        """Whether the person had `row` forgotten."""
        return row.id in self._forgotten

    def trim(self) -> None:
        """Take away the rows that are too old, or more than are kept, and tell `removed`."""
        self._flush_if_possible()
        with self._db:
            gone = _trim(self._db)
        self._tell_removed(gone)

    def __len__(self) -> int:
        self._flush_if_possible()
        return int(self._db.execute("SELECT COUNT(*) FROM commands").fetchone()[0])

    def close(self) -> None:
        """Write what waits and close the file."""
        self._flush_if_possible()
        self._db.close()

    def _tell_removed(self, gone: list[tuple[int, str, str]]) -> None:
        if gone:
            names = {name for _, *pictures in gone for name in pictures if name}
            self.removed.emit([row_id for row_id, *_ in gone], sorted(names - self.pictures() if names else names))

    def _empty_log(self) -> None:
        """Have nothing left in the write-ahead log; what reads the file in another thread puts it off."""
        (is_busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._must_empty_log = bool(is_busy)

    def _flush_soon(self) -> None:
        if self._flush_timer is None:
            self._flush_timer = asyncio.get_running_loop().call_later(BATCH_S, self._flush_if_possible)

    def _flush_if_possible(self) -> None:
        """A full disk stops actions, not reading: what cannot be written now waits for the next time."""
        try:
            self.flush()
        except sqlite3.Error as error:
            log.error("the history could not be written: %s", error)


def read(path: Path, *, limit: int, matching: str = "") -> list[Row]:
    """The newest rows of a history, newest first, without changing it; another process may be writing it.

    Args:
        limit: how many at most.
        matching: only rows this search finds, see `history_query`.

    Raises:
        KaptureError: `FILE_NOT_FOUND` when there is none, `INTERNAL` when it cannot be read, `INVALID_PARAMS` when a
            word of the search cannot be meant so.
    """
    query = history_query.parse(matching)
    if query.problems:
        raise KaptureError("INVALID_PARAMS", f"{query.problems[0]}; put a word in quotes to look for it as text")
    with _reading(path) as db:
        return _selected(db, sys.maxsize, limit, query)


def read_in_parts(path: Path, query: Query, ids: Sequence[int] | None, before: int) -> Iterator[tuple[list[Row], int]]:
    """The rows of a history, oldest first, a part at a time, from any thread.

    Args:
        path: the database file.
        query: only rows it finds.
        ids: only these rows; None means all.
        before: only rows with a smaller id.

    Yields:
        Rows, and how many were looked at so far, of `before` or of all `ids`.

    Raises:
        KaptureError: as `read` does.
    """
    with _reading(path) as db:
        if ids is not None:
            wanted = sorted(ids)
            for at in range(0, len(wanted), _MAX_IDS):
                yield _of(db, wanted[at : at + _MAX_IDS])[::-1], min(at + _MAX_IDS, len(wanted))
            return
        (smallest,) = db.execute("SELECT COALESCE(MIN(id), 1) FROM commands").fetchone()
        condition, arguments = query.where()
        for at in range(smallest, before, _MAX_IDS):
            until = min(at + _MAX_IDS, before)
            found = db.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM commands WHERE id >= ? AND id < ? AND {condition} ORDER BY id",
                (at, until, *arguments),
            )
            yield [_loaded(values) for values in found], until


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise KaptureError("FILE_NOT_FOUND", f"there is no history in {path.parent}; name another --data-dir")
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            db.text_factory = _readable
            history_query.prepare(db)
            yield db
    except sqlite3.Error as error:
        raise KaptureError("INTERNAL", f"the history {path} cannot be read: {error}; start the panel once") from error


def _selected(db: sqlite3.Connection, before: int, limit: int, query: Query) -> list[Row]:
    condition, arguments = query.where()
    found = db.execute(
        f"SELECT {', '.join(_COLUMNS)} FROM commands WHERE id < ? AND {condition} ORDER BY id DESC LIMIT ?",
        (before, *arguments, limit),
    )
    return [_loaded(values) for values in found]


def _of(db: sqlite3.Connection, ids: Sequence[int]) -> list[Row]:
    marks = ", ".join("?" * len(ids))
    found = db.execute(f"SELECT {', '.join(_COLUMNS)} FROM commands WHERE id IN ({marks}) ORDER BY id DESC", tuple(ids))
    return [_loaded(values) for values in found]


def _trim(db: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Delete what is expired; id and pictures of each row that went."""
    limits = (time.time() - MAX_AGE_S, MAX_ROWS)
    return db.execute(f"DELETE FROM commands WHERE {_EXPIRED} RETURNING id, before, after", limits).fetchall()


def _readable(raw: bytes) -> str:
    """A flipped bit in one text must not hide the other rows."""
    return raw.decode("utf-8", "replace")


def _open(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    db = sqlite3.connect(path)
    db.text_factory = _readable
    history_query.prepare(db)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA secure_delete=ON")
        with db:
            db.executescript(_SCHEMA)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            for old in range(version or _SCHEMA_VERSION, _SCHEMA_VERSION):
                for statement in _MIGRATIONS[old]:
                    db.execute(statement)
            db.execute(f"PRAGMA user_version={_SCHEMA_VERSION}")
            db.execute("UPDATE commands SET state = 'unknown', code = 'OUTCOME_UNKNOWN' WHERE state = 'running'")
            _trim(db)
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
        yield json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def _loaded(values: tuple[Any, ...]) -> Row:
    fields = dict(zip(_COLUMNS, values, strict=True))
    fields["params"] = _object(fields["params"])
    fields["effects"] = _object(fields["effects"])
    fields["targets"] = _list(fields["targets"])
    return Row(**fields)


def _object(stored: Any) -> dict[str, Any]:
    try:
        value = json.loads(stored)
    except (ValueError, TypeError):
        value = None
    return value if isinstance(value, dict) else {"damaged": str(stored)}


def _list(stored: Any) -> list[dict[str, Any]]:
    try:
        value = json.loads(stored)
    except (ValueError, TypeError):
        value = []
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
