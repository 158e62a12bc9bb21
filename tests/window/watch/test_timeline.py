"""What was done in the watched tab: scrubbed through, looked at, exported."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.watch.timeline import Timeline
from kapture_panel.window.watch.timeline_model import GAP, IS_BARE
from kapture_panel.window.widgets.roles import ITEM, TONE
from tests.support.window.contents import page_picture
from tests.support.window.fakes import Instance
from tests.support.window.history import put
from tests.support.window.qt_loop import on_qt_loop, settle, until

DECORATION = int(Qt.ItemDataRole.DecorationRole)


def recorded(instance: Instance, color: str, session: str = "") -> str:
    """The name of a picture that the recorder took."""
    picture = page_picture("page", color)
    shot = instance.recordings.add(picture, name="t1", tab_id="t1", format="png", session=session)
    return shot.path.name


def done(instance: Instance, command: str, at: float = 0, **fields: Any) -> Row:
    """A command that is over, begun so many seconds after the first."""
    row = put(instance, command, **fields)
    row.at = 1_700_000_000 + at
    instance.history.settle(row)
    return row


async def watched(window: MainWindow, instance: Instance) -> Timeline:
    """A tab in which three things were done, and one elsewhere."""
    done(instance, "click", before=recorded(instance, "#ff0000"), after=recorded(instance, "#00aa00"), ms=500,
         targets=[{"role": "button", "name": "Pay"}])  # fmt: skip
    done(instance, "snapshot", 1)
    done(instance, "fill", 2, state="error", code="STALE_REF")
    done(instance, "a_command_of_long_ago", 2)
    done(instance, "click", 3, tab_id="t2")
    done(instance, "navigate", 200)
    instance.add_tab("t1", "Checkout")
    await settle()
    window.activateWindow()
    window.shell.show_way(window.rooms.watch.view)
    timeline = window.rooms.watch.view.timeline
    await until(lambda: len(timeline.model.ids) >= 3)
    return timeline


def rows(timeline: Timeline) -> list[Row | None]:
    model = timeline.model
    return [model.index(number).data(ITEM) for number in range(model.rowCount())]


def said(timeline: Timeline, role: int = int(Qt.ItemDataRole.DisplayRole)) -> list[Any]:
    model = timeline.model
    return [model.index(number).data(role) for number in range(model.rowCount())]


@on_qt_loop
async def test_what_was_done_in_the_tab_stands_in_order_with_gaps_and_errors(
    window: MainWindow, instance: Instance
) -> None:
    timeline = await watched(window, instance)
    assert said(timeline) == ["✓ Click", "✗ Fill a field", "✓ Navigate", "Live"]
    assert said(timeline, GAP)[:3] == ["", "", "3 min"]
    assert said(timeline, TONE)[:2] == ["ok", "error"]
    assert said(timeline, IS_BARE)[:2] == [False, True], "of the second there is no picture"
    assert timeline.row is None
    assert "Pay" in said(timeline, int(Qt.ItemDataRole.AccessibleTextRole))[0]


@on_qt_loop
async def test_one_scrubs_back_sees_before_and_after_and_is_live_again(window: MainWindow, instance: Instance) -> None:
    timeline = await watched(window, instance)
    view = window.rooms.watch.view
    timeline.strip.setFocus()
    QTest.keyClick(timeline.strip, Qt.Key.Key_Home)
    assert timeline.row is rows(timeline)[0]
    await until(lambda: len(view.past.images) == 2)
    colors = [image.pixelColor(5, 5) for image in view.past.images]
    assert [color.red() > color.green() for color in colors] == [True, False], "before, then after"
    assert (view.page.isVisible(), view.past.isVisible(), instance.watching.wanted) == (False, True, {})
    assert view.line.what.text().endswith("“Pay”")
    QTest.keyClick(timeline.strip, Qt.Key.Key_Right)
    assert view.past.images == [], "no picture of it was recorded"
    QTest.keyClick(timeline.strip, Qt.Key.Key_Escape)
    assert (timeline.row, view.page.isVisible(), view.band.isVisible()) == (None, True, False)
    assert list(instance.watching.wanted) == ["t1"]


@on_qt_loop
async def test_pictures_of_an_isolated_conversation_are_seen(window: MainWindow, instance: Instance) -> None:
    before, after = (recorded(instance, color, "0123456789ab") for color in ("#ff0000", "#00aa00"))
    done(instance, "click", before=before, after=after)
    timeline = await watched(window, instance)
    await until(lambda: all(image and not image.isNull() for image in said(timeline, DECORATION)[:2]))
    timeline.strip.setFocus()
    QTest.keyClick(timeline.strip, Qt.Key.Key_Home)
    await until(lambda: [image.isNull() for image in window.rooms.watch.view.past.images] == [False, False])


@on_qt_loop
async def test_dragging_scrubs(window: MainWindow, instance: Instance) -> None:
    timeline = await watched(window, instance)
    strip = timeline.strip
    places = [strip.visualRect(timeline.model.index(number)).center() for number in range(3)]
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(strip.viewport(), left, pos=places[2])
    for at in (1, 0):
        QTest.mouseMove(strip.viewport(), places[at])
        await settle(0.02)
        assert timeline.row is rows(timeline)[at]
    QTest.mouseRelease(strip.viewport(), left, pos=places[0])


@on_qt_loop
async def test_what_is_done_meanwhile_comes_at_the_right_and_moves_nobody(
    window: MainWindow, instance: Instance
) -> None:
    timeline = await watched(window, instance)
    timeline.strip.setCurrentIndex(timeline.model.index(0))
    chosen = timeline.row
    row = done(instance, "type", 210)
    await until(lambda: said(timeline)[-2:] == ["✓ Type key by key", "Live"])
    assert timeline.row is chosen
    timeline.strip.go_live()
    row.after = recorded(instance, "#0000ff")  # the recorder takes it behind the answer
    instance.history.settle(row)
    await until(lambda: timeline.model.index(3).data(int(Qt.ItemDataRole.DecorationRole)) is not None)
    assert timeline.row is None
    done(instance, "get_visible_text", 211)
    await settle()
    assert len(rows(timeline)) == 5, "looking is not shown"


@on_qt_loop
async def test_what_is_forgotten_is_neither_shown_nor_stays_in_sight(window: MainWindow, instance: Instance) -> None:
    timeline = await watched(window, instance)
    timeline.strip.setCurrentIndex(timeline.model.index(1))
    assert timeline.row is not None
    instance.history.forget("id = ?", (timeline.row.id,))
    assert said(timeline) == ["✓ Click", "✓ Navigate", "Live"]
    assert timeline.row is None
    assert window.rooms.watch.view.page.isVisible()
    timeline.strip.setCurrentIndex(timeline.model.index(0))
    instance.history.forget("1", ())
    assert (timeline.row, timeline.isVisible()) == (None, False)


@on_qt_loop
async def test_another_tab_has_its_own_and_begins_live(window: MainWindow, instance: Instance) -> None:
    timeline = await watched(window, instance)
    timeline.strip.setCurrentIndex(timeline.model.index(0))
    instance.add_tab("t2", "Other")
    window.rooms.tabs.choose("t2")
    await until(lambda: said(timeline) == ["✓ Click", "Live"])
    assert timeline.row is None
    window.rooms.watch.view.step_button.click()
    await until(lambda: window.rooms.watch.view.hands.is_on)
    timeline.strip.setCurrentIndex(timeline.model.index(0))
    assert window.rooms.watch.view.band.words.text().startswith("As it was at")


@on_qt_loop
async def test_a_row_is_shown_in_the_history_whatever_is_filtered(window: MainWindow, instance: Instance) -> None:
    timeline = await watched(window, instance)
    history = window.rooms.history.view
    history.filter.setText("cmd:navigate")
    await until(lambda: history.table.model().rowCount() == 1)
    row, other = rows(timeline)[1:3]
    assert row is not None
    assert other is not None
    other.at = row.at  # both are said alike
    timeline.strip.setCurrentIndex(timeline.model.index(2))
    timeline.strip.setCurrentIndex(timeline.model.index(1))
    next(button for button in window.rooms.watch.view.band.buttons if button.text() == "Show row").click()
    assert history.detail.row is not None
    assert history.detail.row.id == row.id
    await until(lambda: history.chosen is not None and history.chosen.id == row.id)


@on_qt_loop
async def test_it_is_exported_as_a_recording_and_pictures_begin_with_a_button(
    window: MainWindow, instance: Instance
) -> None:
    timeline = await watched(window, instance)
    timeline.export_button.click()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    path = instance.folder / "done.html"
    dialog.fileSelected.emit(str(path))
    await until(path.exists)
    await until(lambda: "3 commands" in path.read_text(encoding="utf-8"))
    dialog.close()
    timeline.strip.setCurrentIndex(timeline.model.index(1))
    view = window.rooms.watch.view
    next(button for button in view.band.buttons if button.text() == "Record pictures from now on").click()
    assert window.rooms.history.view.options.record.isChecked()
    assert timeline.row is None


@on_qt_loop
async def test_a_strip_without_pictures_says_what_fills_it_and_offers_it(
    window: MainWindow, instance: Instance
) -> None:
    done(instance, "click")
    instance.add_tab("t1", "Checkout")
    window.shell.show_way(window.rooms.watch.view)
    timeline = window.rooms.watch.view.timeline
    await until(timeline.why_empty.isVisible, "why it is empty")
    QTest.mouseClick(timeline.record, Qt.MouseButton.LeftButton)
    assert window.rooms.history.view.options.record.isChecked()
    assert not timeline.why_empty.isVisible()
    window.rooms.history.view.options.record.setChecked(False)
    assert timeline.why_empty.isVisible()
    done(instance, "click", 1, after=recorded(instance, "#00aa00"))
    await until(lambda: not timeline.why_empty.isVisible(), "a picture")
