"""The lightbox tells where in the page the cursor is."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontMetrics, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.shots.facts import FactsLabel, fitting
from kapture_panel.window.shots.lightbox import Lightbox
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.fakes import Instance, png


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def pictures(parent: QWidget) -> Iterator[Pictures]:
    made = Pictures(parent)
    yield made
    made.close()


def add(
    instance: Instance, width: int = 1600, height: int = 1200, scale: float = 2.0, x: float = 0, y: float = 0
) -> Shot:
    return instance.shots.add(
        png(width, height),
        name="<b>shop</b>",
        tab_id="t",
        format="png",
        width=width,
        height=height,
        scale=scale,
        x=x,
        y=y,
    )


def opened(shot: Shot, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot) -> Lightbox:
    box = Lightbox(shot, theme, pictures, parent)
    box.show()
    qtbot.waitUntil(lambda: not box.canvas.image.isNull())
    return box


def said(box: Lightbox) -> list[str]:
    return [toast.accessibleName().removesuffix(": ") for toast in box.toasts.shown]


@pytest.mark.parametrize(
    ("facts", "chars", "shown"),
    [
        (("1280 × 713", "Checkout – Corner Shop"), 60, "1280 × 713 · Checkout – Corner Shop"),
        (("1280 × 713", "Checkout – Corner Shop"), 12, "1280 × 713"),
        (("1280 × 713", "Checkout – Corner Shop"), 16, "1280 × 713"),
        (("1280 × 713", "12 kB", "Checkout"), 19, "1280 × 713 · 12 kB"),
    ],
)
def test_facts_without_room_are_left_out(theme: Theme, facts: tuple[str, ...], chars: int, shown: str) -> None:
    metrics = QFontMetrics(theme.mono())
    assert fitting(facts, metrics, chars * metrics.horizontalAdvance("0") + 2) == shown
    cut = fitting(facts[:2], metrics, 30 * metrics.horizontalAdvance("0"))
    assert cut.startswith(" · ".join(facts[:1]))


def test_the_size_of_a_picture_is_whole_in_a_small_window(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    box = opened(add(instance, 40, 20), theme, pictures, parent, qtbot)
    box.resize(box.minimumSizeHint().width(), 320)
    (facts,) = box.findChildren(FactsLabel)
    assert facts.width() >= facts.fontMetrics().horizontalAdvance("40 × 20")
    assert box._percent.isHidden(), "“100 %” stands once"
    box.area.set_zoom(2.0)
    assert box._percent.isVisible()


def test_it_is_a_window_of_its_own_that_blocks_nothing(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    box = opened(add(instance), theme, pictures, parent, qtbot)
    assert box.isWindow()
    assert not box.isModal()


@pytest.mark.parametrize(
    ("scale", "x", "y", "expected"),
    [(1, 0, 0, (800, 600)), (2, 0, 0, (400, 300)), (2, 100, 2000, (500, 2300)), (0.5, 10, 20, (1610, 1220))],
)
def test_the_cursor_is_told_in_css_pixels_of_the_page(
    scale: float,
    x: float,
    y: float,
    expected: tuple[float, float],
    instance: Instance,
    theme: Theme,
    pictures: Pictures,
    parent: QWidget,
    qtbot: QtBot,
) -> None:
    box = opened(add(instance, scale=scale, x=x, y=y), theme, pictures, parent, qtbot)
    middle = QPointF(box.canvas.width() / 2, box.canvas.height() / 2)
    assert box.page_position(box.canvas.pixel_at(middle)) == pytest.approx(expected, abs=1)
    # QTest moves the real cursor, which the offscreen platform does not have.
    nothing = Qt.MouseButton.NoButton
    move = QMouseEvent(
        QEvent.Type.MouseMove, middle, box.canvas.mapToGlobal(middle), nothing, nothing, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(box.canvas, move)
    assert box.coordinates.text() == f"page x {expected[0]}  y {expected[1]}"


def test_a_picture_of_an_earlier_run_tells_its_own_pixels(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    shot = instance.shots.add(png(40, 20), name="old", tab_id="", format="png")
    box = opened(shot, theme, pictures, parent, qtbot)
    box.canvas.pointed.emit(QPointF(7, 8))
    assert box.coordinates.text() == "picture x 7  y 8"
    box.canvas.pointed.emit(None)
    assert box.coordinates.text() == ""


def test_fit_follows_the_window_and_a_hundred_percent_does_not(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    box = opened(add(instance), theme, pictures, parent, qtbot)
    assert box.area.is_fit
    assert box.area.zoom < 1
    before = box.area.zoom
    box.resize(500, 300)
    qtbot.waitUntil(lambda: box.area.zoom < before)
    box.zoom.buttons[1].click()
    assert box.canvas.width() == int(1600 / box.devicePixelRatioF())
    box.zoom.buttons[0].click()
    assert box.area.is_fit


def test_copy_and_save_give_the_picture_itself(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    shot = add(instance)
    box = opened(shot, theme, pictures, parent, qtbot)
    copyfile, threads = shutil.copyfile, list[threading.Thread]()

    def copying(source: Path, path: Path) -> None:
        threads.append(threading.current_thread())
        copyfile(source, path)

    monkeypatch.setattr(shutil, "copyfile", copying)
    box.copy()
    qtbot.waitUntil(lambda: said(box) == ["Picture copied"])
    assert QGuiApplication.clipboard().image().width() == 1600
    assert QGuiApplication.clipboard().mimeData().data("image/png").data() == shot.path.read_bytes()
    with qtbot.waitSignal(box.saved) as saved:
        box.save(str(tmp_path / "kept.png"))
    assert saved.args == [str(tmp_path / "kept.png")]
    assert said(box)[-1] == f"Saved: {tmp_path / 'kept.png'}"
    assert threads != []
    assert threading.main_thread() not in threads
    assert (tmp_path / "kept.png").read_bytes() == shot.path.read_bytes()
    with qtbot.waitSignal(box.failed):
        box.save(str(tmp_path / "no" / "folder.png"))
    assert said(box)[-1].startswith("Saving failed: ")


def test_the_folder_of_what_was_saved_can_be_shown(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    shown: list[str] = []
    answers = iter((True, False))

    def open_url(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return next(answers)

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    box = opened(add(instance), theme, pictures, parent, qtbot)
    with qtbot.waitSignal(box.saved):
        box.save(str(tmp_path / "kept.png"))
    button = next(one for one in box.toasts.findChildren(QPushButton) if one.text() == "Show in folder")
    button.click()
    assert shown == [str(tmp_path)]
    assert len(said(box)) == 1
    button.click()
    assert said(box)[-1].startswith("The folder did not open: ")
    assert said(box)[-1].endswith(str(tmp_path))


def test_the_head_is_whole_while_there_is_room(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    shot = instance.shots.add(png(800, 600), name="Checkout", tab_id="t", format="png", width=800, height=600)
    box = opened(shot, theme, pictures, parent, qtbot)
    box.resize(640, 420)
    qtbot.waitUntil(lambda: box.width() == 640)
    QApplication.processEvents()
    cut = [one.text() for one in box.findChildren(ElidedLabel) if one.toolTip()]
    assert cut == []


def test_save_asks_without_blocking(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    box = opened(add(instance), theme, pictures, parent, qtbot)
    box.ask_where()
    dialog = box.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.reject()


def test_a_picture_that_is_gone_says_so(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    shot = add(instance)
    shot.path.unlink()
    box = Lightbox(shot, theme, pictures, parent)
    qtbot.waitUntil(lambda: "no longer kept" in box.coordinates.text())


def test_one_that_is_closed_before_its_picture_came_is_no_trouble(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    box = Lightbox(add(instance), theme, pictures, parent)
    with qtbot.waitSignal(box.destroyed):
        box.close()
    qtbot.wait(100)


def test_a_place_is_told_from_the_corner_of_the_page_however_it_was_scrolled(
    instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot
) -> None:
    shot = instance.shots.add(
        png(500, 1568), name="full", tab_id="t1", format="png", width=500, height=1568, scale=0.5, y=-200, scroll_y=200
    )
    assert opened(shot, theme, pictures, parent, qtbot).page_position(QPointF(10, 1000)) == (20, 2000)


def test_a_picture_of_no_store_is_shown_and_saved_and_neither_opened_nor_deleted(
    theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot, tmp_path: Path
) -> None:
    shot = Shot(Path(), "cart.png", "cart.png", "", 0.0, 1)
    box = Lightbox(shot, theme, pictures, parent, png(40, 20))
    box.show()
    qtbot.waitUntil(lambda: box.canvas.image.width() == 40)
    names = [button.accessibleName() for button in box.findChildren(QToolButton)]
    assert names == ["Copy (Ctrl+C)", "Save (Ctrl+S)"]
    box.save(str(tmp_path / "kept.png"))
    kept = tmp_path / "kept.png"
    qtbot.waitUntil(lambda: kept.exists() and kept.read_bytes() == png(40, 20))


@pytest.mark.parametrize(
    ("picture", "window"),
    [
        ((40, 30), (640, 420)),
        ((900, 600), (902, 642)),
        ((4000, 30), (1280, 420)),
        ((30, 4000), (640, 800)),
        ((4000, 4000), (1280, 800)),
    ],
)
def test_it_opens_as_large_as_its_picture_but_neither_tiny_nor_larger_than_the_screen(
    picture: tuple[int, int],
    window: tuple[int, int],
    instance: Instance,
    theme: Theme,
    pictures: Pictures,
    parent: QWidget,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = SimpleNamespace(availableSize=lambda: QSize(1600, 1000))
    monkeypatch.setattr(parent, "screen", lambda: screen)
    box = opened(add(instance, *picture), theme, pictures, parent, qtbot)
    assert box.size() == QSize(*window)
    if picture == (900, 600):
        assert box.area.zoom == 1.0, "all of it in its own size"
