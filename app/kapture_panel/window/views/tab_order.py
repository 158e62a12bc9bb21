"""The order in which the Tab key goes through widgets: the order of reading."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def chain(parts: Iterable[QWidget]) -> None:
    """Let Tab go through all that takes it, part by part and within a part as it was laid out."""
    for first, second in pairwise(stop for part in parts for stop in _stops(part)):
        QWidget.setTabOrder(first, second)


def _stops(part: QWidget) -> list[QWidget]:
    # The list of a combo box is a window of its own.
    inner = [widget for widget in (part, *part.findChildren(QWidget)) if widget.window() is part.window()]
    return [widget for widget in inner if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.focusProxy()]
