"""`kapture run`: a step waits for the person's answer as an agent would."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.export.steps import Step
from kapture_panel.hub.agent_door.door_client import DoorClient
from kapture_panel.programs.run import Runner

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
