"""What is kept of what was told."""

from __future__ import annotations

from PySide6.QtTest import QAbstractItemModelTester

from kapture_panel.window.widgets.notices_model import MAX_KEPT, NoticesModel
from kapture_panel.window.widgets.roles import DETAIL, ITEM, TONE


def test_the_latest_is_first_and_the_same_is_counted() -> None:
    model = NoticesModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.add("One", "", "info")
    for _ in range(3):
        model.add("Two", "a\nb", "error")
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Two ×3", "One"]
    assert (model.index(0).data(DETAIL), model.index(0).data(TONE)) == ("a b", "error")
    assert model.index(0).data(ITEM).text == "a\nb"
    assert tester.model() is model


def test_only_errors_are_unread_until_they_are_read() -> None:
    model = NoticesModel()
    model.add("One", "", "warn")
    model.add("Two", "x", "error")
    model.add("Three", "y", "error")
    assert model.unread == 2
    model.read("Two", "x")
    assert model.unread == 1
    model.read_all()
    assert model.unread == 0
    model.add("Three", "y", "error")
    assert model.unread == 1


def test_the_oldest_are_forgotten() -> None:
    model = NoticesModel()
    for number in range(MAX_KEPT + 5):
        model.add(f"Notice {number}", "", "info")
    assert model.rowCount() == MAX_KEPT
    assert model.index(MAX_KEPT - 1).data() == "Notice 5"
