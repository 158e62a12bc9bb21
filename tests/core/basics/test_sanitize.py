"""Page text is made harmless before a person reads it."""

from __future__ import annotations

import json
import sys

from kapture_panel.core.basics import sanitize


def test_text_keeps_its_lines_and_loses_what_cannot_be_seen() -> None:
    assert sanitize.text("a\r\nb\u202ec\u200b\x07\td\u2028e\ud800") == "a\nbc\td\ne"


def test_a_line_has_no_breaks_and_a_bound() -> None:
    assert sanitize.line(" a \n b\tc ") == "a b c"
    assert sanitize.line("x" * 20, 10) == "x" * 9 + "…"


def test_json_hides_nothing_and_reads_back_the_same() -> None:
    value = {"a\u202e": "\x1b\x9b\r\n\t\u200d\ud800\U000e0041 ü\u2028\u2029"}
    made = sanitize.json_text(value)
    assert made == '{"a\\u202e": "\\u001b\\u009b\\r\\n\\t\\u200d\\ud800\\udb40\\udc41 ü\\u2028\\u2029"}'
    assert json.loads(made) == value
    assert sanitize.text(made) == made, "what is said in a terminal is the same JSON"
    assert sanitize.json_text([1], indent=1) == "[\n 1\n]"


def test_no_printable_character_is_taken_away() -> None:
    # So `line` may leave text alone that is printable.
    printable = "".join(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert sanitize.text(printable, len(printable)) == printable
    assert len(printable.splitlines()) == 1
