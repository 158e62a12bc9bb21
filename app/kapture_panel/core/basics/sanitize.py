"""The one way page text takes to where people read it: plain, bounded, without control or bidi characters."""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False  # importing typing costs a terminal's call a tenth of its time
if TYPE_CHECKING:
    from typing import Any

#: Longest text a row or a label carries; the full value stays in the result views.
MAX_LINE_CHARS = 1000

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_HIDDEN = "\u00ad\u200b-\u200d\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
#: C0, C1, bidi marks, zero-width characters and lone surrogates; newline and tab are dealt with apart.
_UNSEEN = f"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_BIDI}{_HIDDEN}"
_UNSAFE = re.compile(f"[{_UNSEEN}]")
#: In JSON the breaks that `text` makes newlines of would be that within a text.
_ESCAPED = re.compile(f"[{_UNSEEN}\u2028\u2029]")
_BREAKS = re.compile("[ \t]*[\r\n\x0b\x0c\x85\u2028\u2029]+[ \t]*|\t")


def text(value: object, max_chars: int = 1_000_000) -> str:
    """`value` for a view of many lines: newlines and tabs stay, a cut is shown by "…"."""
    given = str(value)
    cut = given if len(given) <= max_chars else given[: max_chars - 1] + "…"
    return _UNSAFE.sub(
        "", cut.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    )


def json_text(value: Any, indent: int | None = None) -> str:
    """`value` as JSON in which what cannot be seen is an escape: readable by people, the same for programs."""
    return escaped(json.dumps(value, indent=indent, ensure_ascii=False))


def escaped(json_made: str) -> str:
    """JSON that was made already, its unseen characters as escapes."""
    return _ESCAPED.sub(_escape, json_made)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def line(value: object, max_chars: int = MAX_LINE_CHARS) -> str:
    """`value` as one line: breaks become a space."""
    given = str(value)
    # Cut before the regular expressions: a page may send megabytes as its title.
    cut = given if len(given) <= max_chars else given[: max_chars - 1] + "…"
    # Printable text has neither breaks nor unsafe characters. Most lines are such, and a frame shows hundreds.
    return cut.strip() if cut.isprintable() else _UNSAFE.sub("", _BREAKS.sub(" ", cut)).strip()
