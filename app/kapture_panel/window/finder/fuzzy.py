"""How well a few typed letters fit a name: every word of the query must be in it, letter by letter in order.

A library of edit distances (rapidfuzz) was tried: it knows neither the starts of words nor which letters to mark.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

#: More letters than a person types to find something; what follows is not looked at.
MAX_QUERY_CHARS = 40
MAX_TEXT_CHARS = 120
_LETTER = 1.0
_START_OF_TEXT = 8.0
_START_OF_WORD = 6.0
_NEXT_LETTER = 7.0
_GAP = 0.2
_MAX_GAP = 2.0
_NEVER = float("-inf")


@dataclass(frozen=True)
class Match:
    """A fit: the higher `score` the better; `positions` are the matched letters of the text, rising."""

    score: float
    positions: tuple[int, ...]


def match(query: str, text: str) -> Match | None:
    """Fit the words of `query`, in any order, to `text`.

    Letters at the start of the text count most, then those at the start of a word, then those that follow the
    letter matched before; of equal fits the shorter text is the better one.

    Returns:
        The best fit, or None when a word is not in the text.
    """
    text = text[:MAX_TEXT_CHARS]
    score, positions = 0.0, set[int]()
    for word in query[:MAX_QUERY_CHARS].split():
        found = _fit(_folded(word), _folded(text), _bonuses(text))
        if found is None:
            return None
        score += found.score
        positions.update(found.positions)
    return Match(score - len(text) / 100, tuple(sorted(positions)))


def _folded(text: str) -> str:
    # Letter by letter: a text that grew when folded would not have the positions of the shown one.
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _bonuses(text: str) -> list[float]:
    """What matching each letter is worth for its place."""
    bonuses = []
    for at, letter in enumerate(text):
        before = text[at - 1] if at else ""
        starts = not before.isalnum() or (letter.isupper() and before.islower())
        bonuses.append(_START_OF_TEXT if at == 0 else _START_OF_WORD if starts and letter.isalnum() else 0.0)
    return bonuses


def _fit(word: str, text: str, bonuses: list[float]) -> Match | None:
    """The best way to find the letters of `word` in `text` in order."""
    best = [0.0] * len(text)
    trail: list[list[int]] = []
    for number, wanted in enumerate(word):
        row, came_from = [_NEVER] * len(text), [-1] * len(text)
        reached, reached_at = _NEVER, -1
        for at, letter in enumerate(text):
            if number and at and best[at - 1] > reached:
                reached, reached_at = best[at - 1], at - 1
            if letter != wanted:
                continue
            if number == 0:
                row[at] = _LETTER + bonuses[at] - min(at * _GAP / 4, _MAX_GAP)
            elif reached_at >= 0:
                far = reached - min((at - reached_at - 1) * _GAP, _MAX_GAP) + bonuses[at]
                near = best[at - 1] + max(_NEXT_LETTER, bonuses[at])
                row[at] = _LETTER + max(far, near)
                came_from[at] = at - 1 if near >= far else reached_at
        best = row
        trail.append(came_from)
    end = max(range(len(text)), key=best.__getitem__, default=-1)
    if end < 0 or best[end] == _NEVER:
        return None
    positions = [end]
    for came_from in reversed(trail[1:]):
        positions.append(came_from[positions[-1]])
    found = tuple(reversed(positions))
    return Match(best[end], found) if _is_meant(found, bonuses) else None


def _is_meant(positions: tuple[int, ...], bonuses: list[float]) -> bool:
    """In one word any letters in their order; over several the first of each, or a long text has whatever is sought."""
    starts = [at for at, bonus in enumerate(bonuses) if bonus]
    firsts: dict[int, int] = {}
    for at in positions:
        firsts.setdefault(bisect_right(starts, at), at)
    return len(firsts) == 1 or all(bonuses[at] for at in firsts.values())
