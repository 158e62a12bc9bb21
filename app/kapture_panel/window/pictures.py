"""Pictures read and scaled off the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader
from shiboken6 import isValid

_THREADS = 2


class _Announcer(QObject):
    done = Signal(int, QImage)


class _Reading(QRunnable):
    def __init__(self, ticket: int, path: Path, box: QSize | None, announcer: _Announcer) -> None:
        super().__init__()
        self._ticket, self._path, self._box, self._announcer = ticket, path, box, announcer

    def run(self) -> None:
        image = read(self._path, self._box)
        # RuntimeError: the window went while the picture was read.
        with suppress(RuntimeError):
            self._announcer.done.emit(self._ticket, image)


class Pictures(QObject):
    """Reads files in the background and calls back in the GUI thread."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(_THREADS)
        self._announcer = _Announcer(self)
        self._announcer.done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)
        self._waiting: dict[int, tuple[QObject, Callable[[QImage], None]]] = {}
        self._ticket = 0

    def load(self, path: Path, box: QSize | None, owner: QObject, done: Callable[[QImage], None]) -> None:
        """Read `path` and call `done` with the image, a null one if that failed.

        Args:
            path: a PNG, JPEG or WebP file.
            box: scale down to cover this size; None keeps the picture's own.
            owner: who waits for it; when that is gone `done` is not called.
            done: called once in the GUI thread, never when `close` came first.
        """
        self._ticket += 1
        self._waiting[self._ticket] = (owner, done)
        self._pool.start(_Reading(self._ticket, path, box, self._announcer))

    def close(self) -> None:
        """Drop what waits and let the threads end."""
        self._waiting.clear()
        self._pool.clear()
        self._pool.waitForDone(2000)

    def _on_done(self, ticket: int, image: QImage) -> None:
        owner, done = self._waiting.pop(ticket, (None, None))
        if done is not None and isValid(owner):
            done(image)


def read(path: Path, box: QSize | None) -> QImage:
    """The image in `path`, no larger than needed to cover `box`."""
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    size = reader.size()
    if box is not None and size.isValid():
        covering = size.scaled(box, Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        if covering.width() < size.width():
            reader.setScaledSize(covering)
    return reader.read()
