"""Every widget in every state: it has a name, Tab leads to it, the focus shows on it, and its words fit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from kapture_panel.window.main_window import MainWindow
from kapture_panel.window.views.label import ElidedLabel
from kapture_panel.window.views.overlay import Overlay
from tests.window.fakes import Instance
from tests.window.forms.samples import COMMANDS
from tests.window.qt_loop import on_qt_loop, settle
from tests.window.states import STATES
from tests.window.test_theme import contrast

#: Logical pixels: a common screen, and about the least a person would work in.
SIZES = [QSize(1440, 900), QSize(1000, 700)]
_MAX_STEPS = 300
#: A mark of fewer pixels than this is no more than a cursor.
_LEAST_MARK_PX = 40
_LEAST_CONTRAST = 3.0


def said(widget: QWidget | None) -> str:
    """What the test says of a widget: enough to find it."""
    words = widget.accessibleName() if widget is not None else ""
    return f"{type(widget).__name__} “{words or getattr(widget, 'text', str)()}”"


def visible(root: QWidget) -> Iterator[QWidget]:
    """All that can be seen or scrolled to in `root`'s window."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and widget.window() is root.window() and not widget.size().isEmpty():
            yield widget


def stops(root: QWidget) -> list[QWidget]:
    """What Tab must lead to."""
    return [
        widget
        for widget in visible(root)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and widget.focusProxy() is None
    ]


def nameless(root: QWidget) -> list[str]:
    """What a screen reader would have no useful name for."""
    found = []
    for widget in visible(root):
        takes = widget.focusPolicy() != Qt.FocusPolicy.NoFocus or isinstance(widget, QAbstractButton | QComboBox)
        if not takes or widget.focusProxy() is not None or widget.objectName().startswith("qt_"):
            continue
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
        if not re.search(r"\w", name) or re.fullmatch(r"Q?[A-Z]\w*(View|Edit|Button|Field|Box|Widget|Bar)", name):
            found.append(f"{said(widget)} in {said(widget.parentWidget())}: {name!r}")
    return found


def walk(root: QWidget) -> dict[QWidget, int]:
    """Press Tab until it comes round.

    Returns:
        Where it led to, with how many pixels of each show that it has the focus.
    """
    QApplication.processEvents()
    if not (focused := QApplication.focusWidget()) or focused.window() is not root.window():
        stops(root)[0].setFocus(Qt.FocusReason.TabFocusReason)
    passed: dict[QWidget, int] = {}
    for _ in range(_MAX_STEPS):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in passed:
            return passed
        passed[focused] = mark_of(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    pytest.fail(f"Tab does not come round: {[said(widget) for widget in list(passed)[-6:]]}")


def mark_of(widget: QWidget) -> int:
    """By how many pixels one sees that `widget` has the focus."""
    window = widget.window()
    around = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size()).adjusted(-3, -3, 3, 3)
    if isinstance(widget, QLineEdit):
        widget.deselect()
    QApplication.processEvents()
    with_focus = window.grab(around).toImage()
    widget.clearFocus()
    QApplication.processEvents()
    without = window.grab(around).toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    return difference(with_focus, without)


def unmarked(passed: dict[QWidget, int]) -> list[str]:
    """What looks the same, or nearly so, with the focus and without."""
    return [f"{said(widget)}: {pixels} pixels" for widget, pixels in passed.items() if pixels < _LEAST_MARK_PX]


def difference(first: QImage, second: QImage) -> int:
    """How many pixels differ by a contrast one can see."""
    pairs: dict[tuple[int, int], bool] = {}
    count = 0
    for y in range(first.height()):
        for x in range(first.width()):
            pair = first.pixel(x, y), second.pixel(x, y)
            if pair[0] != pair[1]:
                if pair not in pairs:
                    colors = [f"#{pixel & 0xFFFFFF:06x}" for pixel in pair]
                    pairs[pair] = contrast(*colors) >= _LEAST_CONTRAST
                count += pairs[pair]
    return count


def clipped(root: QWidget) -> list[str]:
    """Words that do not fit where they stand, and widgets that stand out of what holds them."""
    return [f"{said(widget)} {problem}" for widget in visible(root) if (problem := _clipped(widget))]


def _clipped(widget: QWidget) -> str:
    if isinstance(widget, QLabel) and not widget.text():
        return ""
    if not isinstance(widget, QLabel | QAbstractButton | QComboBox | QLineEdit):
        return ""
    if widget.objectName().startswith("qt_") or isinstance(widget.parentWidget(), QComboBox | QMenuBar):
        return ""
    room = widget.contentsRect()
    metrics = widget.fontMetrics()
    parent = widget.parentWidget()
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
        need = metrics.height()
        return f"needs {need} px of height, has {widget.height()}" if need > widget.height() else ""
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


@pytest.mark.parametrize("state", STATES)
@on_qt_loop
async def test_every_widget_has_a_name_is_reached_by_tab_and_shows_the_focus(
    state: str, window: MainWindow, instance: Instance
) -> None:
    window.activateWindow()
    root = await STATES[state](window, instance)
    await settle()
    root.window().activateWindow()
    none(nameless(root))
    expected = stops(root)
    if not isinstance(root, Overlay):
        # An overlay has a round of its own, walked as a state of its own.
        expected = [stop for stop in expected if not any(isinstance(parent, Overlay) for parent in parents(stop))]
    passed = walk(root)
    none([said(stop) for stop in expected if stop not in passed])
    none(unmarked(passed))


def none(found: list[str]) -> None:
    """Fail with all that was found."""
    assert not found, "\n".join(found)


def parents(widget: QWidget) -> Iterator[QWidget]:
    """What holds `widget`, inside out."""
    while (parent := widget.parentWidget()) is not None:
        yield parent
        widget = parent


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
@pytest.mark.parametrize("state", STATES)
@on_qt_loop
async def test_no_words_are_clipped(state: str, size: QSize, window: MainWindow, instance: Instance) -> None:
    window.resize(size)
    root = await STATES[state](window, instance)
    await settle()
    assert window.size() == size
    none(clipped(root))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
def test_no_words_of_a_form_are_clipped_and_all_its_fields_have_names(
    size: QSize, window: MainWindow, instance: Instance
) -> None:
    window.resize(size)
    for command in COMMANDS:
        window.command.list.choose(command.name)
        QApplication.processEvents()
        none([f"{command.short_name}: {problem}" for problem in clipped(window) + nameless(window)])
    assert window.size() == size


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.short_name)
def test_tab_leads_through_the_form_of_every_command_and_out_of_it(command, window: MainWindow) -> None:  # type: ignore[no-untyped-def]
    window.activateWindow()
    window.command.list.choose(command.name)
    QApplication.processEvents()
    expected = stops(window)
    passed = walk(window)
    none([said(stop) for stop in expected if stop not in passed])
    none(unmarked(passed))


@pytest.mark.skipif("QT_SCALE_FACTOR" in os.environ, reason="is the scaled run itself")
def test_no_words_are_clipped_at_200_percent(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "clipped", f"--basetemp={tmp_path / 'scaled'}", __file__],
        env=os.environ | {"QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert run.returncode == 0, run.stdout[-4000:]
