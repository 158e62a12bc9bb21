"""Plain-Python signals: how the stores tell the window without knowing Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVarTuple

Args = TypeVarTuple("Args")


class Signal(Generic[*Args]):
    """A list of listeners called in the order they connected, in the emitter's thread."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[*Args], object]] = []

    def connect(self, listener: Callable[[*Args], object]) -> None:
        """Call `listener` at every emission from now on."""
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[[*Args], object]) -> None:
        """Stop calling `listener`; raises ValueError when it was not connected."""
        self._listeners.remove(listener)

    def emit(self, *args: *Args) -> None:
        """Call every listener with `args`."""
        for listener in tuple(self._listeners):
            listener(*args)
