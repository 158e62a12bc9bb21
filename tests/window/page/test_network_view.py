"""Requests follow live; one of them is shown in detail, read without a row in the history."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from kapture_panel.core.wire.events import RequestSeen
from kapture_panel.core.wire.protocol import Response
from kapture_panel.window.page.network_view import NetworkView
from kapture_panel.window.page.requests_model import ADDRESS, SITE, TYPE
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import REQUEST
from tests.support.window.fakes import Instance, failed, ok
from tests.support.window.qt_loop import on_qt_loop, settle, until


def told(number: int, **more: Any) -> RequestSeen:
    about = {"at": number, "method": "GET", "type": "fetch", "url": f"https://a.example/{number}", **more}
    return RequestSeen(id=f"r{number}", **about)


@pytest.fixture
def view(window: MainWindow, instance: Instance) -> NetworkView:
    instance.add_tab("t1")
    window.rooms.page.logs.show_page("network")
    return window.rooms.page.network


async def shown(view: NetworkView, rows: int) -> None:
    await until(lambda: view.table.model().rowCount() == rows, f"{rows} requests")


@on_qt_loop
async def test_a_chosen_request_is_asked_for_in_its_tab_and_shown(view: NetworkView, instance: Instance) -> None:
    instance.add_tab("t2")
    instance.executor.answers["get_request"] = ok(
        "r1 POST https://a.example/1\ntime: 0; 3 ms in all\nrequest headers:\n  cookie: sid=***\n\u202ehidden"
    )
    instance.requests.take("t2", [told(1, method="POST", status=500, finished=True)])
    await shown(view, 1)
    row = view.table.visualRect(view.table.model().index(0, ADDRESS)).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert view.detail.told.startswith("POST https://a.example/1\nstatus: ✗ 500")
    assert not view.tail.is_following
    await until(lambda: "cookie" in view.detail.told, "the details")
    assert instance.executor.sent == [("t2", "kapturemcp_get_request", {"requestId": "r1"})]
    text = view.detail.told
    assert ("\u202e" in text, "time: 0;" in text, text.startswith("r1 POST")) == (False, False, True)
    assert len(instance.history) == 0, "looking is not doing"


@on_qt_loop
async def test_going_along_rows_asks_for_the_one_where_the_person_stays(view: NetworkView, instance: Instance) -> None:
    instance.executor.answers["get_request"] = ok("the details")
    instance.requests.take("t1", [told(number) for number in range(1, 6)])
    await shown(view, 5)
    view.table.setFocus()
    view.table.selectRow(0)
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    for _ in range(4):
        QTest.keyClick(view.table, Qt.Key.Key_Down)
    await until(lambda: view.detail.told == "the details", "the details")
    assert [params["requestId"] for _, _, params in instance.executor.sent] == ["r5"]
    QTest.keyClick(view.table, Qt.Key.Key_Escape)
    assert view.detail.isHidden()
    QTest.keyClick(view.table, Qt.Key.Key_Up)
    await settle(0.3)
    assert len(instance.executor.sent) == 1


@on_qt_loop
async def test_details_that_come_late_do_not_stand_under_another_request(view: NetworkView, instance: Instance) -> None:
    may_answer = asyncio.Event()

    async def answer(_command: str, params: dict[str, Any]) -> Response:
        if params["requestId"] == "r1":
            await may_answer.wait()
        return ok(f"details of {params['requestId']}")

    instance.executor.answers["get_request"] = answer
    instance.requests.take("t1", [told(1), told(2)])
    await shown(view, 2)
    view.open_detail(0)
    await until(lambda: instance.executor.sent, "the first question")
    view.open_detail(1)
    await until(lambda: "details of r2" in view.detail.told, "the second")
    may_answer.set()
    await settle()
    assert view.detail.told == "details of r2"


@pytest.mark.parametrize("is_renumbered", [False, True])
@on_qt_loop
async def test_a_request_that_is_no_longer_kept_says_so(
    view: NetworkView, instance: Instance, is_renumbered: bool
) -> None:
    instance.executor.answers["get_request"] = ok("of another request")
    instance.requests.take("t1", [told(1, status=200)])
    if is_renumbered:
        instance.requests.take("t1", [told(1, at=99)])
    else:
        instance.tabs.remove(instance.tabs.get("t1"))
    await shown(view, 1 + is_renumbered)
    view.open_detail(0)
    await until(lambda: view.detail.note.text(), "the reason")
    assert "no longer kept" in view.detail.note.text()
    assert view.detail.told.startswith("GET https://a.example/1\nstatus: 200")


@on_qt_loop
async def test_what_the_extension_refuses_is_told_in_its_words(view: NetworkView, instance: Instance) -> None:
    instance.executor.answers["get_request"] = failed("INVALID_PARAMS", "there is no request r1")
    instance.requests.take("t1", [told(1)])
    await shown(view, 1)
    view.open_detail(0)
    await until(lambda: view.detail.note.text() == "there is no request r1", "the refusal")
    view.window().activateWindow()
    view.detail.table.setFocus()
    QTest.keyClick(view.detail.table, Qt.Key.Key_Escape)
    assert view.detail.isHidden()


@on_qt_loop
async def test_the_list_follows_and_its_tools_count_filter_and_clear(view: NetworkView, instance: Instance) -> None:
    instance.requests.take("t1", [told(number) for number in range(100)])
    await shown(view, 100)
    bar = view.table.verticalScrollBar()
    await until(lambda: bar.value() == bar.maximum() > 0, "the tail")
    assert (view.count.text(), view.failed_chip.isHidden()) == ("100 requests", True)
    bar.setValue(5)
    instance.requests.take("t1", [told(100, status=404), told(101, type="script", failure="net::ERR_FAILED")])
    await shown(view, 102)
    assert (bar.value(), view.tail.pill.text()) == (5, "↓ 2 new")
    assert (view.failed_chip.text(), view.failed_chip.accessibleName()) == ("2 failed", "Show only 2 failed requests")
    view.failed_chip.click()
    assert view.table.model().rowCount() == 2
    view.types.setCurrentIndex(view.types.findText("Scripts"))
    assert view.table.model().rowCount() == 1
    view.sources.setCurrentIndex(view.sources.findText("Disk cache"))
    assert view.table.model().rowCount() == 0
    view.cleared.emit()
    assert instance.requests.all() == []
    assert (view.count.text(), view.failed_chip.text()) == ("", "0 failed")


@on_qt_loop
async def test_copied_details_reach_the_clipboard_and_the_end_of_the_window_ends_the_question(
    window: MainWindow, view: NetworkView, instance: Instance
) -> None:
    instance.executor.answers["get_request"] = ok("the details")
    instance.requests.take("t1", [told(1)])
    await shown(view, 1)
    view.open_detail(0)
    await until(lambda: view.detail.told == "the details", "the details")
    view.detail._copy()
    assert QApplication.clipboard().text() == "the details"
    view.open_detail(0)
    window.release()
    await settle(0.3)
    assert len(instance.executor.sent) == 1


@on_qt_loop
async def test_headers_are_a_table_and_bodies_stand_beside(view: NetworkView, instance: Instance) -> None:
    instance.executor.answers["get_request"] = ok(REQUEST)
    instance.requests.take("t1", [told(1, status=200, finished=True)])
    await shown(view, 1)
    view.window().activateWindow()
    view.table.setFocus()
    view.table.selectRow(0)
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    detail = view.detail
    assert not detail.views.isVisible(), "so far nothing is known of bodies"
    await until(detail.views.isVisible, "the details")
    groups = [detail.table.topLevelItem(at) for at in range(detail.table.topLevelItemCount())]
    assert [group.text(0) for group in groups if group] == ["General", "Response headers · 2", "Request headers · 2"]
    cookie = groups[2].child(1) if groups[2] else None
    assert cookie is not None
    assert (cookie.text(0), cookie.text(1)) == ("cookie", "sid=***")
    detail.table.setFocus()
    detail.table.setCurrentItem(cookie)
    QTest.keyClick(detail.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "sid=***"
    detail.views.buttons[2].click()
    assert detail.body.isVisible()
    assert not detail.table.isVisible()
    assert detail.body.text() == '{"items": [{"id": 1042}], "total": 38.5}'
    assert detail.about.text() == "application/json, 40 B"
    instance.executor.answers["get_request"] = ok("r1 GET https://a.example/1\nstatus: 204")
    view.open_detail(0)
    await until(lambda: detail.told.endswith("status: 204"), "the details of what has no body")
    assert detail.table.isVisible(), "it shows its headers"


@on_qt_loop
async def test_columns_say_the_type_and_names_of_headers_leave_the_room_to_values(
    window: MainWindow, view: NetworkView, instance: Instance
) -> None:
    instance.executor.answers["get_request"] = ok(REQUEST)
    window.resize(1440, 900)
    instance.requests.take("t1", [told(1, finished=True)])
    await shown(view, 1)
    assert (view.table.isColumnHidden(TYPE), view.table.isColumnHidden(SITE)) == (False, True)
    view.open_detail(0)
    await until(lambda: "cookie" in view.detail.told, "the details")
    table = view.detail.table
    needed = table.fontMetrics().horizontalAdvance("cache-control")
    assert needed < table.columnWidth(0) <= needed + 46, "and the indentation"


@on_qt_loop
async def test_in_a_small_window_the_details_stand_in_place_of_the_list(
    window: MainWindow, view: NetworkView, instance: Instance
) -> None:
    instance.executor.answers["get_request"] = ok(REQUEST)
    window.activateWindow()
    window.resize(800, 600)
    instance.requests.take("t1", [told(1, finished=True)])
    await shown(view, 1)
    view.table.setFocus()
    view.open_detail(0)
    await until(lambda: "r0 GET" in view.detail.told, "the details")
    assert not view.table.isVisible()
    focused = QApplication.focusWidget()
    assert focused is not None
    assert view.detail.isAncestorOf(focused)
    bar = view.detail.views.parentWidget()
    assert bar is not None
    assert all(bar.rect().contains(button.geometry()) for button in bar.findChildren(QToolButton))
    assert view.filter.placeholderText() == "Filter"
    window.resize(1440, 900)
    await until(view.table.isVisible, "the list beside the details")
    assert view.filter.placeholderText() == "Filter · newest last"
    window.resize(800, 600)
    await until(view.table.isHidden, "the details alone")
    QTest.keyClick(view.detail.table, Qt.Key.Key_Escape)
    assert view.table.isVisible()
    assert view.table.hasFocus()


@on_qt_loop
async def test_the_details_stay_at_their_request_when_its_row_goes_and_comes(
    view: NetworkView, instance: Instance
) -> None:
    instance.executor.answers["get_request"] = ok("the details")
    instance.requests.take("t1", [told(number) for number in (1, 2, 3)])
    await shown(view, 3)
    view.filter.setText("pending")
    view.table.setFocus()
    view.table.selectRow(1)
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    await until(lambda: view.detail.told == "the details", "the details")
    instance.requests.take("t1", [told(2, status=200, finished=True)])
    await shown(view, 2)
    await until(lambda: len(instance.executor.sent) == 2, "the second question")
    assert view.table.selected_rows() == []
    view.filter.setText("")
    await shown(view, 3)
    assert view.table.selected_rows() == [1]
    instance.requests.take("t2", [told(4)])
    await shown(view, 4)
    instance.requests.clear("t2")
    view.filter.setText("/3")
    await shown(view, 1)
    view.filter.setFocus()
    view.table.setFocus(Qt.FocusReason.TabFocusReason)
    await settle(0.3)
    assert [params["requestId"] for _, _, params in instance.executor.sent] == ["r2", "r2"], "the person chose no other"


@on_qt_loop
async def test_the_details_of_a_pending_request_go_on_with_it(view: NetworkView, instance: Instance) -> None:
    head, headers = (
        "r1 GET https://a.example/1\nstatus: {}\nrequest headers:\n  accept: */*",
        "\nresponse headers:\n  age: 1",
    )
    instance.executor.answers["get_request"] = ok(f"{head.format('pending')}\nrequest body (text/plain, 2 B):\nhi")
    instance.requests.take("t1", [told(1), told(2)])
    await shown(view, 2)
    view.open_detail(0)
    await until(lambda: "accept" in view.detail.told, "the details")
    view.detail.views.buttons[1].click()
    instance.executor.answers["get_request"] = ok(
        f"{head.format('200 OK')}\nrequest body (text/plain, 2 B):\nhi{headers}"
    )
    instance.requests.take("t1", [told(2, status=404)])
    instance.requests.take("t1", [told(1, status=200)])
    assert "\nstatus: 200\n" in view.detail.told, "what the list says"
    assert "accept: */*" in view.detail.told
    await until(lambda: "age: 1" in view.detail.told, "the newer details")
    assert "\nstatus: 200 OK\n" in view.detail.told
    assert (view.detail.body.isVisible(), view.detail.body.text()) == (True, "hi"), "the part that was picked stays"


@pytest.mark.parametrize("tab_id", ["t1", None])
@pytest.mark.parametrize("had_focus", [True, False])
@on_qt_loop
async def test_nothing_of_a_cleared_request_is_kept(
    window: MainWindow, view: NetworkView, instance: Instance, tab_id: str | None, had_focus: bool
) -> None:
    instance.executor.answers["get_request"] = ok(REQUEST)
    instance.requests.take("t1", [told(1), told(2)])
    await shown(view, 2)
    window.activateWindow()
    view.open_detail(0)
    await until(lambda: "cookie" in view.detail.told, "the details")
    detail = view.detail
    detail.views.buttons[2].click()
    instance.requests.clear("t2")
    assert detail.isVisible(), "another tab's were cleared"
    focused = detail.body if had_focus else view.filter
    focused.setFocus()
    instance.requests.take("t1", [told(1, status=200)])
    instance.requests.clear(tab_id)
    assert detail.isHidden()
    assert (detail.told, detail.body.text(), detail.about.text()) == ("", "", "")
    assert not detail.table.findItems("cookie", Qt.MatchFlag.MatchRecursive)
    assert QApplication.focusWidget() is (view.table if had_focus else view.filter)
    await settle(0.3)
    assert len(instance.executor.sent) == 1, "nobody asks for it any more"
