"""What happens by itself is told."""

from __future__ import annotations

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance, ok
from tests.support.window.qt_loop import on_qt_loop


def told(window: MainWindow) -> list[str]:
    return [toast.accessibleName() for toast in window.shell.toasts.shown]


def test_a_crashed_tab_is_an_error(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1", "Shop <b>\u202e")
    instance.tabs.crashed.emit(tab)
    assert told(window) == ["A tab crashed: “Shop <b>” shows nothing. Reload it, or open another address in it."]
    assert window.shell.toasts.notices.unread == 1


def test_the_shared_browser_is_missed_and_a_conversations_own_is_not(window: MainWindow, instance: Instance) -> None:
    instance.tabs.browser_ended.emit("conversation")
    assert told(window) == []
    instance.tabs.browser_ended.emit("")
    assert told(window) == ["The browser ended: Start browser opens it again."]


@on_qt_loop
async def test_downloads_are_told_when_they_are_whole_or_given_up(window: MainWindow, instance: Instance) -> None:
    instance.add_tab()
    downloads = [
        {"fileName": "a.pdf", "state": "completed", "bytes": 48_000, "path": "/downloads/a (1).pdf"},
        {"fileName": "b.zip", "state": "canceled"},
        {"fileName": "c.iso", "state": "inProgress", "bytes": 12},
    ]
    instance.executor.answers["click"] = ok({"clicked": True}, {"changed": True, "downloads": downloads})
    await instance.router.run(instance.add_agent("codex"), "click", {"selector": "#a"})
    assert told(window) == [
        "Agent “codex” connected: ",
        "Download finished: a (1).pdf · 48 kB",
        "Download cancelled: b.zip",
    ]
