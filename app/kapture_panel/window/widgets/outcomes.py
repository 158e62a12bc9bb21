"""What came of a command, as a sign, a word and a colour: the same wherever it is shown."""

from __future__ import annotations

from kapture_panel.core.stores.history_row import Row

#: What a gate stopped is not broken: codes of errors → what it is called instead.
_STOPPED = {
    "DENIED": "denied",
    "FILE_NOT_ALLOWED": "denied",
    "APPROVAL_EXPIRED": "unanswered",
    "APPROVAL_PENDING": "unanswered",
    "PAUSED": "paused",
}
#: What came of it → its sign, the colour of that, and a word or two.
_SHOWN = {
    "ok": ("✓", "ok", "done"),
    "error": ("✗", "error", "failed"),
    "denied": ("⊘", "text_secondary", "denied"),
    "unanswered": ("◌", "text_secondary", "not answered"),
    "paused": ("‖", "text_secondary", "paused"),
    "running": ("…", "driving", "running"),
    "cancelled": ("–", "text_secondary", "cancelled"),
    "unknown": ("?", "warn", "outcome unknown"),
    "confirmed": ("✓", "ok", "confirmed"),
    "done": ("✓", "ok", "done"),
    "no_effect": ("○", "text_secondary", "no effect"),
    "unverifiable": ("≈", "warn", "unverifiable"),
}


def _shown(row: Row) -> tuple[str, str, str]:
    grade = row.outcome or (_STOPPED.get(row.code, row.state) if row.state == "error" else row.state)
    return _SHOWN.get(grade, ("?", "text_secondary", grade))


def mark(row: Row) -> str:
    """The sign."""
    return _shown(row)[0]


def tone(row: Row) -> str:
    """The colour of the sign; red only for what is wrong."""
    return _shown(row)[1]


def pill_tone(row: Row) -> str:
    """The colour of a pill with the word."""
    return "neutral" if tone(row) == "text_secondary" else tone(row)


def words(row: Row) -> str:
    """The same in a word or two."""
    return _shown(row)[2]
