"""The desk of pairing: one request at a time, both must say yes, and it ends by itself."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry import pairing
from kapture_panel.core.registry.pairing import MAX_REQUESTS, PairingDesk, PairingRequest, code_of

#: Each, and what it does when its time has come.
Timers = list[tuple[asyncio.TimerHandle, Callable[[], object]]]


class Desk:
    """An attended desk and what it told."""

    def __init__(self, expiry_s: float = 60.0) -> None:
        self.desk = PairingDesk(expiry_s)
        self.desk.attend()
        self.asked: list[PairingRequest] = []
        self.settled: list[str] = []
        self.desk.asked.connect(self.asked.append)
        self.desk.settled.connect(lambda request: self.settled.append(request.state))

    def ask(self, install: str = "one") -> PairingRequest:
        request = self.desk.begin(install, "Chrome 156")
        self.desk.show(request, "123456")
        return request


@pytest.fixture
async def desk() -> Desk:
    return Desk()


@pytest.fixture
async def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    """Those that are set from now on."""
    loop = asyncio.get_running_loop()
    known: Timers = []
    call_later = loop.call_later

    def noted(delay_s: float, work: Callable[..., object], *given: Any) -> asyncio.TimerHandle:
        known.append((call_later(delay_s, work, *given), partial(work, *given)))
        return known[-1][0]

    monkeypatch.setattr(loop, "call_later", noted)
    return known


def test_the_code_is_six_digits_and_everything_is_part_of_it() -> None:
    said = ("install", "127.0.0.1:61822", "nonce", "panel")
    code = code_of(*said)
    assert len(code) == 6
    assert code.isdigit()
    for changed in range(4):
        other = [f"{word}x" if number == changed else word for number, word in enumerate(said)]
        assert code_of(*other) != code


async def test_it_takes_both_words_in_any_order(desk: Desk) -> None:
    for first, second in (("allow", "confirm"), ("confirm", "allow")):
        request = desk.ask()
        getattr(desk.desk, first)(request)
        getattr(desk.desk, first)(request)
        assert not request.decided.is_set()
        getattr(desk.desk, second)(request)
        assert request.decided.is_set()
        desk.desk.finish(request)
    assert desk.settled == ["paired", "paired"]


async def test_nobody_is_shown_before_there_is_a_code(desk: Desk) -> None:
    request = desk.desk.begin("one", "Chrome 156")
    desk.desk.withdraw(request)
    assert (desk.asked, desk.settled) == ([], [])


async def test_one_at_a_time(desk: Desk) -> None:
    request = desk.ask()
    with pytest.raises(KaptureError, match="another browser is being paired") as raised:
        desk.desk.begin("two", "Edge")
    assert raised.value.code == "BUSY"
    desk.desk.refuse(request)
    assert request.decided.is_set()
    assert desk.ask("two").state == "open"


async def test_a_flood_is_turned_away_and_a_while_later_all_is_well(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for _ in range(MAX_REQUESTS):
        desk.desk.withdraw(desk.ask())
    for _ in range(1000):
        with pytest.raises(KaptureError, match="try again in 60 s") as raised:
            desk.ask()
        assert raised.value.code == "RATE_LIMITED"
    assert len(desk.asked) == MAX_REQUESTS
    now = pairing.WINDOW_S
    assert desk.ask().state == "open"


async def test_what_nobody_decides_expires_and_its_buttons_do_nothing_then() -> None:
    desk = Desk(expiry_s=0.01)
    request = desk.ask()
    desk.desk.confirm(request)
    await request.decided.wait()
    assert request.state == "expired"
    desk.desk.allow(request)
    desk.desk.refuse(request)
    assert not request.is_allowed
    assert desk.settled == ["expired"]
    assert desk.desk.current is None


async def test_an_old_timer_does_not_end_the_next_request(desk: Desk, timers: Timers) -> None:
    desk.desk.refuse(desk.ask())
    second = desk.ask()
    _, expire_the_first = timers[0]
    expire_the_first()
    assert (desk.settled, desk.desk.current, second.state) == (["refused"], second, "open")


async def test_with_nobody_to_ask_nobody_is_asked(desk: Desk) -> None:
    request = desk.ask()
    desk.desk.leave()
    assert request.state == "refused"
    with pytest.raises(KaptureError, match="no window to pair in") as raised:
        desk.ask()
    assert raised.value.code == "DENIED"


def test_the_code_is_the_hash_of_what_was_said_line_by_line() -> None:
    """Written down apart from the code: the extension works it out, too."""
    text = "pairing\ninstall\n127.0.0.1:61822\nnonce\npanel"
    number = int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)
    assert code_of("install", "127.0.0.1:61822", "nonce", "panel") == f"{number % 1_000_000:06}"


async def test_a_request_is_greeted_first_and_counts_for_nothing_until_it_is_shown(desk: Desk) -> None:
    request = desk.desk.begin("one", "Chrome 156")
    assert (request.state, request.code, request.install, request.browser) == ("greeting", "", "one", "Chrome 156")
    desk.desk.allow(request)
    desk.desk.confirm(request)
    assert (request.is_allowed, request.is_confirmed, request.decided.is_set()) == (False, False, False)


async def test_a_word_is_told_once(desk: Desk) -> None:
    told: list[PairingRequest] = []
    desk.desk.changed.connect(told.append)
    request = desk.ask()
    for word in (desk.desk.confirm, desk.desk.confirm, desk.desk.allow, desk.desk.allow):
        word(request)
    assert told == [request, request]


def test_a_desk_is_attended_only_once_somebody_is_there() -> None:
    with pytest.raises(KaptureError, match="no window to pair in"):
        PairingDesk().begin("one", "Chrome 156")


async def test_leaving_an_empty_desk_is_nothing(desk: Desk) -> None:
    desk.desk.leave()
    assert desk.settled == []


async def test_the_oldest_of_the_last_requests_says_when_the_next_may_come(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for second in range(MAX_REQUESTS):
        now = 10.0 * second
        desk.desk.withdraw(desk.ask())
    now = pairing.WINDOW_S - 1
    with pytest.raises(KaptureError, match="try again in 1 s"):
        desk.ask()


async def test_a_request_that_was_decided_has_no_timer_left(desk: Desk, timers: Timers) -> None:
    desk.desk.finish(desk.ask())
    assert [timer.cancelled() for timer, _ in timers] == [True]
