"""Pictures read and scaled off the GUI thread: the only place that decodes any."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader
from shiboken6 import isValid

_THREADS = 2


class _Announcer(QObject):
    done = Signal(int, QImage)


class _Reading(QRunnable):
    def __init__(self, ticket: int, source: Path | bytes, box: QSize | None, announcer: _Announcer) -> None:
        super().__init__()
        self._ticket, self._source, self._box, self._announcer = ticket, source, box, announcer

    def run(self) -> None:
        image = read(self._source, self._box)
        # RuntimeError: the window went while the picture was read.
        with suppress(RuntimeError):
            self._announcer.done.emit(self._ticket, image)


class Pictures(QObject):
    """Reads files and bytes in the background and calls back in the GUI thread."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(_THREADS)
        self._announcer = _Announcer(self)
        self._announcer.done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)
        self._waiting: dict[int, tuple[QObject, Callable[[QImage], None]]] = {}
        self._ticket = 0

    def load(self, source: Path | bytes, box: QSize | None, owner: QObject, done: Callable[[QImage], None]) -> None:
        """Read `source` and call `done` with the image, a null one if that failed.

        Args:
            source: a PNG, JPEG or WebP file, or what would be in one.
            box: scale down to cover this size; None keeps the picture's own.
            owner: who waits for it; when that is gone `done` is not called.
            done: called once in the GUI thread, never when `close` came first.
        """
        self._ticket += 1
        self._waiting[self._ticket] = (owner, done)
        self._pool.start(_Reading(self._ticket, source, box, self._announcer))

    def close(self) -> None:
        """Drop what waits and let the threads end."""
        self._waiting.clear()
        self._pool.clear()
        self._pool.waitForDone(2000)

    def _on_done(self, ticket: int, image: QImage) -> None:
        owner, done = self._waiting.pop(ticket, (None, None))
        if done is not None and isValid(owner):
            done(image)


def read(source: Path | bytes, box: QSize | None) -> QImage:
    """The image in `source`, no larger than needed to cover `box`."""
    held = QBuffer()
    if isinstance(source, bytes):
        held.setData(QByteArray(source))
        reader = QImageReader(held)
    else:
        reader = QImageReader(str(source))
    reader.setAutoTransform(True)
    size = reader.size()
    if box is not None and size.isValid():
        covering = size.scaled(box, Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        if covering.width() < size.width():
            reader.setScaledSize(covering)
    return reader.read()
