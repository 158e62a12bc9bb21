"""The icon's states and its menu; on a real tray in e2e/test_desktop.py."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.shell.tray import MARKS, MAX_RECENT, state_icon
from kapture_panel.window.widgets.app import ICON_SIZES_PX, app_icon
from kapture_panel.window.widgets.theme import Theme
from tests.support.window import fakes
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


def picture(state: str, theme: Theme, size_px: int) -> QImage:
    return state_icon(app_icon(), state, theme).pixmap(size_px, size_px).toImage()


@pytest.mark.parametrize("size_px", ICON_SIZES_PX)
def test_every_state_looks_different_in_every_size(size_px: int, theme: Theme) -> None:
    pictures = [picture(state, theme, size_px) for state in MARKS]
    assert all(one != other for at, one in enumerate(pictures) for other in pictures[:at])


def test_a_mark_stands_off_from_the_icon_and_looks_the_same_in_light_and_dark(theme: Theme) -> None:
    light = picture("driving", theme, 48)
    assert light.pixelColor(35, 35) == theme.vivid("driving")
    assert light.pixelColor(22, 36).alpha() < 255  # the ring around it shows the desktop's panel
    theme.set_mode("dark")
    assert picture("driving", theme, 48) == light
    assert theme.vivid("driving") == QColor(theme.color("driving"))


@on_qt_loop
async def test_the_latest_tabs_are_in_the_menu_and_a_click_chooses_one(window: MainWindow, instance: Instance) -> None:
    tray = window.tray
    assert not tray.recent.isEnabled()
    assert not window.shell.actions["shoot"].isEnabled()
    for number in range(MAX_RECENT + 2):
        instance.add_tab(f"t{number}", f"Tab & <b>{number}</b>")
    await until(lambda: len(tray.recent.actions()) == MAX_RECENT)
    assert tray.recent.actions()[0].text() == f"Tab && <b>{MAX_RECENT + 1}</b>"
    await instance.router.run(instance.add_agent(), "click", {"selector": "#a", "tabId": "t3"})
    await until(lambda: tray.recent.actions()[0].data() == "t3")
    instance.tabs.remove(instance.tabs.get("t3"))
    await until(lambda: all(action.data() != "t3" for action in tray.recent.actions()))
    window.hide()
    tray.recent.actions()[2].trigger()
    assert window.isVisible()
    assert window.rooms.tabs.current is not None
    assert window.rooms.tabs.current.tab_id == tray.recent.actions()[2].data()


@on_qt_loop
async def test_an_open_list_of_recent_tabs_stays_as_it_is(window: MainWindow, instance: Instance) -> None:
    recent = window.tray.recent
    for number in range(1, 4):
        instance.add_tab(f"t{number}")
    await until(lambda: len(recent.actions()) == 3)
    recent.popup(QPoint())
    shown = recent.actions()
    instance.tabs.begin(instance.tabs.get("t2"), "claude-code")
    instance.tabs.remove(instance.tabs.get("t3"))
    await settle()
    assert recent.actions() == shown
    assert [action.data() for action in shown] == ["t3", "t2", "t1"]
    QTest.mouseClick(recent, Qt.MouseButton.LeftButton, pos=recent.actionGeometry(shown[-1]).center())
    assert window.rooms.tabs.current is instance.tabs.get("t1")
    await until(lambda: [action.data() for action in recent.actions()] == ["t2", "t1"])
    instance.tabs.begin(instance.tabs.get("t1"), "claude-code")
    recent.popup(QPoint())
    assert [action.data() for action in recent.actions()] == ["t1", "t2"], "as it is when it opens"
    recent.close()


@on_qt_loop
async def test_the_list_of_recent_tabs_is_made_anew_only_when_it_says_something_else(
    window: MainWindow, instance: Instance
) -> None:
    recent = window.tray.recent
    first, second = instance.add_tab("t1", "One"), instance.add_tab("t2", "Two")
    await until(lambda: len(recent.actions()) == 2)
    shown = recent.actions()
    instance.tabs.begin(second, "claude-code")
    await settle()
    assert recent.actions() == shown
    instance.tabs.update(first, title="Three")
    await until(lambda: [action.text() for action in recent.actions()] == ["Two", "Three"])


@on_qt_loop
async def test_a_picture_of_the_tab_in_use_is_taken_without_the_window(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.executor.answers["screenshot"] = fakes.picture(fakes.png(), 40, 20)
    await until(window.shell.actions["shoot"].isEnabled)
    window.hide()
    window.shell.actions["shoot"].trigger()
    await until(lambda: [toast.title for toast in window.shell.toasts.shown] == ["Screenshot taken"])
    assert [sent[:2] for sent in instance.executor.sent] == [("t1", "kapturemcp_screenshot")]
    assert window.isHidden()


@on_qt_loop
async def test_the_desktop_is_told_the_state_when_it_is_another(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(window.tray._icon, "setToolTip", told.append)
    window.shell.theme.set_mode("dark")
    assert told == []
    instance.core.gates.pause.hold()
    assert told == ["Kapture Panel: agents are paused"]
