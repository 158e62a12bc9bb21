"""Rows of the history written to a file off the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from shiboken6 import isValid

from kapture_panel import export
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_file import read_in_parts
from kapture_panel.core.stores.history_query import Query
from kapture_panel.core.stores.history_row import Row


@dataclass(frozen=True)
class Wanted:
    """What to write: the format's key, and the rows with `ids`, or all below `before` that `query` finds; `rows` is how
    many these are, None while they are still looked for."""

    key: str
    query: Query
    ids: tuple[int, ...] | None
    before: int
    rows: int | None = None


@dataclass(frozen=True)
class Made:
    """What was written: `steps` is how many of the rows a script does again, `pictures` how many are in a recording;
    None for another kind of file."""

    rows: int
    steps: int | None
    pictures: int | None


class _Given(Exception):
    """The person took the export back."""


class _Watched(Sequence[Row]):
    """Rows that look at every step whether they are still wanted."""

    def __init__(self, rows: Sequence[Row], step: Callable[[], None]) -> None:
        self._rows, self._step = rows, step

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        if isinstance(at, slice):
            return _Watched(self._rows[at], self._step)
        self._step()
        return self._rows[at]

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self._step()
            yield row


class _Announcer(QObject):
    progress = Signal(int, int)
    ended = Signal(str, object, str)


class _Writing(QRunnable):
    def __init__(
        self,
        history: Path,
        pictures: Path,
        catalogue: Catalogue,
        path: Path,
        wanted: Wanted,
        given_up: threading.Event,
        announcer: _Announcer,
    ) -> None:
        super().__init__()
        self._history, self._pictures, self._catalogue = history, pictures, catalogue
        self._path, self._wanted = path, wanted
        self._given_up, self._announcer = given_up, announcer

    def run(self) -> None:
        made, problem = None, ""
        try:
            made = self._write()
        except _Given:
            pass
        except (KaptureError, OSError) as error:
            problem = getattr(error, "strerror", None) or str(error)
        except Exception as error:  # the outermost door of this thread
            problem = f"{type(error).__name__}: {error}"
        if isValid(self._announcer):
            self._announcer.ended.emit(str(self._path), made, problem)

    def _write(self) -> Made:
        wanted, rows = self._wanted, list[Row]()
        whole = len(wanted.ids) if wanted.ids is not None else wanted.before
        for part, looked_at in read_in_parts(self._history, wanted.query, wanted.ids, wanted.before):
            rows += part
            self._step()
            # Reading is half of it; making the file is the other.
            self._tell(looked_at, 2 * whole)
        seen = 0

        def step() -> None:
            nonlocal seen
            seen += 1
            self._step()
            if seen % 50 == 0:
                self._tell(len(rows) + min(seen, len(rows)), 2 * len(rows))

        pictures = export.write(self._path, wanted.key, _Watched(rows, step), self._pictures, self._catalogue)
        return Made(len(rows), export.steps_in(wanted.key, rows, self._catalogue), pictures)

    def _step(self) -> None:
        if self._given_up.is_set():
            raise _Given

    def _tell(self, done: int, whole: int) -> None:
        if isValid(self._announcer):
            self._announcer.progress.emit(done, max(whole, 1))


class HistoryExport(QObject):
    """One export at a time.

    `progress(done, whole)` comes while it goes on; then `written(path, made)`, `failed(path, why)` or `cancelled`.

    Args:
        history: the database file.
        pictures: the folder of the screenshots.
        catalogue: the commands, of which scripts are made.
    """

    progress = Signal(int, int)
    written = Signal(str, object)
    failed = Signal(str, str)
    cancelled = Signal()

    def __init__(self, history: Path, pictures: Path, catalogue: Catalogue, parent: QObject) -> None:
        super().__init__(parent)
        self._history, self._pictures, self._catalogue = history, pictures, catalogue
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._given_up = threading.Event()
        self._announcer = _Announcer(self)
        self._announcer.progress.connect(self.progress, Qt.ConnectionType.QueuedConnection)
        self._announcer.ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        self.is_working = False

    def begin(self, path: Path, wanted: Wanted) -> None:
        """Write `wanted` to `path`."""
        self.is_working = True
        self._given_up = threading.Event()
        self._pool.start(self._writing(path, wanted))

    def cancel(self) -> None:
        """Write nothing."""
        self._given_up.set()

    def close(self) -> None:
        """End what goes on and let the thread end."""
        self._given_up.set()
        self._pool.waitForDone()

    def _writing(self, path: Path, wanted: Wanted) -> _Writing:
        read = (self._history, self._pictures, self._catalogue)
        return _Writing(*read, path, wanted, self._given_up, self._announcer)

    def _on_ended(self, path: str, made: Made | None, problem: str) -> None:
        self.is_working = False
        if problem:
            self.failed.emit(path, problem)
        elif made is None:
            self.cancelled.emit()
        else:
            self.written.emit(path, made)
