"""When a window has been painted for the first time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from tests.support.first_paint import SAID


class FirstPaint(QObject):
    """Says when a window has been painted for the first time, and ends it."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            # All widgets of the window are painted before the next turn of the event loop.
            QTimer.singleShot(0, self._tell)
        return False

    def _tell(self) -> None:
        print(SAID, flush=True)
        QApplication.quit()
