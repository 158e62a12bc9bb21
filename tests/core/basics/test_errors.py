"""One error family: what crosses a wire comes back the same."""

from __future__ import annotations

import errno
import os

import pytest

from kapture_panel.core.basics.errors import CODES, KaptureError, defect


@pytest.mark.parametrize("code", CODES)
def test_an_error_crosses_the_wire_unchanged(code: str) -> None:
    error = KaptureError(code, "what to do next", param="url", line=3)
    wire = error.as_wire()
    assert wire == {"code": code, "message": "what to do next", "param": "url", "line": 3}
    again = KaptureError.from_wire(wire)
    assert (again.code, again.message, again.param, again.details) == (code, "what to do next", "url", {"line": 3})


@pytest.mark.parametrize(
    ("wire", "code", "message"),
    [
        ({}, "INTERNAL", ""),
        ({"code": "MADE_UP", "message": "x"}, "INTERNAL", "x"),
        ({"code": None, "message": None}, "INTERNAL", "None"),
        ({"code": ["BUSY"], "message": 7}, "INTERNAL", "7"),
    ],
)
def test_an_unknown_code_of_another_process_is_a_defect(wire: dict[str, object], code: str, message: str) -> None:
    error = KaptureError.from_wire(wire)
    assert (error.code, error.message) == (code, message)


def test_a_disk_that_takes_no_more_is_no_defect() -> None:
    for number in (errno.ENOSPC, errno.EROFS, errno.EIO):
        told = defect(OSError(number, "of a file"))
        assert told.code == "EXECUTION_ERROR"
        assert told.what == f"the panel cannot write to its disk ({os.strerror(number)})"
    assert defect(OSError(errno.ENOENT, "of a file")).code == "INTERNAL"


def test_what_went_wrong_and_the_next_step_are_told_in_one_line() -> None:
    error = KaptureError("STALE_REF", "e1 is gone", "take a new snapshot")
    assert (error.what, error.next_step, error.message) == (
        "e1 is gone", "take a new snapshot", "e1 is gone; take a new snapshot",
    )  # fmt: skip
    assert (str(error), error.as_wire()) == (error.message, {"code": "STALE_REF", "message": error.message})


def test_a_defect_is_told_without_its_words() -> None:
    error = defect(ZeroDivisionError("secret"))
    assert (error.code, error.message) == (
        "INTERNAL", "a defect in Kapture Panel (ZeroDivisionError); its log has the details",
    )  # fmt: skip


def test_the_message_is_what_python_prints() -> None:
    assert str(KaptureError("BUSY", "wait a moment")) == "wait a moment"


@pytest.mark.parametrize("code", CODES)
def test_every_code_says_what_it_means(code: str) -> None:
    assert code == code.upper()
    assert len(CODES[code]) > 10
