"""Numbers of parameters: those that JavaScript lacks are refused, and a time to wait brings its time-out."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.entries import Inputs
from tests.support.core.fakes import CATALOGUE


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan, 10**400])
@pytest.mark.parametrize(
    ("command", "params", "named"),
    [
        ("scroll", lambda number: {"deltaY": number}, "deltaY"),
        ("click", lambda number: {"x": number, "y": 1}, "x"),
        ("screenshot", lambda number: {"name": "a", "clip": {"x": number, "y": 0, "width": 1, "height": 1}}, "clip"),
    ],
)
def test_what_is_no_number_in_javascript_is_refused(command: str, params: Any, named: str, number: float) -> None:
    with pytest.raises(KaptureError) as raised:
        CATALOGUE.get(command).validate(params(number))
    assert (raised.value.code, raised.value.param) == ("INVALID_PARAMS", named)
    assert raised.value.message == f"{command}: {named} must be a finite number"


def test_an_endless_number_in_a_list_is_refused() -> None:
    numbers = {"type": "array", "items": {"type": "number"}}
    takes = Inputs(type="object", properties={"numbers": numbers}, required=(), additional_properties=False)
    command = msgspec.structs.replace(CATALOGUE.get("clear_logs"), input_schema=takes)
    assert command.validate({"numbers": [1, 2]})["numbers"] == [1, 2]
    with pytest.raises(KaptureError, match="numbers must be a finite number"):
        command.validate({"numbers": [1, math.inf]})


def test_scrolling_to_infinity_is_refused_and_as_far_as_any_number_is_not() -> None:
    with pytest.raises(KaptureError, match="toY must be a finite number"):
        CATALOGUE.get("scroll").validate({"toY": math.inf})
    assert CATALOGUE.get("scroll").validate({"toY": 1e308})["toY"] == 1e308


@pytest.mark.parametrize(
    ("params", "timeout_ms"),
    [
        ({"time": 600_000}, 601_000),
        ({"time": 29_001}, 30_001),
        ({"time": 29_000}, 30_000),
        ({"time": 60_000, "timeout": 5}, 5),
        ({"time": 60_000, "timeout": None}, 61_000),
        ({"text": "a"}, 30_000),
    ],
)
def test_a_time_to_let_pass_has_room_in_the_time_out_unless_one_is_given(
    params: dict[str, Any], timeout_ms: int
) -> None:
    assert CATALOGUE.get("wait").validate(params)["timeout"] == timeout_ms


def test_a_command_that_lets_no_time_pass_has_the_usual_time_out_whatever_it_is_given() -> None:
    given = {"time": 60_000}
    assert [CATALOGUE.get(name).usual_ms(given) for name in ("click", "wait")] == [30_000, 61_000]
