"""What came of a command, as a sign, a word and a colour: the same wherever it is shown."""

from __future__ import annotations

from kapture_panel.core.stores import row_grades
from kapture_panel.core.stores.history_row import Row

#: What came of it → its sign, and the colour of that.
_SHOWN = {
    "ok": ("✓", "ok"),
    "error": ("✗", "error"),
    "denied": ("⊘", "text_secondary"),
    "unanswered": ("◌", "text_secondary"),
    "paused": ("‖", "text_secondary"),
    "running": ("…", "driving"),
    "cancelled": ("–", "text_secondary"),
    "unknown": ("?", "warn"),
    "confirmed": ("✓", "ok"),
    "done": ("✓", "ok"),
    "no_effect": ("○", "text_secondary"),
    "unverifiable": ("≈", "warn"),
}


def _shown(row: Row) -> tuple[str, str]:
    return _SHOWN.get(row_grades.grade(row), ("?", "text_secondary"))


def mark(row: Row) -> str:
    """The sign."""
    return _shown(row)[0]


def legend() -> str:
    """Every sign and its words."""
    words = {row_grades.words_of(grade): sign for grade, (sign, _tone) in _SHOWN.items()}
    return ", ".join(f"{sign} {said}" for said, sign in words.items())


def tone(row: Row) -> str:
    """The colour of the sign; red only for what is wrong."""
    return _shown(row)[1]


def pill_tone(row: Row) -> str:
    """The colour of a pill with the word."""
    return "neutral" if tone(row) == "text_secondary" else tone(row)


def words(row: Row) -> str:
    """The same in a word or two."""
    return row_grades.words(row)
