"""What a page writes reaches a widget only as plain, bounded, visible text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocumentFragment

from kapture_panel.window.widgets import safe_text

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


@given(st.text())
def test_a_line_has_no_control_bidi_or_surrogate_character(value: str) -> None:
    cleaned = safe_text.line(value)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in cleaned)
    assert not set(cleaned) & set(BIDI)


@given(st.text())
def test_text_keeps_only_newline_and_tab_of_the_controls(value: str) -> None:
    controls = {char for char in safe_text.text(value) if unicodedata.category(char) in ("Cc", "Cs")}
    assert controls <= {"\n", "\t"}


def test_a_bidi_override_cannot_turn_a_name_around() -> None:
    assert safe_text.line(f"invoice{BIDI}gpj.exe") == "invoicegpj.exe"


def test_a_title_of_ten_thousand_characters_is_cut_and_says_so() -> None:
    cleaned = safe_text.line("x" * 10_000)
    assert len(cleaned) == safe_text.MAX_LINE_CHARS
    assert cleaned.endswith("…")


def test_breaks_become_one_space() -> None:
    assert safe_text.line("  one\r\n\ttwo\u2028three ") == "one two three"


def test_no_markup_is_touched_where_nothing_renders_it() -> None:
    assert safe_text.line("<b>bold</b> & co") == "<b>bold</b> & co"


@pytest.mark.parametrize("page", ["<img src=x onerror=1>", "<b>x</b>", "a & b < c", "two\nlines"])
def test_a_tooltip_shows_markup_as_it_was_written(page: str) -> None:
    assert QTextDocumentFragment.fromHtml(safe_text.tooltip(page)).toPlainText() == page


def test_an_empty_tooltip_stays_empty() -> None:
    assert safe_text.tooltip("\u202e") == ""


def test_what_another_program_may_take_for_markup_has_none() -> None:
    shown = safe_text.unmarked('<a href="x">log in</a> & go')
    assert not set("<>&") & set(shown)
    assert "log in" in shown
