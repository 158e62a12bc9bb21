"""Any JSON with comments, laid out in any way: what hypothesis draws."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from hypothesis import strategies as st

OUTER, NAME = "servers", "kapture"
_WORDS = st.text(st.characters(exclude_characters="\r\n*/", exclude_categories=["Cs"]), max_size=6)
_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8),
    st.sampled_from(['// no comment"', "/* nor this */", '{"servers": {}}', "\\", "a\tb\n"]),
)  # fmt: skip
_KEYS = st.one_of(st.text(max_size=4), st.sampled_from([OUTER, NAME, "//", '"']))
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n\r]*|/\*.*?\*/', re.DOTALL)


def comments(text: str) -> list[str]:
    """Every comment, in order; not through our reader."""
    return [match.group() for match in _TOKEN.finditer(text) if match.group().startswith("/")]


_KEY_LISTS = st.lists(_KEYS, max_size=3, unique=True)
_NAME_LISTS = st.lists(_KEYS.filter(lambda key: key != NAME), max_size=3, unique=True)


# Hypothesis looks into each strategy once: one made again for each value costs more than all the rest.
@cache
def trivia(newline: str) -> st.SearchStrategy[str]:
    """Space and comments, often none."""
    one = st.one_of(
        st.sampled_from(["", " ", "  ", "\t", newline, newline + "  ", newline + "\t"]),
        _WORDS.map(lambda words: f"// {words}{newline}"),
        _WORDS.map(lambda words: f"/* {words}{newline}*/"),
        _WORDS.map(lambda words: f"/*{words}*/"),
    )
    return st.lists(one, max_size=2).map("".join)


@cache
def value(newline: str, depth: int) -> st.SearchStrategy[str]:
    """The text of any value."""
    scalar = st.builds(json.dumps, _SCALARS, ensure_ascii=st.booleans())
    if not depth:
        return scalar
    array = listed(newline, "[]", st.lists(value(newline, depth - 1), max_size=3))
    return st.one_of(scalar, array, any_object(newline, depth))


@st.composite
def any_object(draw: st.DrawFn, newline: str, depth: int) -> str:
    """The text of an object with any keys."""
    return draw(members(newline, depth, draw(_KEY_LISTS)))


@st.composite
def members(draw: st.DrawFn, /, newline: str, depth: int, keys: list[str], **fixed: str) -> str:
    """The text of an object with these keys; `fixed` are texts of values."""
    pairs = []
    for key in keys:
        written = fixed[key] if key in fixed else draw(value(newline, depth - 1))
        pairs.append(f"{json.dumps(key)}{draw(trivia(newline))}:{draw(trivia(newline))}{written}")
    return draw(listed(newline, "{}", st.just(pairs)))


@st.composite
def listed(draw: st.DrawFn, newline: str, brackets: str, items: st.SearchStrategy[list[str]]) -> str:
    """Texts with commas between them, now and then one more, and trivia everywhere."""
    drawn = draw(items)
    text = brackets[0] + draw(trivia(newline))
    for number, item in enumerate(drawn):
        is_last = number == len(drawn) - 1
        comma = "" if is_last and draw(st.booleans()) else ","
        text += item + draw(trivia(newline)) + comma + draw(trivia(newline))
    return text + brackets[1]


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A whole file, with servers in it or without, and none of them ours."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    keys = draw(_KEY_LISTS)
    fixed = {}
    if draw(st.booleans()):
        keys = list(dict.fromkeys([*keys, OUTER]))
    if OUTER in keys:
        fixed[OUTER] = draw(members(newline, 2, draw(_NAME_LISTS)))
    return draw(trivia(newline)) + draw(members(newline, 2, keys, **fixed)) + draw(trivia(newline))


ENTRIES = st.fixed_dictionaries(
    {"command": st.text(st.characters(exclude_categories=["Cs"]), max_size=8), "args": st.lists(st.text(max_size=4))}
)


def data(text: str) -> Any:
    """What a file says, read by the standard library once comments and last commas are out."""
    bare = _TOKEN.sub(lambda match: " " if match.group().startswith("/") else match.group(), text)
    # A comma before a bracket is one too many; texts are kept apart, for one could look like that.
    texts: list[str] = []

    def hold(match: re.Match[str]) -> str:
        texts.append(match.group())
        return f'"{len(texts) - 1}"'

    held = re.sub(r",(\s*[}\]])", r"\1", re.sub(r'"(?:\\.|[^"\\])*"', hold, bare))
    return json.loads(re.sub(r'"(\d+)"', lambda match: texts[int(match[1])], held), strict=False)
