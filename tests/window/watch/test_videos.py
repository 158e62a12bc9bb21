"""That the watched tab is recorded is said above it, and the person begins and stops it there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from kapture_panel.core.registry.clients import Client
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


@on_qt_loop
async def test_a_tab_that_an_agent_records_says_so_and_a_button_stops_it(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1", "Checkout")
    instance.add_tab("t2", "Other")
    window.rooms.tabs.choose("t1")
    view = window.rooms.watch.view
    window.shell.show_way(view)
    await settle()
    assert view.recorded.isHidden()
    instance.videos.record("t1", Client("claude-code", "agent"))
    assert view.recorded.words.text() == "claude-code is recording a video."
    assert view.line.video.isHidden()
    window.rooms.tabs.choose("t2")
    assert view.recorded.isHidden(), "it is another tab"
    window.rooms.tabs.choose("t1")
    (stop,) = view.recorded.buttons
    assert stop.text() == "Stop recording"
    QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    await until(lambda: instance.executor.sent)
    tab_id, command, params = instance.executor.sent[-1]
    assert (command.removeprefix("kapturemcp_"), tab_id, params["stop"]) == ("record_video", "t1", True)
    instance.videos.record("t1", None)
    assert view.recorded.isHidden()


@on_qt_loop
async def test_the_person_records_and_is_told_where_the_video_is(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1", "Checkout")
    view = window.rooms.watch.view
    window.shell.show_way(view)
    await settle()
    QTest.mouseClick(view.line.video, Qt.MouseButton.LeftButton)
    await until(lambda: instance.executor.sent)
    _tab_id, command, params = instance.executor.sent[-1]
    assert (command.removeprefix("kapturemcp_"), params["stop"], params["seconds"]) == ("record_video", False, 600)
    instance.videos.record("t1", instance.person)
    assert view.recorded.words.text() == "You are recording a video."
    instance.videos.over.emit(instance.person, "/videos/a.webm", "its time was over")
    told = [toast.accessibleName() for toast in window.shell.toasts.shown]
    assert any("Video saved: its time was over" in one and "/videos/a.webm" in one for one in told)
    ways = {button.text() for toast in window.shell.toasts.shown for button in toast.findChildren(QPushButton)}
    assert {"Open", "Open folder"} <= ways
    instance.videos.over.emit(Client("claude-code", "agent"), "/videos/b.webm", "stopped")
    assert not any("b.webm" in toast.accessibleName() for toast in window.shell.toasts.shown)
