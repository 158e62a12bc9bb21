"""Words and patterns: case is ignored, a wrong pattern says where, a runaway one is cut short."""

from __future__ import annotations

import pytest

from kapture_panel.window.widgets.text_filter import TextFilter


@pytest.mark.parametrize(
    ("text", "is_pattern", "passes"),
    [
        ("", False, True), ("", True, True), ("PROMO", False, True), ("pro.o", False, False), ("pro.o", True, True),
        ("^Promo \\d+$", True, True), ("^\\d", True, False), ("failed|promo", True, True),
    ],
)  # fmt: skip
def test_what_passes(text: str, is_pattern: bool, passes: bool) -> None:
    assert TextFilter(text, is_pattern=is_pattern).passes("elsewhere", "Promo 12") is passes


@pytest.mark.parametrize(("pattern", "at"), [("(", 1), ("promo(", 6), ("a[b", 3), ("*x", 1), ("a{2,1}", 5)])
def test_a_wrong_pattern_says_why_and_where(pattern: str, at: int) -> None:
    with pytest.raises(ValueError, match=rf"Not a pattern: .+ \(at character {at}\)"):
        TextFilter(pattern, is_pattern=True)


def test_words_are_never_taken_for_a_pattern() -> None:
    assert TextFilter("promo(").passes("applyPromo(1)")


def test_a_pattern_that_would_run_for_minutes_gives_up_on_the_line() -> None:
    # Without a bound of its own the pattern would come to "end" after four million steps.
    assert not TextFilter("^(a+)+$|end", is_pattern=True).passes("a" * 22 + " end")
    assert TextFilter("^(a+)+$|end", is_pattern=True).passes("a" * 8 + " end")


def test_which_filter_lies_within_which() -> None:
    assert TextFilter("promo fail").is_within(TextFilter("promo"))
    assert not TextFilter("promo").is_within(TextFilter("promo fail"))
    assert not TextFilter("promo.", is_pattern=True).is_within(TextFilter("promo"))
    assert TextFilter("Promo") == TextFilter("promo")
    assert TextFilter("\\D", is_pattern=True) != TextFilter("\\d", is_pattern=True)
    assert TextFilter("a", is_pattern=True) != TextFilter("a")
