"""`kapture run`: a step waits for the person's answer as an agent would."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.export.steps import Step
from kapture_panel.hub.agent_door.door_client import DoorClient
from kapture_panel.programs.run import CameToLess, Runner

EVALUATE = {"command": "evaluate", "params": {"code": "1"}}


class FakePanel(DoorClient):
    """Answers in turn with what it is given: an error's code, or nothing for a success."""

    def __init__(self, *codes: str) -> None:
        self.codes = list(codes)
        self.asked: list[dict[str, Any]] = []

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        if code := self.codes.pop(0):
            raise KaptureError(code, "a person has not decided yet")
        return {"ms": 4.0}


def step() -> Step:
    return Step("evaluate", {"code": "1"})


def test_a_run_joins_the_question_until_the_person_has_answered(capsys: pytest.CaptureFixture[str]) -> None:
    panel = FakePanel("APPROVAL_PENDING", "APPROVAL_PENDING", "")
    runner = Runner(panel)
    assert runner.do(step(), {"code": "1"}) == 4.0
    assert panel.asked == [EVALUATE] * 3
    assert capsys.readouterr().err.count("asks you") == 1


@pytest.mark.parametrize("code", ["DENIED", "APPROVAL_EXPIRED"])
def test_a_no_ends_the_run_and_is_not_asked_again(code: str) -> None:
    panel = FakePanel("APPROVAL_PENDING", code)
    with pytest.raises(KaptureError) as refused:
        Runner(panel).do(step(), {"code": "1"})
    assert refused.value.code == code
    assert panel.asked == [EVALUATE] * 2


class Doing(DoorClient):
    """Answers everything with an outcome, or with an error's code."""

    def __init__(self, outcome: str, code: str = "") -> None:
        self.outcome, self.code = outcome, code

    def ask(self, _request: dict[str, Any]) -> dict[str, Any]:
        if self.code:
            raise KaptureError(self.code, "a dialog is open")
        return {"ms": 4.0, "outcome": {"outcome": self.outcome} if self.outcome else None}


@pytest.mark.parametrize(
    ("then", "now", "is_less"),
    [
        ("done", "done", False), ("done", "confirmed", False), ("no_effect", "no_effect", False),
        ("done", "no_effect", True), ("confirmed", "done", True), ("confirmed", "unverifiable", False),
        ("", "no_effect", False), ("done", "", False), ("unverifiable", "no_effect", False),
    ],
)  # fmt: skip
def test_a_step_comes_to_no_less_than_when_it_was_recorded(then: str, now: str, is_less: bool) -> None:
    made = Step("click", {"x": 1, "y": 1}, outcome=then)
    if is_less:
        with pytest.raises(CameToLess, match="when it was recorded, "):
            Runner(Doing(now)).do(made, made.params)
    else:
        Runner(Doing(now)).do(made, made.params)


def test_a_dialog_that_the_next_step_answers_may_meet_the_step_before_it() -> None:
    waiting = Step("click", {"x": 1, "y": 1}, dialog=True)
    assert Runner(Doing("", "DIALOG_OPEN")).do(waiting, waiting.params) == 0.0
    with pytest.raises(KaptureError):
        Runner(Doing("", "BUSY")).do(waiting, waiting.params)
