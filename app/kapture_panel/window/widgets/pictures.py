"""Pictures read, scaled and saved off the GUI thread: the only place that decodes any."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QObject, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from kapture_panel.window.widgets.off_thread import OffThread

_THREADS = 2


class Pictures(QObject):
    """Reads files and bytes in the background, saves them, and calls back in the GUI thread."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._off_thread = OffThread(self, _THREADS)

    def load(self, source: Path | bytes, box: QSize | None, owner: QObject, done: Callable[[QImage], None]) -> None:
        """Read `source` and call `done` with the image, a null one if that failed.

        Args:
            source: a PNG, JPEG or WebP file, or what would be in one.
            box: scale down to cover this size; None keeps the picture's own.
            owner: who waits for it; when that is gone `done` is not called.
            done: called once in the GUI thread, never when `close` came first.
        """
        self._off_thread.do(partial(read, source, box), owner, done)

    def fetch(self, source: Path | bytes, owner: QObject, done: Callable[[bytes], object]) -> None:
        """Call `done` with the bytes of `source` as they are; none when it is gone."""
        self._off_thread.do(partial(_bytes, source), owner, done)

    def save(self, source: Path | bytes, path: Path, owner: QObject, done: Callable[[str], object]) -> None:
        """Write `source` as it is to `path` and call `done` with what went wrong, empty when nothing did."""
        self._off_thread.do(partial(_save, source, path), owner, done)

    def close(self) -> None:
        """Drop what waits and let the threads end."""
        self._off_thread.close()


def _bytes(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        return source
    try:
        return source.read_bytes()
    except OSError:
        return b""  # retention took it; the picture that is shown is still there


def _save(source: Path | bytes, path: Path) -> str:
    try:
        if isinstance(source, bytes):
            path.write_bytes(source)
        else:
            shutil.copyfile(source, path)
    except OSError as error:
        return str(error)
    return ""


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
