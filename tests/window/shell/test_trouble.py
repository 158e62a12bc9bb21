"""What keeps the panel from its work stands above all else, until it is mended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.stores.history import Trouble
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import bury

FULL = Trouble("the disk is full", "free some space on the disk of /data")
WORDS = (
    "The disk is full. Actions are refused, because they could not be recorded. Reading still works. "
    "Free some space on the disk of /data."
)


def tell(instance: Instance, trouble: Trouble | None) -> None:
    instance.history.trouble = trouble
    instance.history.trouble_changed.emit(trouble)


def titles(window: MainWindow) -> list[str]:
    return [toast.title for toast in window.shell.toasts.shown]


def test_a_full_disk_is_said_until_there_is_room(window: MainWindow, instance: Instance) -> None:
    band = window.trouble.band
    assert band.isHidden()
    tell(instance, FULL)
    QApplication.processEvents()
    assert (band.isVisible(), band.words.text(), band.accessibleName()) == (True, WORDS, WORDS)
    assert (band.width(), band.y()) == (window.width(), 0)
    window.shell.toasts.clear()
    assert band.isVisible(), "nothing but its end takes it away"
    tell(instance, None)
    assert band.isHidden()
    assert titles(window) == ["The history can be written again"]


def test_it_can_be_read_again_among_the_notices(window: MainWindow, instance: Instance) -> None:
    tell(instance, FULL)
    tell(instance, None)
    model = window.shell.toasts.notices
    assert [model.index(at, 0).data() for at in range(2)] == ["The history can be written again", "The disk is full."]


def test_a_hidden_window_has_the_desktop_tell_it(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(window.tray, "notify", lambda title, _words: told.append(title))
    window.hide()
    tell(instance, FULL)
    assert told == ["The disk is full."]


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[Instance]:
    folder = tmp_path / "damaged"
    folder.mkdir(mode=0o700)
    (folder / "history.sqlite3").write_bytes(b"this is no database" * 100)
    made = Instance(folder)
    yield made
    made.history.close()


def test_a_history_that_was_damaged_is_told_at_the_start(qapp: QApplication, damaged: Instance) -> None:
    window = MainWindow(damaged.core, damaged.backend)
    try:
        (toast,) = window.shell.toasts.shown
        assert (toast.title, toast.is_error) == ("Your history was damaged", True)
        assert ".damaged-" in toast.accessibleName()
    finally:
        window.release()
        window.close()
        bury(window)
        qapp.setStyleSheet("")
