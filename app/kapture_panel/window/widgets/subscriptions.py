"""The window's subscriptions to the core's stores, cut together when the window goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVarTuple

from kapture_panel.core.basics.signal import Signal

Args = TypeVarTuple("Args")


class Subscriptions:
    """Remembers every connection to a store, because the stores live longer than the window."""

    def __init__(self) -> None:
        self._cuts: list[Callable[[], None]] = []

    def connect(self, signal: Signal[*Args], listener: Callable[[*Args], object]) -> None:
        """Call `listener` at every emission until `cut`."""
        signal.connect(listener)
        self._cuts.append(lambda: signal.disconnect(listener))

    def cut(self) -> None:
        """Disconnect all; a second call does nothing."""
        for cut in self._cuts:
            cut()
        self._cuts.clear()
