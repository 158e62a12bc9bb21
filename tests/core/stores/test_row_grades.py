"""What came of a command is graded alike wherever it is shown, and what a gate stopped is no error."""

from __future__ import annotations

import pytest

from kapture_panel.core.stores import row_grades
from kapture_panel.core.stores.history_row import Row


def row(state: str, *, code: str = "", outcome: str = "") -> Row:
    return Row(1, 0.0, "codex", "agent", "t1", "a.example", "", "click", {}, state=state, code=code, outcome=outcome)


@pytest.mark.parametrize(
    ("given", "grade", "words", "is_stopped", "is_wrong"),
    [
        (row("ok"), "ok", "done", False, False),
        (row("ok", outcome="no_effect"), "no_effect", "no effect", False, False),
        (row("error", code="STALE_REF"), "error", "failed", False, True),
        (row("error", code="DENIED"), "denied", "denied", True, False),
        (row("error", code="FILE_NOT_ALLOWED"), "denied", "denied", True, False),
        (row("error", code="PAUSED"), "paused", "paused", True, False),
        (row("error", code="APPROVAL_PENDING"), "unanswered", "not answered in time", True, False),
        (row("error", code="APPROVAL_EXPIRED"), "unanswered", "not answered in time", True, False),
        (row("unknown", code="OUTCOME_UNKNOWN"), "unknown", "outcome unknown", False, True),
        (row("running"), "running", "running", False, False),
        (row("cancelled", code="PAUSED"), "cancelled", "cancelled", False, False),
    ],
)
def test_a_row_is_graded(given: Row, grade: str, words: str, is_stopped: bool, is_wrong: bool) -> None:
    assert (row_grades.grade(given), row_grades.words(given)) == (grade, words)
    assert (row_grades.is_stopped(given), row_grades.is_wrong(given)) == (is_stopped, is_wrong)
