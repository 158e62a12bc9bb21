"""The command history in SQLite: a row is written before its action is sent."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.stores import history_file, history_query
from kapture_panel.core.stores.history_query import Query
from kapture_panel.core.stores.history_row import COLUMNS, Row, encodable, stored

log = logging.getLogger(__name__)

#: Rows of reads wait at most this long for company; rows of actions and their outcomes never wait.
BATCH_S = 0.025
#: After so many new rows the oldest go, if there are too many: 6 ms. A whole hour's at once took 130.
TRIMMED_ROWS = 1000
#: While nothing can be written, that is tried again so often.
RETRY_S = 2.0
#: So many rows that the file lacks wait for that.
MAX_WAITING = 1000
_INSERT = f"INSERT OR REPLACE INTO commands ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"


@dataclass(frozen=True)
class RowOutline:
    """What is to be known of a row before it is forgotten; `ms` is how long it was under way in all,
    `pictures` are names of files."""

    id: int
    at: float
    ms: float | None
    tab_id: str
    pictures: tuple[str, ...]


@dataclass(frozen=True)
class Trouble:
    """Why no row can be written, so that every action is refused; and what a person can do about it."""

    what: str
    next_step: str


class History:
    """All commands, newest last.

    `warning` says that a damaged file was moved aside when this one was opened, "" as a rule. `trouble` is there as
    long as nothing can be written; `trouble_changed` tells when that begins, and when it is mended.

    Args:
        path: the database file, made with mode 0600; a damaged one is moved aside and a new one begun.
    """

    def __init__(self, path: Path) -> None:
        self.began: Signal[Row] = Signal()
        self.settled: Signal[Row] = Signal()
        #: The rows that retention took away: their ids, and the recorder's pictures no other row names.
        self.removed: Signal[list[int], list[str]] = Signal()
        self.trouble: Trouble | None = None
        self.trouble_changed: Signal[Trouble | None] = Signal()
        self.path = path
        self._unwritten: dict[int, Row] = {}
        #: How many rows there was no room for, though their commands are over.
        self._lost = 0
        #: What still goes on with these rows, such as a picture of them, is not written any more.
        self._forgotten: set[int] = set()
        #: Another connection kept the log of the database from being emptied.
        self._must_empty_log = False
        self._flush_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._is_closing = False
        self._db, self.warning = history_file.open_file(path)
        self._next_id: int = self._db.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM commands").fetchone()[0]
        #: The file has each row with a smaller id.
        self._written_below = self._next_id
        self._trim_at = self._next_id + TRIMMED_ROWS
        self._trimming: asyncio.Handle | None = None

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
        if durable:
            self._unwritten[row.id] = row
            try:
                self.flush()
            except sqlite3.Error as error:
                self._unwritten.pop(row.id, None)
                raise KaptureError(
                    "INTERNAL",
                    f"the history cannot be written ({error}), so nothing was done",
                    "free some disk space and try again",
                ) from error
        else:
            self._write_soon(row)
        self.began.emit(row)
        return row

    def settle(self, row: Row, *, durable: bool = False) -> None:
        """Write the outcome of a row, unless it was forgotten.

        Args:
            durable: commit before returning, if that can be done, as every answer to an action needs.
        """
        if row.id in self._forgotten:
            return
        self._write_soon(row)
        if durable:
            self._flush_if_possible()
        self.settled.emit(row)

    def flush(self) -> None:
        """Write what waits."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        try:
            if self._must_empty_log:
                self._empty_log()
            if not self._unwritten:
                return
            rows = [stored(row) for row in self._unwritten.values()]
            try:
                self._write(rows)
            except UnicodeEncodeError:  # one of them; it must not keep the others from the file
                self._write([encodable(row) for row in rows])
        except sqlite3.Error as error:
            self._try_later(error)
            raise
        self._unwritten.clear()
        self._written_below = self._next_id
        if self._lost:
            log.error("%d rows of reads and refused calls were lost while nothing could be written", self._lost)
            self._lost = 0
        self._tell_trouble(None)
        if self._next_id >= self._trim_at:
            self._trim_at = self._next_id + TRIMMED_ROWS
            # Not within what asked for rows: who hears that some went changes what is asked about.
            self._trimming = asyncio.get_running_loop().call_soon(self._trim, history_file.trim_oldest)

    def _write(self, rows: list[list[Any]]) -> None:
        with self._db:
            self._db.executemany(_INSERT, rows)

    def rows(self, *, before: int | None = None, limit: int = 200, matching: str = "") -> list[Row]:
        """A page of rows, newest first.

        Args:
            before: only rows with a smaller id.
            limit: how many at most.
            matching: only rows this search finds, see `history_query`.
        """
        self._flush_if_possible()
        query = history_query.parse(matching)
        return history_file.selected(self._db, before if before is not None else self._next_id, limit, query)

    def with_frame(self, frame: str) -> Row | None:
        """The row of the command that was sent under this id, as long as nobody knows what became of it."""
        self._flush_if_possible()
        found = self._db.execute("SELECT id FROM commands WHERE frame = ? AND frame != ''", (frame,)).fetchone()
        return self.of([found[0]])[0] if found else None

    def open_frames(self, limit: int) -> list[tuple[str, str]]:
        """The tabId and frame of the newest rows nobody knows the outcome of, oldest first."""
        found = self._db.execute(
            "SELECT tab_id, frame FROM commands WHERE frame != '' AND state = 'unknown' ORDER BY id DESC LIMIT ?",
            (limit,),
        )
        return found.fetchall()[::-1]

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
        return history_file.of(self._db, ids)

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

    def outlines(self, condition: str, arguments: Sequence[object]) -> list[RowOutline]:
        """The rows that fulfil an SQL condition and whose commands are over."""
        self._flush_if_possible()
        found = self._db.execute(
            "SELECT id, at, ms + waited_ms, tab_id, shot, before, after FROM commands"
            f" WHERE ({condition}) AND state != 'running'",
            arguments,
        )
        return [
            RowOutline(row_id, at, ms, tab_id, tuple(filter(None, names))) for row_id, at, ms, tab_id, *names in found
        ]

    def running(self, condition: str, arguments: Sequence[object]) -> int:
        """How many rows fulfil an SQL condition while their commands go on."""
        self._flush_if_possible()
        found = self._db.execute(f"SELECT COUNT(*) FROM commands WHERE ({condition}) AND state = 'running'", arguments)
        return int(found.fetchone()[0])

    def under_way(self) -> set[int]:
        """The ids of the rows whose commands go on."""
        self._flush_if_possible()
        return {row_id for (row_id,) in self._db.execute("SELECT id FROM commands WHERE state = 'running'")}

    def forget(self, condition: str, arguments: Sequence[object]) -> None:
        """Delete the rows that `condition` finds, so that no byte of them is left in the files, and tell `removed`.

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
                "INTERNAL", f"the history cannot be written ({error}), so nothing was forgotten", "try again"
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
        """Take away the rows that are too old, or more than are kept, and tell `removed`; on a full disk that may have
        to wait for the next time."""
        self._flush_if_possible()
        self._trim(history_file.trim)

    def _trim(self, delete: Callable[[sqlite3.Connection], list[tuple[int, str, str]]]) -> None:
        try:
            with self._db:
                gone = delete(self._db)
        except sqlite3.Error as error:
            log.error("the history could not be trimmed: %s", error)
            self._try_later(error)
            return
        self._tell_removed(gone)

    def __len__(self) -> int:
        self._flush_if_possible()
        return int(self._db.execute("SELECT COUNT(*) FROM commands").fetchone()[0])

    def close(self) -> None:
        """Write what waits and close the file."""
        self._is_closing = True
        self._flush_if_possible()
        for timer in (self._retry_timer, self._trimming):
            if timer is not None:
                timer.cancel()
        self._db.close()

    def _tell_removed(self, gone: list[tuple[int, str, str]]) -> None:
        if gone:
            names = {name for _, *pictures in gone for name in pictures if name}
            names -= {name for row in self._unwritten.values() for name in (row.before, row.after)}
            self.removed.emit([row_id for row_id, *_ in gone], sorted(names - self.pictures() if names else names))

    def _empty_log(self) -> None:
        """Have nothing left in the write-ahead log; what reads the file in another thread puts it off."""
        (is_busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._must_empty_log = bool(is_busy)

    def _write_soon(self, row: Row) -> None:
        self._unwritten[row.id] = row
        if self.trouble is not None:
            self._make_room()
        elif self._flush_timer is None:
            self._flush_timer = asyncio.get_running_loop().call_later(BATCH_S, self._flush_if_possible)

    def _make_room(self) -> None:
        """Reading goes on for as long as nothing can be written; what the file has of an action is kept until then."""
        waiting = [row for row_id, row in self._unwritten.items() if row_id >= self._written_below]
        for row in waiting[: max(0, len(waiting) - MAX_WAITING)]:
            del self._unwritten[row.id]
            self._lost += row.state != "running"  # that one comes again when it is settled

    def _flush_if_possible(self) -> None:
        """A full disk stops actions, not reading: what cannot be written now waits for an action, or `_try_again`."""
        if self.trouble is not None and not self._is_closing:
            return
        try:
            self.flush()
        except sqlite3.Error as error:
            log.error("the history could not be written: %s", error)

    def _try_later(self, error: sqlite3.Error) -> None:
        """Nothing could be written: tell it, and try until that is mended, though no row may come meanwhile."""
        if self._is_closing:
            return
        if self._retry_timer is None:
            self._retry_timer = asyncio.get_running_loop().call_later(RETRY_S, self._try_again)
        self._tell_trouble(_trouble(error, self.path))

    def _try_again(self) -> None:
        self._retry_timer = None
        try:
            history_file.try_writing(self._db)
            self.flush()
        except sqlite3.Error as error:
            self._try_later(error)
        else:
            self._tell_trouble(None)

    def _tell_trouble(self, trouble: Trouble | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self.trouble_changed.emit(trouble)


def _trouble(error: sqlite3.Error, path: Path) -> Trouble:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return Trouble("the disk is full", f"free some space on the disk of {path.parent}")
    return Trouble(f"the history cannot be written ({error})", f"look whether the disk of {path.parent} is in order")
