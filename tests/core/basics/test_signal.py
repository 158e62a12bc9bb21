"""Plain-Python signals."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.signal import Signal


def test_listeners_are_called_in_the_order_they_connected() -> None:
    signal: Signal[str, int] = Signal()
    heard: list[tuple[str, str, int]] = []
    signal.connect(lambda text, number: heard.append(("first", text, number)))
    signal.connect(lambda text, number: heard.append(("second", text, number)))
    signal.emit("a", 1)
    assert heard == [("first", "a", 1), ("second", "a", 1)]


def test_a_disconnected_listener_hears_nothing_more() -> None:
    signal: Signal[int] = Signal()
    heard: list[int] = []
    signal.connect(heard.append)
    signal.emit(1)
    signal.disconnect(heard.append)
    signal.emit(2)
    assert heard == [1]


def test_disconnecting_a_stranger_is_an_error() -> None:
    signal: Signal[int] = Signal()
    with pytest.raises(ValueError, match="not in list"):
        signal.disconnect(print)


def test_a_listener_may_disconnect_itself_while_it_is_called() -> None:
    signal: Signal[int] = Signal()
    heard: list[str] = []

    def once(_number: int) -> None:
        heard.append("once")
        signal.disconnect(once)

    signal.connect(once)
    signal.connect(lambda _number: heard.append("always"))
    signal.emit(1)
    signal.emit(2)
    assert heard == ["once", "always", "always"]


def test_a_signal_without_arguments_or_listeners_can_be_emitted() -> None:
    Signal[()]().emit()
