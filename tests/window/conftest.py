"""The window on the offscreen platform, over a whole instance in a temporary folder."""

from __future__ import annotations

import os

from tests.support.window.qt_loop import bury

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kapture_panel import paths
from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import toasts
from kapture_panel.window.widgets.app import make_application
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from tests.support.patience import PATIENCE_S
from tests.support.window.fakes import Instance


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the program makes it."""
    made = QApplication.instance()  # of an end-to-end test of the window
    return made if isinstance(made, QApplication) else make_application(["kapture-tests"])


@pytest.fixture(autouse=True)
def messages_stay() -> Iterator[None]:
    """None goes while it is looked at, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:  # its own: a test's patches end before its window does
        patch.setattr(toasts, "LIFE_MS", 1000 * 1000)
        yield


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Instance]:
    """Core, real from router to database."""
    made = Instance(tmp_path / "instance")
    yield made
    made.history.close()


@pytest.fixture
def subscriptions() -> Iterator[Subscriptions]:
    """Connections that end with the test."""
    made = Subscriptions()
    yield made
    made.cut()


@pytest.fixture
def theme(qapp: QApplication, tmp_path: Path) -> Iterator[Theme]:
    """The real tokens, light."""
    settings = Settings(tmp_path / "theme-settings.json")
    settings.set("theme", "light")
    made = Theme(qapp, settings, paths.resources() / "theme")
    made.dress()
    yield made
    made.release()
    bury(made)
    qapp.setStyleSheet("")


@pytest.fixture
def window(qapp: QApplication, instance: Instance) -> Iterator[MainWindow]:
    """The whole window, shown."""
    made = MainWindow(instance.core, instance.backend)
    made.resize(1400, 880)
    made.show()
    made.reset_layout()
    qapp.processEvents()
    yield made
    made.release()
    made.close()
    bury(made)
    qapp.setStyleSheet("")  # the next window is put together without one, as the program's is


class PatientBot(QtBot):
    """Waits for what must come as long as every test does."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = int(PATIENCE_S * 1000)) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: SignalInstance, *, timeout: int = int(PATIENCE_S * 1000), **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's, with another patience."""
    return PatientBot(request)
