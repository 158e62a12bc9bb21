"""What the buttons have done: started, taken, opened, copied, and said so."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.errors import KaptureError
from kapture_panel.window.main_window import MainWindow
from tests.window.fakes import Instance, picture, png
from tests.window.qt_loop import on_qt_loop, settle, until


@on_qt_loop
async def test_the_browser_is_started_once_and_its_tab_chosen(window: MainWindow, instance: Instance) -> None:
    instance.executor.may_open.clear()
    window.toolbar.start_button.click()
    window.tabs.start_button.click()
    assert not window.toolbar.start_button.isEnabled()
    assert window.toolbar.start_button.text() == "Starting …"
    instance.executor.may_open.set()
    await until(window.toolbar.start_button.isEnabled)
    assert instance.executor.opened == 1
    assert window.tabs.current is not None


@on_qt_loop
async def test_a_browser_that_does_not_start_is_told_until_it_is_read(window: MainWindow, instance: Instance) -> None:
    instance.executor.open_error = KaptureError("INTERNAL", "no Chromium was found; install one")
    window.errands.start_browser()
    await until(window.toolbar.start_button.isEnabled)
    await settle()
    (toast,) = window.toasts.shown
    assert toast.accessibleName() == "Start browser failed: INTERNAL: no Chromium was found; install one"
    assert toast.is_error


@on_qt_loop
async def test_a_picture_is_taken_of_the_tab_there_is(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance.executor.answers["screenshot"] = picture(png(40, 30), 40, 30)
    told: list[str] = []
    monkeypatch.setattr(window.tray, "notify", lambda _title, text: told.append(text))
    window.errands.take_picture(None)
    await until(lambda: window.toasts.shown)
    assert "TAB_NOT_FOUND" in window.toasts.shown[0].accessibleName()
    instance.add_tab("t1", "Checkout")
    window.errands.take_picture(None)
    await until(lambda: len(list(instance.shots)) == 1, "the picture")
    assert told == []
    window.hide()
    window.errands.take_picture(instance.tabs.get("t1"))
    await until(lambda: told == ["Checkout"], "the words in the tray")


@on_qt_loop
async def test_a_kept_picture_opens_in_a_tab_and_a_tab_is_closed(window: MainWindow, instance: Instance) -> None:
    shot = instance.shots.add(png(), name="pay", tab_id="t1", format="png", width=40, height=20)
    window.errands.open_picture(shot)
    await until(lambda: any(command == "kapturemcp_new_tab" for _, command, _ in instance.executor.sent))
    assert instance.executor.sent[-1][2]["url"] == shot.path.resolve().as_uri()
    tab = instance.add_tab("t1")
    window.errands.run_on(tab, "kapturemcp_close_tab")
    await until(lambda: instance.executor.sent[-1][:2] == ("t1", "kapturemcp_close_tab"))


def test_what_is_copied_is_said(window: MainWindow) -> None:
    window.errands.copy("abc", "Address copied")
    assert QApplication.clipboard().text() == "abc"
    assert [toast.title for toast in window.toasts.shown] == ["Address copied"]
