"""The requests model changes rows where they stand, is bounded and filters what is there and what comes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.core.wire.events import RequestSeen
from kapture_panel.window.page.requests_model import (
    ADDRESS,
    SITE,
    SIZE,
    SOURCE,
    SOURCES,
    STATUS,
    TIME,
    TYPE,
    TYPES,
    RequestFilter,
    RequestsModel,
)
from kapture_panel.window.widgets.roles import TONE
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.text_filter import TextFilter


def told(number: int, **more: Any) -> RequestSeen:
    about = {"at": number, "method": "GET", "type": "fetch", "url": f"https://a.example/{number}", **more}
    return RequestSeen(id=f"r{number}", **about)


def column(model: RequestsModel, number: int) -> list[str]:
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_it_keeps_the_rules_of_a_model(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    requests = NetworkLog()
    model = RequestsModel(requests, subscriptions, max_requests=40)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for start in range(0, 100, 20):
        requests.take("t1", [told(number) for number in range(start, start + 20)])
        qtbot.wait(60)
        requests.take("t1", [told(number, status=200 + number % 2 * 300) for number in range(start, start + 20)])
        qtbot.wait(60)
    assert model.rowCount() <= 40
    model.set_filter(RequestFilter(is_failed=True))
    requests.take("t1", [told(98, status=500)])
    qtbot.waitUntil(lambda: "/98" in column(model, ADDRESS))
    assert column(model, ADDRESS)[-2:] == ["/98", "/99"]
    requests.take("t1", [told(98, status=200)])
    qtbot.waitUntil(lambda: "/98" not in column(model, ADDRESS))
    requests.clear("t1")
    assert (model.rowCount(), model.total, model.failed) == (0, 0, 0)
    tester.deleteLater()


def test_a_request_that_goes_on_changes_its_row_alone(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    requests = NetworkLog()
    requests.take("t1", [told(1), told(2)])
    model = RequestsModel(requests, subscriptions)
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    assert column(model, STATUS) == ["pending", "pending"]
    requests.take("t1", [told(1, status=404, finished=True, ms=12, bytes=2048)])
    qtbot.waitUntil(lambda: changed != [])
    assert changed == [(0, 0)]
    assert [model.index(0, at).data() for at in (STATUS, SIZE, TIME)] == ["✗ 404", "2 kB", "12 ms"]
    assert model.index(0, ADDRESS).data(TONE) == "error"
    assert model.index(0, STATUS).data(Qt.ItemDataRole.AccessibleTextRole) == "failed: 404"
    assert (model.total, model.failed) == (2, 1)


def test_words_of_a_row_are_plain(subscriptions: Subscriptions) -> None:
    requests = NetworkLog()
    sly = "https://a\u202e.example/\u2066x\ny?q=1"
    requests.take("t1", [told(1, url=sly, source="service worker", type="stylesheet", failure="net::ERR_FAILED", ms=0)])
    requests.take("t1", [told(2, url="data:text/plain,… (40 characters)"), told(3, url="http://[half")])
    model = RequestsModel(requests, subscriptions)
    row = [model.index(0, at).data() for at in (STATUS, ADDRESS, SITE, TYPE, SOURCE, TIME)]
    assert row == ["✗ failed", "/x y?q=1", "a.example", "style", "worker", "< 1 ms"]
    assert column(model, ADDRESS)[1:] == ["data:text/plain,… (40 characters)", "http://[half"]


def test_what_is_asked_for_is_shown(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    requests = NetworkLog()
    requests.take("t1", [told(1, type="script", source="disk cache", status=200), told(2, status=500, method="POST")])
    requests.take("t2", [told(3, type="websocket", status=101)])
    model = RequestsModel(requests, subscriptions)
    for wanted, found in (
        (RequestFilter(TextFilter("post")), ["/2"]),
        (RequestFilter(TextFilter("disk|101", is_pattern=True)), ["/1", "/3"]),
        (RequestFilter(types=TYPES["Scripts"]), ["/1"]),
        (RequestFilter(sources=SOURCES["Network"]), ["/2", "/3"]),
        (RequestFilter(tab_id="t2"), ["/3"]),
        (RequestFilter(is_failed=True), ["/2"]),
        (RequestFilter(), ["/1", "/2", "/3"]),
    ):
        model.set_filter(wanted)
        assert column(model, ADDRESS) == found, wanted
    model.set_filter(RequestFilter(tab_id="t2"))
    assert (model.total, model.failed) == (1, 0)
    requests.take("t1", [told(4)])
    requests.take("t2", [told(5)])
    qtbot.waitUntil(lambda: column(model, ADDRESS) == ["/3", "/5"])
    assert model.total == 2
    assert model.row_of(requests.all("t2")[1]) == 1
    assert model.row_of(requests.all("t1")[0]) is None


def test_the_oldest_go_and_the_counts_follow(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    requests = NetworkLog(max_requests_per_tab=1000)
    model = RequestsModel(requests, subscriptions, max_requests=100)
    gone: list[int] = []
    model.trimmed.connect(gone.append)
    requests.take("t1", [told(number, status=500) for number in range(60)])
    qtbot.waitUntil(lambda: model.rowCount() == 60)
    requests.take("t1", [told(number, status=200) for number in range(60, 120)])
    qtbot.waitUntil(lambda: gone != [])
    assert (model.rowCount(), model.total, model.failed) == (120 - sum(gone), 120 - sum(gone), 60 - sum(gone))
    assert model.total <= 100


def test_clearing_one_tab_leaves_the_others(subscriptions: Subscriptions) -> None:
    requests = NetworkLog()
    requests.take("t1", [told(1, status=500), told(2)])
    requests.take("t2", [told(3)])
    model = RequestsModel(requests, subscriptions)
    requests.take("t1", [told(9)])
    requests.clear("t1")
    assert column(model, ADDRESS) == ["/3"]
    assert (model.total, model.failed) == (1, 0)
