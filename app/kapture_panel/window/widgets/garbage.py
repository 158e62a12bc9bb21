"""Python's cycles are collected on the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QAbstractEventDispatcher, QObject

#: As CPython's own: this many new objects, then this many collections of the younger generation.
_THRESHOLDS = (2000, 10, 10)


class Garbage(QObject):
    """Takes Python's collecting over from when it is made until `release`.

    Python collects in whatever thread makes the next object. A QObject that is in a cycle is destroyed right there,
    and one that belongs to the window's thread must not be: Qt then crashes at its next event. So nothing is collected
    by itself any more, but here, whenever the event loop has nothing else to do.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.spare()
        QAbstractEventDispatcher.instance().aboutToBlock.connect(self.on_idle)

    def on_idle(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > _THRESHOLDS[generation]:
                gc.collect(generation)
                return

    def spare(self) -> None:
        """Never look again at what there is now: what a program makes at its start lives as long as it does, and going
        through all of it would hold the window for a tenth of a second."""
        gc.freeze()

    def release(self) -> None:
        """Let Python collect by itself again."""
        QAbstractEventDispatcher.instance().aboutToBlock.disconnect(self.on_idle)
        gc.enable()
