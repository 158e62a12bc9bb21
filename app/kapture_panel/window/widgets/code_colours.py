"""What stands out in JavaScript: strings, numbers, words of the language, comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORDS = (
    "async await break case catch class const continue debugger default delete do else export extends false finally "
    "for function if import in instanceof let new null of return static super switch this throw true try typeof "
    "undefined var void while with yield"
)
_TOKEN = re.compile(
    r"""(?P<text_secondary>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<ok>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?)"""
    r"""|(?P<driving>\b(?:0[xob][\da-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)n?\b)"""
    rf"""|(?P<accent>\b(?:{_WORDS.replace(" ", "|")})\b)"""
    r"""|[\w$]+""",
    re.DOTALL,
)


def spans(code: str) -> Iterator[tuple[int, int, str]]:
    """Where each part that stands out begins and ends, and the token of its colour."""
    for token in _TOKEN.finditer(code):
        if token.lastgroup is not None:
            yield token.start(), token.end(), token.lastgroup
