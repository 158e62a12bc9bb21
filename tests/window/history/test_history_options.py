"""What the history's menu shows is what holds, also when a choice cannot be written down."""

from __future__ import annotations

import errno
import os

import pytest

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.settings import RECORD_PICTURES, RECORD_TYPED, Settings
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance


def no_room(*_args: object) -> None:
    """A full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("name", [RECORD_TYPED, RECORD_PICTURES])
@pytest.mark.parametrize("wanted", [True, False])
def test_a_choice_that_could_not_be_written_is_told_shown_as_it_was_and_can_be_made_again(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch, name: str, *, wanted: bool
) -> None:
    options, toasts = window.rooms.history.view.options, window.shell.toasts
    action = {RECORD_TYPED: options.record_typed, RECORD_PICTURES: options.record}[name]
    told: list[str] = []
    options.told.connect(lambda title, *_: told.append(title))
    if not wanted:
        action.trigger()
    for number in (1, 2):
        with monkeypatch.context() as full:
            full.setattr(private_file, "write", no_room)
            action.trigger()
        (toast,) = toasts.shown
        assert len(told) == number
        said = "The choice could not be saved: It stays as it was: No space left on device"
        assert toast.accessibleName() == said
        assert (action.isChecked(), instance.settings.get(name, False)) == (not wanted, not wanted)
        assert options.recording.isHidden() == (wanted or name != RECORD_PICTURES)
    action.trigger()
    assert (action.isChecked(), Settings(instance.settings._path).get(name)) == (wanted, wanted)
