"""The bars of the network log."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from kapture_panel.core.stores.network_log import Request
from kapture_panel.window.page.requests_model import TIMELINE
from kapture_panel.window.page.timeline_delegate import bar_of, span_of
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import fill_requests
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, until


def request(at: float, ms: float | None = 10.0, tab_id: str = "t1", *, is_finished: bool = True) -> Request:
    return Request(tab_id, f"r{at}", at, "GET", "fetch", "https://a.example/", ms=ms, is_finished=is_finished)


def test_the_scale_is_that_of_one_tab_up_to_a_long_pause() -> None:
    requests = [request(0, 50), request(20, 5, "t2"), request(40, 100), request(5000, 20), request(5010, 90)]
    assert [span_of(requests, at) for at in range(5)] == [(0, 140), (20, 25), (0, 140), (5000, 5100), (5000, 5100)]


@pytest.mark.parametrize(
    ("asked", "bar"),
    [
        (request(0, 50), (0, 50)),
        (request(60, 40), (60, 40)),
        (request(60, 0.1), (60, 3)),
        (request(100, 0), (97, 3)),
        (request(70, None, is_finished=False), (70, 30)),
        (request(100, None, is_finished=False), (88, 12)),
    ],
)
def test_a_bar_begins_and_ends_as_its_request_did(asked: Request, bar: tuple[float, float]) -> None:
    assert bar_of(asked, 0, 100, 100) == pytest.approx(bar)


@on_qt_loop
async def test_the_bars_are_drawn_and_said(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    fill_requests(instance)
    window.rooms.page.logs.show_page("network")
    table = window.rooms.page.network.table
    await until(lambda: table.model().rowCount() == 7, "the requests")
    QApplication.processEvents()
    image = table.viewport().grab().toImage()
    accent, error = (window.shell.theme.color(role).rgb() for role in ("accent", "error"))
    found = []
    for row in range(7):
        cell = table.visualRect(table.model().index(row, TIMELINE))
        line = [image.pixel(x, cell.center().y()) for x in range(cell.left(), cell.right())]
        found.append((accent in line, error in line))
    assert found[0] == found[2] == (True, False)
    assert found[4] == (False, True), "one that failed is red"
    said = table.model().index(0, TIMELINE).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith("Began at ")
    assert said.endswith(", took 61 ms")
