"""The history's SQLite file: opened, brought up to date, trimmed, and read without changing it."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores import history_query
from kapture_panel.core.stores.history_query import Query
from kapture_panel.core.stores.history_row import COLUMNS, Row, loaded

log = logging.getLogger(__name__)

MAX_ROWS = 50_000
MAX_AGE_S = 30 * 24 * 3600
#: Errors of the surroundings: the file itself may be whole.
_NOT_DAMAGED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM}
#: What SQLite keeps of the file in memory, in KiB: rows are added at its end, and a search goes through more than any
#: cache holds. Its own 2 MB would fill in minutes and stay.
_CACHE_KIB = 256
_SCHEMA_VERSION = 8
_SCHEMA = """
CREATE TABLE IF NOT EXISTS commands (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, client TEXT NOT NULL, kind TEXT NOT NULL, tab_id TEXT NOT NULL,
    site TEXT NOT NULL, url TEXT NOT NULL, command TEXT NOT NULL, params TEXT NOT NULL, state TEXT NOT NULL,
    code TEXT NOT NULL, summary TEXT NOT NULL, ms REAL, effects TEXT NOT NULL, shot TEXT NOT NULL,
    targets TEXT NOT NULL DEFAULT '[]', before TEXT NOT NULL DEFAULT '', after TEXT NOT NULL DEFAULT '',
    next_step TEXT NOT NULL DEFAULT '', outcome TEXT NOT NULL DEFAULT '',
    frame TEXT NOT NULL DEFAULT '', place TEXT NOT NULL DEFAULT '',
    waited_ms INTEGER NOT NULL DEFAULT 0
);
"""
#: The columns that a file of an older version lacks, by that version.
_ADDED = {
    1: ("targets TEXT NOT NULL DEFAULT '[]'",),
    2: ("before TEXT NOT NULL DEFAULT ''", "after TEXT NOT NULL DEFAULT ''"),
    3: ("next_step TEXT NOT NULL DEFAULT ''",),
    4: ("outcome TEXT NOT NULL DEFAULT ''",),
    5: ("frame TEXT NOT NULL DEFAULT ''",),
    6: ("place TEXT NOT NULL DEFAULT ''",),
    7: ("waited_ms INTEGER NOT NULL DEFAULT 0",),
}
#: Of the last version whose rows had both in one line, the next step behind a semicolon.
_JOINED = 3
_SPLIT = (
    "UPDATE commands SET next_step = substr(summary, instr(summary, '; ') + 2),"
    " summary = substr(summary, 1, instr(summary, '; ') - 1)"
    " WHERE state IN ('error', 'unknown') AND next_step = '' AND instr(summary, '; ') > 0"
)
_TOO_MANY = "id <= (SELECT MAX(id) FROM commands) - ?"
#: Rows looked at in one question are asked for by their ids, this many at a time at most.
_MAX_IDS = 500
#: Of the row that tries whether rows can be written; no row of a command has this id.
_PROBE_ID, _PROBE_CHARS = -1, 16_000


def open_file(path: Path) -> tuple[sqlite3.Connection, str]:
    """Open the file, made with mode 0600; a damaged one is moved aside and a new one begun.

    Returns:
        The database, and what a person is to be told of it; "" as a rule.

    Raises:
        KaptureError: `INTERNAL` when it cannot be opened though it is whole.
    """
    try:
        return _open(path), ""
    # What SQLite says of a damaged schema may be no UTF-8.
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _NOT_DAMAGED:
            raise KaptureError("INTERNAL", f"the history {path} cannot be opened: {error}") from error
        return _begun_anew(path, error)


def try_writing(db: sqlite3.Connection) -> None:
    """Write a row as large as most and take it away again.

    Raises:
        sqlite3.Error: that cannot be done, so no row can be written.
    """
    marks = ", ".join("?" * len(COLUMNS))
    values = [_PROBE_ID if name == "id" else "x" * _PROBE_CHARS if name == "params" else 0 for name in COLUMNS]
    with db:
        db.execute(f"INSERT OR REPLACE INTO commands ({', '.join(COLUMNS)}) VALUES ({marks})", values)
        db.execute("DELETE FROM commands WHERE id = ?", (_PROBE_ID,))


def trim(db: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Delete the rows that are too old, and more than are kept; id and pictures of each that went."""
    return _deleted(db, f"at < ? OR {_TOO_MANY}", time.time() - MAX_AGE_S, MAX_ROWS)


def trim_oldest(db: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """The same for those that are more than are kept alone; the file is not searched for them."""
    return _deleted(db, _TOO_MANY, MAX_ROWS)


def _deleted(db: sqlite3.Connection, condition: str, *limits: float) -> list[tuple[int, str, str]]:
    return db.execute(f"DELETE FROM commands WHERE {condition} RETURNING id, before, after", limits).fetchall()


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
        raise KaptureError("INVALID_PARAMS", query.problems[0], "put a word in quotes to look for it as text")
    with _reading(path) as db:
        return selected(db, sys.maxsize, limit, query)


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
                yield of(db, wanted[at : at + _MAX_IDS])[::-1], min(at + _MAX_IDS, len(wanted))
            return
        (smallest,) = db.execute("SELECT COALESCE(MIN(id), 1) FROM commands").fetchone()
        condition, arguments = query.where()
        for at in range(smallest, before, _MAX_IDS):
            until = min(at + _MAX_IDS, before)
            found = db.execute(
                f"SELECT {', '.join(COLUMNS)} FROM commands WHERE id >= ? AND id < ? AND {condition} ORDER BY id",
                (at, until, *arguments),
            )
            yield [loaded(values) for values in found], until


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise KaptureError("FILE_NOT_FOUND", f"there is no history in {path.parent}", "name another --data-dir")
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            db.text_factory = _readable
            history_query.prepare(db)
            yield db
    except sqlite3.Error as error:
        raise KaptureError("INTERNAL", f"the history {path} cannot be read: {error}", "start the panel once") from error


def selected(db: sqlite3.Connection, before: int, limit: int, query: Query) -> list[Row]:
    """The newest rows below an id that a search finds, newest first."""
    condition, arguments = query.where()
    found = db.execute(
        f"SELECT {', '.join(COLUMNS)} FROM commands WHERE id < ? AND {condition} ORDER BY id DESC LIMIT ?",
        (before, *arguments, limit),
    )
    return [loaded(values) for values in found]


def of(db: sqlite3.Connection, ids: Sequence[int]) -> list[Row]:
    """The rows with these ids, newest first; those that are gone are missing."""
    marks = ", ".join("?" * len(ids))
    found = db.execute(f"SELECT {', '.join(COLUMNS)} FROM commands WHERE id IN ({marks}) ORDER BY id DESC", tuple(ids))
    return [loaded(values) for values in found]


def _readable(raw: bytes) -> str:
    """A flipped bit in one text must not hide the other rows."""
    return raw.decode("utf-8", "replace")


def _open(path: Path) -> sqlite3.Connection:
    private_file.ensure(path)
    db = sqlite3.connect(path)
    db.text_factory = _readable
    history_query.prepare(db)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        db.execute("PRAGMA secure_delete=ON")
        with db:
            # By itself Python begins no transaction before a change of the schema.
            db.execute("BEGIN IMMEDIATE")
            db.execute(_SCHEMA)
            _bring_up_to_date(db)
            db.execute("UPDATE commands SET state = 'unknown', code = 'OUTCOME_UNKNOWN' WHERE state = 'running'")
            db.execute("CREATE INDEX IF NOT EXISTS commands_by_frame ON commands (frame) WHERE frame != ''")
            trim(db)
        db.execute(f"SELECT {', '.join(COLUMNS)} FROM commands LIMIT 0")
        # 15 ms for a full history; without it a damaged page shows up only when a view asks for its rows.
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Add what the file's version lacks, unless it is there: an older panel may have lowered the version.

    A newer version stays as it is, else the panel that wrote it would take its own file for an old one.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    there = {name for _number, name, *_rest in db.execute("PRAGMA table_info(commands)")}
    lacking = {since: columns for since, columns in _ADDED.items() if version and since >= version}
    for column in (one for columns in lacking.values() for one in columns):
        if column.partition(" ")[0] not in there:
            db.execute(f"ALTER TABLE commands ADD COLUMN {column}")
    if _JOINED in lacking:
        db.execute(_SPLIT)
    db.execute(f"PRAGMA user_version={max(version, _SCHEMA_VERSION)}")


def _begun_anew(path: Path, error: Exception) -> tuple[sqlite3.Connection, str]:
    """Move the damaged file aside and open a new one."""
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    for suffix in ("", "-wal", "-shm"):
        file = path.with_name(path.name + suffix)
        if file.exists():
            file.replace(aside.with_name(aside.name + suffix))
    log.warning("the history was damaged (%s) and has been moved aside as %s", error, aside.name)
    return _open(path), f"It has been moved aside as {aside}, and a new one has begun."
