"""What the extension tells of a dialog is taken as it is, or not at all."""

from __future__ import annotations

import msgspec
import pytest

from kapture_panel.core.wire.dialogs import AnsweredDialog, OpenDialog


@pytest.mark.parametrize("kind", [OpenDialog, AnsweredDialog])
@pytest.mark.parametrize("frame", [{}, {"type": "alert"}, {"type": 1, "message": "Hi", "accepted": True}, "alert"])
def test_one_of_another_form_is_none(kind: type[msgspec.Struct], frame: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(frame, kind)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "alert", "message": "Hi", "accepted": False},
        {"type": "confirm", "message": "Sure?", "accepted": True, "more": 3},
    ],
)
def test_what_was_answered_goes_on_as_it_came(told: dict[str, object]) -> None:
    assert msgspec.to_builtins(msgspec.convert(told, AnsweredDialog)) == told
