"""The order in which the Tab key goes through widgets: the order of reading."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def chain(parts: Iterable[QWidget]) -> None:
    """Let Tab go through all that takes it, part by part and within a part as it was laid out."""
    for first, second in pairwise(stop for part in parts for stop in stops(part)):
        QWidget.setTabOrder(first, second)


def stops(part: QWidget) -> list[QWidget]:
    """What takes the focus by the Tab key in `part`, as it was laid out."""
    return [widget for widget in _inside(part) if _takes_tab(widget)]


def step(parts: Iterable[QWidget], is_next: bool) -> bool:
    """Move the focus on or back among what can be seen in `parts`, round and round.

    Qt's own chain would do were it not for focus proxies: they stay where they were made, take Tab there, and so
    lead back into the middle.

    Returns:
        Whether there was anything to go to.
    """
    focused = QApplication.focusWidget()
    ring = [widget for part in parts for widget in _there(part, focused) if widget is focused or _takes_tab(widget)]
    if not any(widget is not focused for widget in ring):
        return False
    at = ring.index(focused) if focused in ring else (-1 if is_next else 0)
    reason = Qt.FocusReason.TabFocusReason if is_next else Qt.FocusReason.BacktabFocusReason
    ring[(at + (1 if is_next else -1)) % len(ring)].setFocus(reason)
    return True


def _inside(part: QWidget) -> list[QWidget]:
    # The list of a combo box is a window of its own.
    return [widget for widget in (part, *part.findChildren(QWidget)) if widget.window() is part.window()]


def _takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def _there(part: QWidget, focused: QWidget | None) -> list[QWidget]:
    """What can be used in `part`; of its hundreds of widgets most cannot be seen, which costs the least to ask.

    What has the focus belongs to it always: Qt asks where to go on to when it is hidden or disabled, too.
    """
    if not part.isVisible() and not (focused is not None and (part is focused or part.isAncestorOf(focused))):
        return []
    within = (
        widget
        for widget in (part, *part.findChildren(QWidget))
        if widget is focused or (widget.isVisible() and widget.isEnabled())
    )
    return [widget for widget in within if widget.window() is part.window()]
