"""A logout ends the program; it does not hide it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell.main_window import MainWindow


class Manager:
    """What a session manager hands over, as far as it is used."""

    hint: QSessionManager.RestartHint | None = None

    def setRestartHint(self, hint: QSessionManager.RestartHint) -> None:
        self.hint = hint


@pytest.fixture(autouse=True)
def in_a_tray(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))


def test_who_ends_the_program_from_outside_gets_its_orderly_end(
    window: MainWindow, qapp: QApplication, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.quit_requested):
        QCoreApplication.sendEvent(qapp, QEvent(QEvent.Type.Quit))
    assert window.isHidden()


def test_a_window_that_is_closed_while_the_session_ends_does_not_hide(window: MainWindow, qtbot: QtBot) -> None:
    manager = Manager()
    window.session_end.on_commit(manager)  # type: ignore[arg-type]
    assert manager.hint is QSessionManager.RestartHint.RestartNever
    with qtbot.waitSignal(window.quit_requested):
        window.close()
