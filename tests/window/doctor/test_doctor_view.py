"""Links are ticked off while they are tried, and the first broken one is shown with its fix."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.doctor import CHAIN, GROUND, TITLES, Check
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import DETAIL, PILL
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, until

CHECKS = [
    Check("client", "idle", "no agent", "add one"),
    *(Check(link, "ok", f"{link} is there", ms=12) for link in (*CHAIN, *GROUND) if link not in ("client", "worker")),
    Check("worker", "failed", "no <b>answer</b>\u202e", "reload it", 5000),
]


def pill(window: MainWindow, row: int) -> str:
    found = window.rooms.doctor.view.model.index(row).data(PILL)
    return str(found[0]) if found else ""


@on_qt_loop
async def test_the_doctor_is_run_from_the_status_line_and_again(window: MainWindow, instance: Instance) -> None:
    view, instance.checks = window.rooms.doctor.view, CHECKS
    instance.may_check.clear()
    window.rooms.doctor.button.click()
    await until(lambda: view.said.text() == "Checking …")
    assert view.isVisible()
    assert not view.again.isEnabled()
    assert [pill(window, row) for row in range(view.model.rowCount())] == [""] * len(TITLES_SHOWN)
    instance.may_check.set()
    await until(view.again.isEnabled)
    assert view.said.text() == "1 problem"
    assert pill(window, 0) == "–"
    assert pill(window, 1) == "✓ 12 ms"
    assert view.list.currentIndex().data() == TITLES["worker"]
    assert view.list.currentIndex().data(DETAIL) == "no <b>answer</b>"
    assert view.whole.text() == "No <b>answer</b>\n→ reload it"
    view.copy.click()
    assert "→ reload it" in QApplication.clipboard().text()
    instance.checks = [check for check in CHECKS if check.state != "failed"]
    view.again.click()
    await until(lambda: view.said.text() == "Nothing is broken")
    assert view.list.currentIndex().data() == TITLES["client"]
    QTest.keyClick(view.list, Qt.Key.Key_Escape)
    assert view.isHidden()


@on_qt_loop
async def test_what_was_not_tried_says_so_at_the_end(window: MainWindow, instance: Instance) -> None:
    view, instance.checks = window.rooms.doctor.view, CHECKS[:1]
    instance.may_check.clear()
    window.rooms.doctor.button.click()
    await until(lambda: view.said.text() == "Checking …")
    assert view.model.index(1).data(DETAIL) == "…"
    instance.may_check.set()
    await until(view.again.isEnabled)
    assert view.model.index(1).data(DETAIL) == "not tried"
    assert view.model.index(1).data(Qt.ItemDataRole.AccessibleTextRole).endswith("not tried")


TITLES_SHOWN = [TITLES[link] for link in (*CHAIN, *GROUND)]
