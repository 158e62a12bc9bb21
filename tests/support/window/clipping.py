"""Words that do not fit where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from kapture_panel.window.widgets.finder_button import FinderButton
from kapture_panel.window.widgets.label import ElidedLabel

#: What a field keeps free at each side of what is written in it.
_HINT_MARGIN_PX = 5


def said(widget: QWidget | None) -> str:
    """What the test says of a widget: enough to find it."""
    words = widget.accessibleName() if widget is not None else ""
    return f"{type(widget).__name__} “{words or getattr(widget, 'text', str)()}”"


def visible(root: QWidget) -> Iterator[QWidget]:
    """All that can be seen or scrolled to in `root`'s window."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and widget.window() is root.window() and not widget.size().isEmpty():
            yield widget


def clipped(root: QWidget) -> list[str]:
    """Words that do not fit where they stand, and widgets that stand out of what holds them."""
    return [f"{said(widget)} {problem}" for widget in visible(root) if (problem := _clipped(widget))]


def _clipped(widget: QWidget) -> str:
    if not isinstance(widget, QLabel | QAbstractButton | QComboBox | QLineEdit):
        return ""
    if isinstance(widget, QLabel) and not widget.text():
        return ""
    if widget.objectName().startswith("qt_") or isinstance(widget.parentWidget(), QComboBox | QMenuBar):
        return ""
    room, metrics, parent = widget.contentsRect(), widget.fontMetrics(), widget.parentWidget()
    while parent is not None and not widget.isWindow():
        shown = parent.rect().contains(QRect(widget.mapTo(parent, widget.rect().topLeft()), widget.size()))
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
            break  # what is further down is scrolled to; what is further right must be reached by a bar
        if not shown:
            return f"stands out of {said(parent)}: {widget.geometry()} in {parent.rect()}"
        if parent.isWindow():
            break
        parent = parent.parentWidget()
    text = getattr(widget, "currentText" if isinstance(widget, QComboBox) else "text")()
    if isinstance(widget, ElidedLabel):
        fits = metrics.horizontalAdvance(text) <= room.width()
        if isinstance(widget.parentWidget(), FinderButton) and not fits:
            return f"is cut: {text!r}"
        return "" if fits or widget.toolTip() else "is cut and has no tooltip"
    if isinstance(widget, QLabel) and widget.wordWrap():
        need = widget.heightForWidth(widget.width())
        longest = max(metrics.horizontalAdvance(word) for word in text.split())
        return (
            f"needs {need} px of height, has {widget.height()}"
            if need > widget.height()
            else (f"has a word of {longest} px on {room.width()}" if longest > room.width() else "")
        )
    if isinstance(widget, QLineEdit):
        return _field_clipped(widget)
    lines = text.replace("&&", "&").split("\n")
    need_width = max(metrics.horizontalAdvance(one) for one in lines)
    if isinstance(widget, QPushButton | QToolButton | QCheckBox) and not widget.icon().isNull():
        need_width += widget.iconSize().width() if text else 0
    if not text or (
        isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    ):
        return ""
    if need_width > widget.width():
        whole = text in re.sub(r"<[^>]+>", "", widget.toolTip())
        return "" if whole else f"needs {need_width} px of width, has {widget.width()}: {text!r}"
    if isinstance(widget, QLabel) and widget.sizeHint().width() > widget.width():
        return f"needs {widget.sizeHint().width()} px of width, has {widget.width()}: {text!r}"
    need_height = metrics.height() * len(lines)
    return f"needs {need_height} px of height, has {widget.height()}: {text!r}" if need_height > widget.height() else ""


def _field_clipped(field: QLineEdit) -> str:
    """What is written in it scrolls; the hint that stands there instead does not."""
    metrics, buttons = field.fontMetrics(), [one for one in field.findChildren(QToolButton) if one.isVisible()]
    room_px = field.contentsRect().width() - 2 * _HINT_MARGIN_PX - sum(button.width() for button in buttons)
    hint_px = metrics.horizontalAdvance(field.placeholderText())
    if not field.text() and hint_px > room_px:
        return f"needs {hint_px} px for its hint, has {room_px}: {field.placeholderText()!r}"
    need = metrics.height()
    return f"needs {need} px of height, has {field.height()}" if need > field.height() else ""
