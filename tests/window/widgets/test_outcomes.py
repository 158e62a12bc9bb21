"""What came of a command has a sign and a word of its own, red only where something is wrong."""

from __future__ import annotations

import pytest

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.widgets import outcomes


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ELEMENT_NOT_FOUND", ("✗", "error", "error", "failed")),
        ("DENIED", ("⊘", "text_secondary", "neutral", "denied")),
        ("FILE_NOT_ALLOWED", ("⊘", "text_secondary", "neutral", "denied")),
        ("PAUSED", ("‖", "text_secondary", "neutral", "paused")),
        ("APPROVAL_EXPIRED", ("◌", "text_secondary", "neutral", "not answered in time")),
    ],
)
def test_what_a_gate_stopped_does_not_look_like_what_failed(code: str, said: tuple[str, ...]) -> None:
    row = Row(1, 0.0, "codex", "agent", "t1", "shop.example", "", "click", {}, state="error", code=code)
    assert (outcomes.mark(row), outcomes.tone(row), outcomes.pill_tone(row), outcomes.words(row)) == said


def test_signs_differ_wherever_words_do_but_for_two_kinds_of_success() -> None:
    by_sign: dict[str, set[str]] = {}
    for grade in outcomes._SHOWN:
        row = Row(1, 0.0, "codex", "agent", "t1", "shop.example", "", "click", {}, state="ok", outcome=grade)
        by_sign.setdefault(outcomes.mark(row), set()).add(outcomes.words(row))
    assert {sign: words for sign, words in by_sign.items() if len(words) > 1} == {"✓": {"done", "confirmed"}}
