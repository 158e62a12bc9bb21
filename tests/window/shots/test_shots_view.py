"""Screenshots as cards: of all tabs or of one, opened and deleted by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.window.shots.lightbox import Lightbox
from kapture_panel.window.shots.shots_model import PLACE, ShotsModel
from kapture_panel.window.shots.shots_view import ShotsView
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.subscriptions import Subscriptions
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


def add(instance: Instance, tab_id: str, name: str = "shot", width: int = 1600, height: int = 1200) -> Shot:
    data = png(width, height)
    tab = instance.tabs.find(tab_id)
    return instance.shots.add(
        data,
        name=name,
        tab_id=tab_id,
        format="png",
        width=width,
        height=height,
        scale=2.0,
        x=100,
        title=tab.title if tab is not None else "",
    )


@pytest.fixture
def view(
    instance: Instance, theme: Theme, pictures: Pictures, subscriptions: Subscriptions, parent: QWidget, qtbot: QtBot
) -> ShotsView:
    instance.add_tab("t1", "<b>Shop</b>\u202e")
    instance.add_tab("t2", "Mail")
    made = ShotsView(ShotsModel(instance.shots, instance.tabs, pictures, subscriptions, parent), theme)
    qtbot.addWidget(made)
    qtbot.addWidget(made.title_bar)
    made.resize(300, 400)
    made.show()
    made.title_bar.show()
    return made


def names(view: ShotsView) -> list[str]:
    model = view.view.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_nothing_covers_the_picture_of_a_card(view: ShotsView, instance: Instance, qtbot: QtBot) -> None:
    add(instance, "t1", "checkout", width=1280, height=713)
    index = view.view.model().index(0, 0)
    qtbot.waitUntil(lambda: index.data(Qt.ItemDataRole.DecorationRole) is not None)
    card = view.view.visualRect(index)
    image = view.view.viewport().grab(card).toImage()
    columns = range(8, image.width() - 8)
    # Above the two lines of the caption.
    rows = range(8, image.height() - 50)
    assert {image.pixelColor(x, y).name() for x in columns for y in rows} == {"#336699"}


def test_a_card_tells_the_title_the_page_had_then(view: ShotsView, instance: Instance) -> None:
    add(instance, "t1", "first")
    instance.tabs.update(instance.tabs.get("t1"), title="Thank you", url="https://shop.example/thanks")
    add(instance, "t1", "second")
    model = view.view.model()
    assert [model.index(row, 0).data(PLACE)[0] for row in range(2)] == ["Thank you", "<b>Shop</b>"]
    assert "Shop" in model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    instance.tabs.remove(instance.tabs.get("t1"))
    assert model.index(1, 0).data(PLACE) == ("<b>Shop</b>", "1600 × 1200")
    view.grab()


def test_after_a_restart_a_card_has_its_name_and_title_and_never_an_id(
    instance: Instance, theme: Theme, pictures: Pictures, subscriptions: Subscriptions, parent: QWidget, qtbot: QtBot
) -> None:
    instance.add_tab("tk3x9", "Shop: all of it?")
    add(instance, "tk3x9", "full page")
    add(instance, "unknown", "other")
    again = Shots(instance.shots.folder)
    view = ShotsView(ShotsModel(again, Tabs(), pictures, subscriptions, parent), theme)
    qtbot.addWidget(view)
    qtbot.addWidget(view.title_bar)
    cards = {view.view.model().index(row, 0) for row in range(2)}
    assert {(card.data(), card.data(PLACE)[0]) for card in cards} == {("full page", "Shop: all of it?"), ("other", "")}
    shown = [view.choice.itemText(at) for at in range(view.choice.count())]
    assert set(shown) == {"All tabs", "a tab that is gone", "Shop: all of it?"}
    said = " ".join(str(card.data(Qt.ItemDataRole.AccessibleTextRole)) for card in cards)
    assert "tk3x9" not in said
    assert "unknown" not in said


def test_the_cards_of_one_tab_can_be_shown_alone(view: ShotsView, instance: Instance) -> None:
    add(instance, "t1", "one")
    assert not view.choice.isVisible()
    add(instance, "t2", "two")
    assert [view.choice.itemText(at) for at in range(view.choice.count())] == ["All tabs", "Mail", "<b>Shop</b>"]
    view.choice.setCurrentIndex(1)
    view.choice.activated.emit(1)
    assert names(view) == ["two"]
    add(instance, "t1", "three")
    assert names(view) == ["two"]
    add(instance, "t2", "four")
    assert names(view) == ["four", "two"]
    assert view.choice.currentText() == "Mail"
    view.choice.activated.emit(0)
    assert names(view) == ["four", "three", "two", "one"]


def test_delete_asks_for_the_removal_and_the_menu_does_too(view: ShotsView, instance: Instance, qtbot: QtBot) -> None:
    shot = add(instance, "t1")
    removed: list[object] = []
    view.removed.connect(removed.append)
    view.activateWindow()
    view.view.setFocus()
    qtbot.waitUntil(view.view.hasFocus)
    view.view.setCurrentIndex(view.view.model().index(0, 0))
    QTest.keyClick(view.view, Qt.Key.Key_Delete)
    menu = view.menu_of(shot)
    next(action for action in menu.actions() if action.text() == "Delete").trigger()
    assert removed == [shot, shot]
    instance.shots.remove(shot)
    assert names(view) == []


@pytest.fixture
def box(instance: Instance, theme: Theme, pictures: Pictures, parent: QWidget, qtbot: QtBot) -> Lightbox:
    made = Lightbox(add(instance, "t1"), theme, pictures, parent)
    made.show()
    made.resize(640, 480)
    qtbot.waitUntil(lambda: not made.canvas.image.isNull())
    return made


def test_a_click_tells_the_place_in_the_page_and_a_drag_moves_instead(box: Lightbox) -> None:
    aimed: list[tuple[float, float]] = []
    box.aimed.connect(lambda x, y: aimed.append((x, y)))
    middle = box.canvas.rect().center()
    QTest.mouseClick(box.canvas, Qt.MouseButton.LeftButton, pos=middle)
    assert list(aimed[0]) == pytest.approx([500, 300], abs=3)
    box.area.set_zoom(3.0)
    before = box.area.horizontalScrollBar().value()
    QTest.mousePress(box.canvas, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(box.canvas, middle - QPoint(60, 0))
    QTest.mouseRelease(box.canvas, Qt.MouseButton.LeftButton, pos=middle - QPoint(60, 0))
    assert box.area.horizontalScrollBar().value() == before + 60
    assert len(aimed) == 1


def test_the_keys_zoom_and_fit(box: Lightbox) -> None:
    box.activateWindow()
    fitted = box.area.zoom
    QTest.keyClick(box, Qt.Key.Key_Plus)
    assert box.area.zoom == pytest.approx(fitted * 1.25)
    QTest.keyClick(box, Qt.Key.Key_Minus)
    assert box.area.zoom == pytest.approx(fitted)
    QTest.keyClick(box, Qt.Key.Key_0)
    assert box.area.zoom == 1.0
    QTest.keyClick(box, Qt.Key.Key_F)
    assert box.area.is_fit


def test_the_wheel_zooms_around_the_cursor(box: Lightbox) -> None:
    box.area.set_zoom(1.0)
    at = QPointF(120, 90)
    before = box.canvas.pixel_at(QPointF(box.canvas.mapFrom(box.area.viewport(), at.toPoint())))
    nothing = Qt.MouseButton.NoButton
    turn = QWheelEvent(
        at, box.area.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120), nothing,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box.area.viewport(), turn)
    assert box.area.zoom == pytest.approx(1.25)
    after = box.canvas.pixel_at(QPointF(box.canvas.mapFrom(box.area.viewport(), at.toPoint())))
    assert [after.x(), after.y()] == pytest.approx([before.x(), before.y()], abs=2)


def test_open_and_delete_are_asked_for(box: Lightbox) -> None:
    asked: list[str] = []
    box.open_asked.connect(lambda: asked.append("open"))
    box.remove_asked.connect(lambda: asked.append("remove"))
    box.activateWindow()
    QTest.keyClick(box, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(box, Qt.Key.Key_Delete)
    assert asked == ["open", "remove"]
