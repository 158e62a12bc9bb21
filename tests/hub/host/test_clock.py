"""What the clock shows beside the time that passes."""

from __future__ import annotations

import pytest

from kapture_panel.hub.host.clock import Clock


class Times:
    """What the clock shows, and what has passed."""

    def __init__(self) -> None:
        self.shown, self.passed = 1_800_000_000.0, 5_000.0
        self.clock = Clock(lambda: self.shown, lambda: self.passed)

    def go(self, shown: float, passed: float) -> str:
        """Let time pass, and tell what is found."""
        self.shown += shown
        self.passed += passed
        return self.clock.jumped()


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (60, "the machine slept, or the clock was set forward, by 1 minute"),
        (8 * 3600 + 200, "the machine slept, or the clock was set forward, by 8 hours"),
        (-60, "the clock was set back by 1 minute"),
        (-86_400, "the clock was set back by 1 day"),
    ],
)
def test_a_jump_is_told_beside_the_time_that_passes(ahead: float, words: str) -> None:
    assert words in Times().go(100_000 + ahead, 100_000)


@pytest.mark.parametrize("ahead", [0, 59, -59])
def test_what_a_clock_is_corrected_by_is_no_jump(ahead: float) -> None:
    assert Times().go(100_000 + ahead, 100_000) == ""


def test_a_jump_that_was_taken_back_is_none() -> None:
    times = Times()
    assert "was set back" in times.go(-86_400, 0)
    assert times.go(86_410, 10) == ""
