"""What came of a command in one word: the same in the window and in what is exported."""

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
#: What is said of a grade whose name says it otherwise.
_WORDS = {
    "ok": "done",
    "error": "failed",
    "unanswered": "not answered in time",
    "unknown": "outcome unknown",
    "no_effect": "no effect",
}


def grade(row: Row) -> str:
    """What came of it: the outcome of an action, what stopped it, or its state."""
    return row.outcome or (_STOPPED.get(row.code, row.state) if row.state == "error" else row.state)


def is_stop(code: str) -> bool:
    """Whether an error's code says that a gate stopped a command, which is not an error of anything."""
    return code in _STOPPED


def is_stopped(row: Row) -> bool:
    """Whether a gate stopped it."""
    return row.state == "error" and is_stop(row.code)


def is_wrong(row: Row) -> bool:
    """Whether it failed, or nobody knows what came of it."""
    return row.state in ("error", "unknown") and not is_stopped(row)


def words(row: Row) -> str:
    """The grade in a word or two."""
    return words_of(grade(row))


def words_of(grade: str) -> str:
    """A grade in a word or two."""
    return _WORDS.get(grade, grade)
