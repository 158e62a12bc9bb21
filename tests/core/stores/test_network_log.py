"""Requests of tabs: one entry per request however often it is told, a bound per tab."""

from __future__ import annotations

from typing import Any

import msgspec

from kapture_panel.core.stores.network_log import MAX_REQUESTS_PER_TAB, MAX_TABS, NetworkLog, Request
from kapture_panel.core.wire.events import RequestSeen


def told(number: int, **more: Any) -> RequestSeen:
    wire = {
        "kind": "request", "id": f"r{number}", "at": 1000 + number, "method": "GET", "type": "fetch",
        "url": f"https://a.example/{number}", "status": None, "failure": None, "finished": False, "source": "network",
        "ms": None, "bytes": 0, "context": "page", **more,
    }  # fmt: skip
    return msgspec.convert(wire, RequestSeen)


def test_a_request_keeps_every_field_of_the_wire() -> None:
    requests = NetworkLog()
    requests.take("t1", [told(1, status=200, finished=True, ms=12, bytes=340, source="disk cache", context="worker")])
    requests.take("t1", [told(2, failure="net::ERR_FAILED", finished=True)])
    assert requests.all() == [
        Request(
            "t1", "r1", 1001, "GET", "fetch", "https://a.example/1", 200, "", True, "disk cache", 12, 340, "worker"
        ),
        Request("t1", "r2", 1002, "GET", "fetch", "https://a.example/2", failure="net::ERR_FAILED", is_finished=True),
    ]
    assert [request.is_failed for request in requests.all()] == [False, True]


def test_what_is_told_again_stands_in_its_old_place() -> None:
    requests = NetworkLog()
    heard: list[list[Request]] = []
    requests.changed.connect(heard.append)
    requests.take("t1", [told(1), told(2), told(1, status=404)])
    requests.take("t1", [told(1, status=404, finished=True)])
    assert [(one.id, one.status, one.is_finished) for one in requests.all("t1")] == [
        ("r1", 404, True),
        ("r2", None, False),
    ]
    assert [[one.id for one in batch] for batch in heard] == [["r1", "r2"], ["r1"]]


def test_an_id_given_anew_is_another_request_and_the_old_one_is_no_longer_current() -> None:
    requests = NetworkLog()
    requests.take("t1", [told(1)])
    (old,) = requests.all()
    assert requests.is_current(old)
    requests.take("t1", [told(1, at=9000)])
    assert len(requests.all()) == 2
    assert not requests.is_current(old)
    assert requests.is_current(requests.all()[1])


def test_the_oldest_of_a_tab_go_and_other_tabs_keep_theirs() -> None:
    requests = NetworkLog(max_requests_per_tab=3)
    requests.take("t2", [told(1)])
    requests.take("t1", [told(number) for number in range(5)])
    assert [one.id for one in requests.all("t1")] == ["r2", "r3", "r4"]
    assert len(requests.all("t2")) == 1


def test_a_flood_keeps_the_bound() -> None:
    requests = NetworkLog()
    for start in range(0, 3 * MAX_REQUESTS_PER_TAB, 100):
        requests.take("t1", [told(number) for number in range(start, start + 100)])
    assert len(requests.all("t1")) == MAX_REQUESTS_PER_TAB
    assert len(requests._newest) == MAX_REQUESTS_PER_TAB


def test_the_tab_that_was_silent_for_longest_gives_way_to_one_too_many() -> None:
    requests = NetworkLog()
    for number in (*range(MAX_TABS), 0, MAX_TABS):
        requests.take(f"t{number}", [told(1)])
    assert (len(requests.all("t0")), requests.all("t1")) == (1, [])
    assert len(requests.all()) == MAX_TABS


def test_clearing_forgets_one_tab_or_all() -> None:
    requests = NetworkLog()
    heard: list[str] = []
    requests.cleared.connect(heard.append)
    for tab_id in ("t1", "t2"):
        requests.take(tab_id, [told(1)])
    requests.clear("t1")
    assert [one.tab_id for one in requests.all()] == ["t2"]
    requests.clear()
    assert requests.all() == []
    assert requests._newest == {}
    assert heard == ["t1", ""]
