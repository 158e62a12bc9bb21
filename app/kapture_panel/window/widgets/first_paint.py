"""When a window is painted for the first time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow


class FirstPaint(QObject):
    """`painted` comes once, when all of the window has been painted."""

    painted = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            # All widgets of the window are painted before the next turn of the event loop.
            QTimer.singleShot(0, self.painted.emit)
        return False
