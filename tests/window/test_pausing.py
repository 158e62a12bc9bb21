"""The brake in the window: one action, seen in toolbar, menu, tray and the list of tabs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, until


@on_qt_loop
async def test_the_person_pauses_and_resumes_and_sees_it_everywhere(window: MainWindow, instance: Instance) -> None:
    pause, agent = instance.router.gates.pause, instance.add_agent()
    instance.add_tab("t1")
    button = window.toolbar.pause_button
    assert (button.text(), window.tray.state) == ("Pause agents", "idle")
    button.click()
    assert pause.is_on
    assert (button.text(), button.accessibleName(), window.tray.state) == ("Resume agents", "Resume agents", "paused")
    assert window.tray.tooltip == "Kapture Panel: agents are paused"
    assert window.toolbar.driving.text() == "❚❚ Agents are paused"
    assert "Resume agents" in [action.text() for action in window.tray.menu.actions()]
    with pytest.raises(KaptureError) as error:
        await instance.router.run(agent, "reload", {"tabId": "t1"})
    assert error.value.code == "PAUSED"
    await instance.router.run(instance.person, "reload", {"tabId": "t1"})
    tab = instance.tabs.get("t1")
    instance.tabs.update(tab, state="paused")
    await until(
        lambda: "paused" in window.rooms.tabs.view.list.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    )
    window.shell.actions["pause"].trigger()
    assert not pause.is_on
    assert (button.text(), window.tray.state) == ("Pause agents", "idle")
    assert "Pause agents" in [action.text() for action in window.tray.menu.actions()]
    assert not window.toolbar.driving.isVisibleTo(window.toolbar)


@on_qt_loop
async def test_the_popup_of_the_extension_is_followed(window: MainWindow, instance: Instance) -> None:
    instance.router.gates.pause.hold()
    assert window.toolbar.pause_button.text() == "Resume agents"
    instance.router.gates.pause.lift()
    assert window.toolbar.pause_button.text() == "Pause agents"


@on_qt_loop
async def test_the_person_hands_a_tab_over_and_releases_it(window: MainWindow, instance: Instance) -> None:
    one, other = instance.add_agent("one & all"), instance.add_agent("other")
    tab = instance.add_tab("t1")
    await instance.router.run(one, "reload", {"tabId": "t1"})
    with pytest.raises(KaptureError) as error:
        await instance.router.run(other, "reload", {"tabId": "t1"})
    assert error.value.code == "TAB_LEASED"
    await instance.router.run(other, "snapshot", {"tabId": "t1"})
    await instance.router.run(instance.person, "reload", {"tabId": "t1"})
    menu = window.rooms.tabs.view.menu_for(tab)
    (choices,) = menu.findChildren(QMenu)
    assert [action.text() for action in choices.actions()] == ["other"]
    choices.actions()[0].trigger()
    await instance.router.run(other, "reload", {})
    with pytest.raises(KaptureError, match="held by 'other'"):
        await instance.router.run(one, "reload", {"tabId": "t1"})
    words = {action.text(): action for action in window.rooms.tabs.view.menu_for(tab).actions()}
    words["Release from other"].trigger()
    await instance.router.run(one, "reload", {"tabId": "t1"})
