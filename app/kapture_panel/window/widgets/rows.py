"""A column of rows that is filled anew at each change."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget


def take_out(rows: QVBoxLayout) -> None:
    """Take all rows away."""
    while (item := rows.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def has_focus(part: QWidget) -> bool:
    """Whether something in `part` has the focus in its window."""
    focused: QWidget | None = part.window().focusWidget()
    return focused is not None and part.isAncestorOf(focused)
