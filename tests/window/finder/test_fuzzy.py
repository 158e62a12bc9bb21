"""Typed letters against names: what fits, what fits better."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.window.finder.fuzzy import MAX_QUERY_CHARS, match


def ranked(query: str, *texts: str) -> list[str]:
    """The texts that fit, the best first."""
    fits = [(fit.score, text) for text in texts if (fit := match(query, text)) is not None]
    return [text for _score, text in sorted(fits, key=lambda one: -one[0])]


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("cl", "Click", "Close all"),  # one run of letters before two starts
        ("nt", "New tab", "Count elements"),  # starts of words before letters inside
        ("scr", "Screenshot", "Describe"),  # the start of the text before its middle
        ("tab", "New tab", "Metadata base"),
        ("go", "Go back", "Drag onto"),
        ("ta", "New tab", "Go to agents"),  # a run of letters before two starts of words
        ("show", "Show tabs", "Show tabs and screenshots"),  # of equals the shorter
        ("sn", "Snapshot", "Screen"),  # near before far
        ("json", "Parameters as JSON", "Join the console"),
    ],
)
def test_the_better_fit_comes_first(query: str, better: str, worse: str) -> None:
    assert ranked(query, worse, better)[0] == better


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("xyz", "Click"),
        ("kcilc", "Click"),
        ("click tab", "Click"),
        ("a", ""),
        ("demo", "Add to your agent, or remove from it"),
    ],
)
def test_what_is_not_there_does_not_fit(query: str, text: str) -> None:
    assert match(query, text) is None


def test_words_come_in_any_order_and_case_does_not_matter() -> None:
    fit = match("TAB new", "New tab")
    assert fit is not None
    assert fit.positions == (0, 1, 2, 4, 5, 6)


def test_an_empty_query_fits_everything() -> None:
    fit = match("  ", "anything")
    assert fit is not None
    assert fit.positions == ()


def test_letters_that_grow_in_lower_case_keep_their_places() -> None:
    fit = match("st", "İst")
    assert fit is not None
    assert fit.positions == (1, 2)


@given(text=st.text(max_size=60), query=st.text(min_size=1, max_size=MAX_QUERY_CHARS))
def test_matched_letters_are_in_the_text_in_rising_places(text: str, query: str) -> None:
    fit = match(query, text)
    if fit is not None:
        assert list(fit.positions) == sorted(set(fit.positions))
        assert all(0 <= at < len(text) for at in fit.positions)


@given(text=st.text(alphabet="abcd", min_size=1, max_size=30), data=st.data())
def test_every_subsequence_of_one_word_fits(text: str, data: st.DataObject) -> None:
    places = data.draw(st.sets(st.integers(0, len(text) - 1), min_size=1))
    query = "".join(text[at] for at in sorted(places))
    fit = match(query, text)
    assert fit is not None
    assert "".join(text[at] for at in fit.positions) == query
