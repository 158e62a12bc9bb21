"""What came of an action is one word of four, with a reason where nobody could tell."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel.core.wire.outcome import Confirmed, Done, NoEffect, Outcome, Unverifiable, as_json


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Confirmed(), {"outcome": "confirmed"}),
        (Done(), {"outcome": "done"}),
        (NoEffect(), {"outcome": "no_effect"}),
        (Unverifiable("a canvas"), {"outcome": "unverifiable", "reason": "a canvas"}),
    ],
)
def test_an_outcome_is_a_word(outcome: Outcome, told: dict[str, str]) -> None:
    assert as_json(outcome) == told
    assert msgspec.convert(told, Outcome) == outcome


def test_what_is_no_action_has_none() -> None:
    assert as_json(None) == {}


@pytest.mark.parametrize("told", [{}, {"outcome": "success"}, {"outcome": 1}, "confirmed"])
def test_another_word_is_none(told: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(told, Outcome)
