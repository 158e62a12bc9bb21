"""What comes into a page that scrolls."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QWidget


def bring_in_sight(widget: QWidget) -> None:
    """Scroll what holds `widget` until it is seen, once it is laid out."""
    QTimer.singleShot(0, widget, lambda: _scroll_to(widget))


def _scroll_to(widget: QWidget) -> None:
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    if parent is not None and widget.isVisible():
        parent.ensureWidgetVisible(widget)
