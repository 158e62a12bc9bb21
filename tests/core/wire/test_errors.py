"""An error of the extension becomes one of the panel, with what goes with it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.wire.errors import Failure


def failure(**fields: Any) -> Failure:
    """As it comes in a frame."""
    return msgspec.convert(fields, Failure)


def test_a_message_without_a_next_step_is_all_that_went_wrong() -> None:
    error = failure(code="BUSY", message="a; b").as_error()
    assert (error.what, error.next_step, error.message) == ("a; b", "", "a; b")


def test_what_went_wrong_and_the_next_step_come_in_two_fields_and_stay_two() -> None:
    error = failure(code="BUSY", message="a; b", nextStep="wait", param="url").as_error()
    assert (error.what, error.next_step, error.param) == ("a; b", "wait", "url")
    assert error.as_wire() == {"code": "BUSY", "message": "a; b; wait", "param": "url"}


@pytest.mark.parametrize(
    "details",
    [
        {},
        {"netError": "net::ERR_FAILED"},
        {"line": 1, "column": 0},
        {"filled": 0},
        {"tabId": "t1"},
        {"dialog": {"type": "alert", "message": "Hi"}},
    ],
)
def test_what_goes_with_a_code_goes_on_as_it_came(details: dict[str, Any]) -> None:
    assert failure(code="EXECUTION_ERROR", message="no", **details).as_error().details == details


def test_what_a_script_threw_is_told_with_its_place_and_kept_without() -> None:
    error = failure(code="EXECUTION_ERROR", message="Error: a; b", line=3, column=5).as_error()
    assert (error.what, error.next_step, error.thrown) == ("Error: a; b (line 3, column 5)", "", "Error: a; b")
    assert failure(code="BUSY", message="wait").as_error().thrown == ""


@pytest.mark.parametrize("code", ["MADE_UP", "NEEDS_APPROVAL", ""])
def test_an_unknown_code_is_a_defect(code: str) -> None:
    assert code not in CODES
    assert failure(code=code, message="x").as_error().code == "INTERNAL"


@pytest.mark.parametrize(
    "fields", [{}, {"code": None}, {"code": 7}, {"code": "BUSY", "message": 7}, {"code": "BUSY", "box": {"x": 1}}]
)
def test_an_error_of_another_form_is_none(fields: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        failure(**fields)
