"""Figures in few words."""

from __future__ import annotations

import pytest

from kapture_panel.window.widgets import figures


@pytest.mark.parametrize(
    ("ms", "words"),
    [(None, ""), (0, "< 1 ms"), (0.04, "< 1 ms"), (0.9, "< 1 ms"), (1.2, "1 ms"), (804, "804 ms"), (4200, "4.2 s")],
)
def test_a_duration_has_no_more_digits_than_mean_something(ms: float | None, words: str) -> None:
    assert figures.duration(ms) == words
