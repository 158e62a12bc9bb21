"""Long work on the window's thread, cut so that frames and keys come in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

#: A third of a frame at 60 Hz: painting needs the rest.
SLICE_S = 0.005


class Slices(QTimer):
    """Steps through a generator, a slice per turn of the event loop; what begins later replaces it."""

    def __init__(self, parent: QObject, slice_s: float = SLICE_S) -> None:
        super().__init__(parent)
        self._slice_s = slice_s
        self._steps: Iterator[None] | None = None
        self._done: Callable[[], None] | None = None
        self.timeout.connect(self._go_on)

    @property
    def is_working(self) -> bool:
        """Whether there is work left."""
        return self._steps is not None

    def begin(self, steps: Iterator[None], done: Callable[[], None]) -> None:
        """Do `steps`, the first slice of them now, then call `done`."""
        self._steps, self._done = steps, done
        self._go_on()

    def give_up(self) -> None:
        """Leave the rest undone."""
        self.stop()
        self._steps = self._done = None

    def _go_on(self) -> None:
        until = time.perf_counter() + self._slice_s
        steps, done = self._steps, self._done
        assert steps is not None
        assert done is not None
        try:
            for _ in steps:
                if time.perf_counter() >= until:
                    self.start(0)
                    return
        except BaseException:
            self.give_up()
            raise
        if time.perf_counter() >= until - self._slice_s / 2:
            # What is done at the end is repainted: it gets a turn of its own.
            self._steps = iter(())
            self.start(0)
            return
        self.give_up()
        done()
