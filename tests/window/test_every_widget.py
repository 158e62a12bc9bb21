"""Every widget in every state: it has a name, Tab leads to it, the focus shows on it, and its words fit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QWidget,
)

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.focus_ring import Ring
from kapture_panel.window.widgets.overlay import Overlay
from tests.support.patience import PATIENCE_S
from tests.support.window.clipping import clipped, said, visible
from tests.support.window.contents import fill
from tests.support.window.contrast import contrast
from tests.support.window.fakes import Instance
from tests.support.window.forms.samples import COMMANDS
from tests.support.window.qt_loop import on_qt_loop, settle
from tests.support.window.states import STATES

#: Logical pixels: a common screen, a small one, and the least that the window can be.
SIZES = [QSize(1440, 900), QSize(1000, 700), QSize(800, 600)]
#: What a screen of 1600x1000 leaves at 200 %.
SCALED = QSize(800, 500)
#: Markup, a shortcut's mark, characters that turn the writing round or cannot be seen, and no place to break a line.
HOSTILE = "<b>x</b>&amp;&A\u202e\u2066\x07\x00\n\u0301" * 3 + "👩‍👩‍👧‍👦" * 20 + "W" * 10000
#: Whether this is the run at 200 %.
IS_SCALED = "QT_SCALE_FACTOR" in os.environ
_MAX_STEPS = 300
#: A mark of fewer pixels than this is no more than a cursor.
_LEAST_MARK_PX = 40
_LEAST_CONTRAST = 3.0
#: So far around a widget its ring goes.
_AROUND_PX = 4
_STRETCH_PX = 16


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


def walk(root: QWidget, until: QWidget | None = None) -> dict[QWidget, int]:
    """Press Tab until it comes round, or to `until`.

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
        if focused is until:
            return passed
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    pytest.fail(f"Tab does not come round: {[said(widget) for widget in list(passed)[-6:]]}")


#: What was found of a widget of that type and name: the toolbar stands in every state.
_marks: dict[tuple[object, ...], int] = {}


def mark_of(widget: QWidget) -> int:
    """By how many pixels one sees that `widget` has the focus; of the same type, name and look one is looked at."""
    name, window = widget.accessibleName() or getattr(widget, "text", str)(), widget.window()
    look = (widget.isWindow(), widget.palette().window().color().name(), getattr(widget, "isChecked", bool)())
    key = (type(widget), name, type(window), look)
    if not name or key not in _marks:
        _marks[key] = _looked_at(widget)
    return _marks[key]


def _looked_at(widget: QWidget) -> int:
    if isinstance(widget, QLineEdit):
        widget.deselect()
    QApplication.processEvents()
    with_focus = _picture(widget)
    widget.clearFocus()
    QApplication.processEvents()
    without = _picture(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    return difference(with_focus, without)


def _picture(widget: QWidget) -> QImage:
    """The widget and the ring around it: painting all that is around would take most of the time."""
    image = QImage(widget.size() + QSize(2 * _AROUND_PX, 2 * _AROUND_PX), QImage.Format.Format_RGB32)
    image.fill(QApplication.palette().window().color())
    corner, window = QPoint(_AROUND_PX, _AROUND_PX), widget.window()
    widget.render(image, corner)
    for ring in window.findChildren(Ring, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if ring.isVisible():
            at = ring.pos() - widget.mapTo(window, QPoint()) + corner
            ring.render(image, at, renderFlags=QWidget.RenderFlag.DrawChildren)
    return image


def unmarked(passed: dict[QWidget, int]) -> list[str]:
    """What looks the same, or nearly so, with the focus and without."""
    return [f"{said(widget)}: {pixels} pixels" for widget, pixels in passed.items() if pixels < _LEAST_MARK_PX]


def difference(first: QImage, second: QImage) -> int:
    """How many pixels differ by a contrast one can see."""
    before, after = (bytes(image.constBits()) for image in (first, second))
    ones, others = (memoryview(data).cast("I") for data in (before, after))
    pairs: Counter[tuple[int, int]] = Counter()
    # Most of a picture is the same: bytes are compared much faster than pixels.
    for at in range(0, len(ones) if before != after else 0, _STRETCH_PX):
        end = at + _STRETCH_PX
        if before[at * 4 : end * 4] != after[at * 4 : end * 4]:
            pairs.update(pair for pair in zip(ones[at:end], others[at:end], strict=True) if pair[0] != pair[1])
    return sum(
        number
        for pair, number in pairs.items()
        if contrast(*(f"#{pixel & 0xFFFFFF:06x}" for pixel in pair)) >= _LEAST_CONTRAST
    )


def sideways(window: MainWindow) -> list[str]:
    """Forms that must be scrolled sideways."""
    areas = [window.rooms.command.view.params, *window.rooms.command.view.params.findChildren(QAbstractScrollArea)]
    return [
        f"{said(area)} is {bar.maximum()} px too narrow"
        for area in areas
        if area.isVisible() and not isinstance(area, QPlainTextEdit) and (bar := area.horizontalScrollBar()).maximum()
    ]


def overlapping(window: MainWindow) -> list[str]:
    """Docks that lie over one another, or over the middle."""
    docks = [dock for dock in window.findChildren(QDockWidget) if dock.isVisible() and not dock.isFloating()]
    return [
        f"{said(one)} and {said(other)}: {one.geometry().intersected(other.geometry())}"
        for one, other in combinations([*docks, *filter(None, [window.centralWidget()])], 2)
        if one.geometry().intersects(other.geometry())
    ]


@pytest.mark.parametrize("state", STATES)
@on_qt_loop
async def test_a_state_has_names_fits_and_shows_where_tab_leads(
    state: str, window: MainWindow, instance: Instance
) -> None:
    sizes = SIZES if not IS_SCALED else [SCALED]
    window.resize(sizes[0])
    window.activateWindow()
    root = await STATES[state](window, instance)
    for size in sizes:
        window.resize(size)
        await settle()
        assert window.size() == size
        none(clipped(root) + sideways(window) + overlapping(window))
    if IS_SCALED:
        return
    window.resize(SIZES[0])
    await settle()
    none(nameless(root))
    root.window().activateWindow()
    expected = stops(root)
    if not isinstance(root, Overlay):
        # An overlay has a round of its own, walked as a state of its own.
        expected = [stop for stop in expected if not any(isinstance(parent, Overlay) for parent in parents(stop))]
    passed = walk(root)
    none([said(stop) for stop in expected if stop not in passed])
    none(unmarked(passed))
    window.shell.theme.set_mode("dark")
    await settle()
    marks = {}
    for stop in passed:
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        for area in (one for one in parents(stop) if isinstance(one, QScrollArea)):
            area.ensureWidgetVisible(stop)  # as Tab does
        marks[stop] = mark_of(stop)
    none(unmarked(marks))


def none(found: list[str]) -> None:
    """Fail with all that was found."""
    assert not found, "\n".join(found)


def parents(widget: QWidget) -> Iterator[QWidget]:
    """What holds `widget`, inside out."""
    while (parent := widget.parentWidget()) is not None:
        yield parent
        widget = parent


@on_qt_loop
async def test_hostile_text_moves_no_dock_and_is_no_markup_anywhere(window: MainWindow, instance: Instance) -> None:
    window.resize(SIZES[-1])
    fill(instance, "short")
    await settle(0.2)
    docks = {name: window.shell.docks[name].geometry() for name in window.shell.docks.titles}
    window.shell.toasts.clear()
    fill(instance, HOSTILE)
    await settle(0.2)
    window.rooms.tabs.choose("t1")
    await settle()
    assert window.size() == SIZES[-1]
    assert {name: window.shell.docks[name].geometry() for name in window.shell.docks.titles} == docks
    none(clipped(window) + sideways(window) + overlapping(window))
    none([f"{said(widget)} shows {text[:40]!r}" for widget in visible(window) for text in texts(widget) if raw(text)])
    none([said(label) for label in window.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText])


def texts(widget: QWidget) -> list[str]:
    """All that a widget with words says."""
    if isinstance(widget, QComboBox):
        return [widget.itemText(number) for number in range(widget.count())]
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        return [widget.text()]
    if isinstance(widget, QAbstractItemView):
        model = widget.model()
        columns = range(model.columnCount()) if isinstance(widget, QTableView) else range(1)
        indexes = (model.index(row, column) for row in range(model.rowCount()) for column in columns)
        return [str(index.data() or "") for index in indexes]
    return []


def raw(text: str) -> bool:
    """Whether text of a page was taken as it is, with what turns the direction of writing or what cannot be seen."""
    return bool(re.search("[\u202e\u2066\x00\x07]", text))


def test_the_form_of_every_command_has_names_fits_and_shows_where_tab_leads(
    window: MainWindow, instance: Instance
) -> None:
    window.activateWindow()
    for command in COMMANDS:
        window.rooms.command.view.list.choose(command.name)
        form = window.rooms.command.view.params.form
        assert form is not None
        for is_open in (False, True):
            if is_open:
                form.open_options()
            for size in (SIZES[0], SIZES[-1]) if not IS_SCALED else (SCALED,):
                window.resize(size)
                QApplication.processEvents()
                QApplication.processEvents()  # what the first led to: a form that puts its labels elsewhere
                assert window.size() == size
                problems = clipped(window.rooms.command.view) + nameless(window.rooms.command.view) + sideways(window)
                none([f"{command.short_name}: {problem}" for problem in problems])
        if IS_SCALED:
            continue
        # Before it and behind it Tab leads as in any state.
        expected = [*stops(form), window.rooms.command.view.run_bar.run_button]
        expected[0].setFocus(Qt.FocusReason.TabFocusReason)
        passed = walk(window, until=expected[-1])
        none([f"{command.short_name}: {said(stop)}" for stop in expected if stop not in passed])
        none([f"{command.short_name}: {problem}" for problem in unmarked(passed)])


def test_all_fits_at_200_percent_too(tmp_path: Path) -> None:
    """In a process of its own, for Qt reads the factor when it starts; it looks at the smallest size alone."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", f"--basetemp={tmp_path / 'scaled'}"]
    run = subprocess.run(
        [*command, "-k", "state or form", __file__],
        env=os.environ | {"QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * PATIENCE_S,
    )
    assert run.returncode == 0, run.stdout[-4000:]
    assert f"{len(STATES) + 1} passed" in run.stdout
