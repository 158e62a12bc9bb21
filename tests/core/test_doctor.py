"""A check tells what was found, how long it took and what to do."""

from __future__ import annotations

import re

import msgspec
import pytest

from kapture_panel.core import doctor
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, TITLES, Check, Ill, NotYet, tried


def test_the_chain_goes_from_the_agent_to_the_page() -> None:
    assert list(CHAIN) == ["client", "child", "panel", "pause", "socket", "worker", "debugger", "tab"]
    assert len(set(TITLES.values())) == len(TITLES)


async def test_a_link_that_holds_has_a_time_and_nothing_to_do() -> None:
    async def work() -> str:
        return "there"

    check = await tried("tab", work, "fix it")
    assert (check.state, check.words, check.fix, check.sign) == ("ok", "there", "", "✓")
    assert check.ms is not None


@pytest.mark.parametrize(
    ("error", "state", "words", "fix"),
    [
        (Ill("broken", "mend it"), "failed", "broken", "mend it"),
        (NotYet("nothing", "begin"), "idle", "nothing", "begin"),
        (KaptureError("BUSY", "taken"), "failed", "taken", "usual"),
        (TimeoutError(), "failed", "no answer", "usual"),
        (ConnectionRefusedError(111, "Connection refused"), "failed", "[Errno 111] Connection refused", "usual"),
    ],
)
async def test_what_goes_wrong_is_told_with_its_fix(error: Exception, state: str, words: str, fix: str) -> None:
    async def work() -> str:
        raise error

    check = await tried("tab", work, "usual")
    assert (check.state, check.words, check.fix) == (state, words, fix)
    assert (check.ms is None) == (state == "idle")


async def test_a_defect_is_not_taken_for_an_illness() -> None:
    async def work() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await tried("tab", work, "")


def test_a_report_says_everything_and_what_is_missing_is_not_broken() -> None:
    checks = [Check("client", "idle", "none", "add one"), Check("tab", "ok", "answered", ms=1.25)]
    assert doctor.is_well(checks)
    text = doctor.report(checks)
    assert "– Your agent's program" in text
    assert "→ add one" in text
    assert "1.2 ms  answered" in text
    assert not doctor.is_well([*checks, Check("panel", "failed", "gone", "start it")])


def test_a_check_crosses_the_door_whole() -> None:
    check = Check("worker", "failed", "no answer", "reload", 2.5)
    assert msgspec.convert(msgspec.to_builtins(check), Check) == check


def test_no_link_has_a_name_of_the_trade() -> None:
    for title in TITLES.values():
        assert not re.search(r"\b(MCP|child|socket|wire|door)\b", title, re.IGNORECASE), title
