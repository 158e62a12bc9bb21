"""Text of pages and programs, made safe for Qt to show; see `core.basics.sanitize`."""

from __future__ import annotations

import html

from kapture_panel.core.basics.sanitize import MAX_LINE_CHARS as MAX_LINE_CHARS
from kapture_panel.core.basics.sanitize import line as line
from kapture_panel.core.basics.sanitize import text as text

MAX_TOOLTIP_CHARS = 2000


#: Where a program of the desktop shows text, nobody tells for sure whether it takes it for markup.
_LOOK_ALIKES = str.maketrans({"&": "＆", "<": "‹", ">": "›"})


def unmarked(value: str) -> str:
    """`value` for programs that may read it as markup or may not: with signs that look alike and are none."""
    return value.translate(_LOOK_ALIKES)


def tooltip(value: object) -> str:
    """`value` as a tooltip; Qt guesses rich text there, so it gets rich text with everything escaped."""
    safe = html.escape(text(value, MAX_TOOLTIP_CHARS))
    return f"<p style='white-space:pre-wrap; margin:0'>{safe}</p>" if safe else ""
