"""JSON as a tree and as a table."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from kapture_panel.window.widgets.json_model import JsonModel
from kapture_panel.window.widgets.records_model import RecordsModel, records_in

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
VALUE = {"result": {"list": [1, {"deep": None}], "text": "a\u202eb"}, "empty": [], "flag": True}


def walk(model: JsonModel, parent: QModelIndex) -> Any:
    return [
        (
            model.index(row, 0, parent).data(),
            model.index(row, 1, parent).data(),
            walk(model, model.index(row, 0, parent)),
        )
        for row in range(model.rowCount(parent))
    ]


def test_a_tree_shows_keys_values_and_sizes(qapp: object) -> None:
    model = JsonModel()
    tester = QAbstractItemModelTester(model, FATAL)
    model.show(VALUE)
    assert walk(model, QModelIndex()) == [
        (
            "result",
            "{ 2 }",
            [("list", "[ 2 ]", [("0", "1", []), ("1", "{ 1 }", [("deep", "null", [])])]), ("text", '"ab"', [])],
        ),
        ("empty", "[]", []),
        ("flag", "true", []),
    ]
    model.show({})
    assert model.rowCount() == 0
    tester.deleteLater()


def test_a_large_array_is_not_walked_before_it_is_opened(qapp: object) -> None:
    model = JsonModel()
    model.show({"result": list(range(200_000))})
    assert model.rowCount(model.index(0, 0)) == 200_000
    assert model.index(199_999, 1, model.index(0, 0)).data() == "199999"


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ([{"a": 1}], [{"a": 1}]),
        ({"tabs": [{"a": 1}], "total": 1}, [{"a": 1}]),
        ({"one": [{"a": 1}], "two": [{"b": 2}]}, None),
        ([1, 2], None),
        ([], None),
        ("text", None),
        (None, None),
    ],
)
def test_an_array_of_objects_is_found(result: Any, found: Any) -> None:
    assert records_in(result) == found


def test_a_table_has_the_keys_of_all_its_rows(qapp: object) -> None:
    model = RecordsModel()
    tester = QAbstractItemModelTester(model, FATAL)
    model.show([{"a": "x", "b": 1}, {"b": {"c": 2}, "d": None}])
    assert [[model.index(row, column).data() for column in range(3)] for row in range(2)] == [
        ["x", "1", ""],
        ["", "{ 1 }", "null"],
    ]
    tester.deleteLater()
