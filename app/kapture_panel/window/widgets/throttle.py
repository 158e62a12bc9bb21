"""Many announcements, few repaints."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

#: At most 20 changes per second reach a view: a full repaint of a table costs about 11 ms.
INTERVAL_MS = 50


class Throttle(QTimer):
    """Calls `work` once, `INTERVAL_MS` after the first of any number of `ask`s."""

    def __init__(self, parent: QObject, work: Callable[[], None], interval_ms: int = INTERVAL_MS) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(interval_ms)
        self._work = work
        self.timeout.connect(work)

    def ask(self) -> None:
        """Have the work done soon."""
        if not self.isActive():
            self.start()

    def flush(self) -> None:
        """Do the work now if it was asked for."""
        if self.isActive():
            self.stop()
            self._work()
