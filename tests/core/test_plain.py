"""Page text is made harmless before a person reads it."""

from __future__ import annotations

from kapture_panel.core import plain


def test_text_keeps_its_lines_and_loses_what_cannot_be_seen() -> None:
    assert plain.text("a\r\nb\u202ec\u200b\x07\td\u2028e\ud800") == "a\nbc\td\ne"


def test_a_line_has_no_breaks_and_a_bound() -> None:
    assert plain.line(" a \n b\tc ") == "a b c"
    assert plain.line("x" * 20, 10) == "x" * 9 + "…"
