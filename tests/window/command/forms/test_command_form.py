"""Forms are made from the catalogue, give the right parameters and lose nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QPlainTextEdit,
)
from pytestqt.qtbot import QtBot

from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.choice_fields import CheckField, ChoiceField, ListField, TogglesField
from kapture_panel.window.command.forms.number_edit import NumberEdit
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.command.forms.text_fields import (
    LinesField,
    LongTextField,
    NumberField,
    NumbersField,
    TextField,
)
from kapture_panel.window.widgets.params_json import dump, load
from tests.support.window.forms.form import EVERY, button, click, edit, form_of
from tests.support.window.forms.samples import samples


@EVERY
def test_samples_are_valid_so_that_the_other_tests_mean_something(command: Command) -> None:
    for params in samples(command):
        command.validate(params)


@EVERY
def test_an_untouched_form_gives_only_what_may_be_empty_and_must_be_given(command: Command, qtbot: QtBot) -> None:
    form = form_of(command.name, qtbot)
    may_be_empty = [name for name in command.required if command.properties[name].get("typed")]
    assert form.read() == {name: "" for name in may_be_empty if not command.properties[name].get("minLength")}


@EVERY
def test_a_form_gives_back_what_it_was_given(command: Command, qtbot: QtBot) -> None:
    form = form_of(command.name, qtbot)
    for params in samples(command):
        assert form.write(params) == ""
        assert json.dumps(form.read(), sort_keys=True) == json.dumps(params, sort_keys=True)
        command.validate(form.read())


@EVERY
def test_form_to_json_and_back_loses_nothing(command: Command, qtbot: QtBot) -> None:
    first, second = form_of(command.name, qtbot), form_of(command.name, qtbot)
    for params in samples(command):
        first.write(params)
        assert second.write(load(dump(first.read()))) == ""
        assert dump(second.read()) == dump(first.read())


@EVERY
def test_every_parameter_but_the_tab_has_one_field_and_the_timeout_is_last(command: Command, qtbot: QtBot) -> None:
    form = form_of(command.name, qtbot)
    names = [name for field in form.fields for name in field.names]
    assert sorted(names) == sorted(command.all_properties.keys() - {"tabId"})
    if "timeout" in names:
        assert names[-1] == "timeout"


@EVERY
def test_an_explicit_default_is_not_lost(command: Command, qtbot: QtBot) -> None:
    form = form_of(command.name, qtbot)
    defaults = {name: schema["default"] for name, schema in command.all_properties.items() if "default" in schema}
    assert form.write(defaults) == ""
    assert {name: form.read()[name] for name in defaults} == defaults


@pytest.mark.parametrize(
    ("command", "name", "kind"),
    [
        ("click", "selector", TargetField),
        ("click", "button", ChoiceField),
        ("click", "clickCount", NumberField),
        ("click", "modifiers", TogglesField),
        ("reload", "ignoreCache", CheckField),
        ("handle_dialog", "accept", ChoiceField),
        ("logs", "level", ListField),
        ("logs", "context", ChoiceField),
        ("evaluate", "code", LongTextField),
        ("fill", "value", LongTextField),
        ("select", "values", LinesField),
        ("screenshot", "clip", NumbersField),
        ("navigate", "url", TextField),
    ],
)
def test_the_widget_fits_the_type(command: str, name: str, kind: type, qtbot: QtBot) -> None:
    assert type(form_of(command, qtbot).field(name)) is kind


def test_a_person_fills_in_a_click(qtbot: QtBot) -> None:
    form = form_of("click", qtbot)
    click(button(form, "Target by: xpath"))
    QTest.keyClicks(edit(form, "Target xpath"), "//b")
    click(button(form, "Button: right"))
    QTest.keyClicks(edit(form, "Count"), "2")
    click(button(form, "Modifiers: Ctrl"))
    click(button(form, "Modifiers: Alt"))
    QTest.keyClicks(edit(form, "Timeout"), "5 000")
    assert form.read() == {
        "xpath": "//b",
        "button": "right",
        "clickCount": 2,
        "modifiers": ["Control", "Alt"],
        "timeout": 5000,
    }


def test_only_the_chosen_way_of_a_target_is_read(qtbot: QtBot) -> None:
    form = form_of("hover", qtbot)
    QTest.keyClicks(edit(form, "Target selector"), "#a")
    click(button(form, "Target by: x, y"))
    QTest.keyClicks(edit(form, "Target x"), "3")
    assert form.read() == {"x": 3}
    click(button(form, "Target by: selector"))
    assert form.read() == {"selector": "#a"}


def test_an_optional_choice_can_be_taken_back(qtbot: QtBot) -> None:
    form = form_of("logs", qtbot)
    worker = button(form, "Context: worker")
    click(worker)
    assert form.read() == {"context": "worker"}
    click(worker)
    assert form.read() == {}


def test_a_list_begins_with_the_default_and_a_check_shows_it(qtbot: QtBot) -> None:
    logs = form_of("logs", qtbot)
    combo = logs.findChild(QComboBox)
    assert isinstance(combo, QComboBox)
    assert combo.currentText() == "any"
    form = form_of("evaluate", qtbot)
    assert "awaitPromise" not in form.read()


def test_defaults_are_placeholders_and_units_are_shown(qtbot: QtBot) -> None:
    form = form_of("click", qtbot)
    assert edit(form, "Timeout").placeholderText() == "30\u202f000"
    assert edit(form, "Count").placeholderText() == "1"


def test_up_and_down_step_a_number_within_its_bounds(qtbot: QtBot) -> None:
    form = form_of("click", qtbot)
    count = edit(form, "Count")
    for _ in range(12):
        QTest.keyClick(count, Qt.Key.Key_Up)
    assert form.read()["clickCount"] == 10
    for _ in range(12):
        QTest.keyClick(count, Qt.Key.Key_Down)
    assert form.read()["clickCount"] == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [("", None), ("1 000", 1000), ("-2.5", -2.5), ("1e3", 1000.0), ("abc", "abc")],
)
def test_what_is_no_number_stays_the_text_it_is(text: str, value: Any, qtbot: QtBot) -> None:
    number = NumberEdit({"type": "number"}, "Number")
    qtbot.addWidget(number)
    number.setText(text)
    assert number.value() == value


@pytest.mark.parametrize(
    ("command", "params"),
    [
        ("click", {"selector": "#a", "ref": "e1"}),
        ("click", {"unknown": 1}),
        ("click", {"tabId": "t1"}),
        ("click", {"button": "LEFT"}),
        ("click", {"clickCount": True}),
        ("click", {"modifiers": ["Alt", "Control"]}),
        ("click", {"selector": 5}),
        ("select", {"values": ["one\ntwo"]}),
        ("select", {"values": [1]}),
        ("select", {"values": "x"}),
        ("reload", {"ignoreCache": "yes"}),
        ("screenshot", {"clip": {"x": 1, "depth": 2}}),
        ("screenshot", {"clip": [1]}),
        ("fill", {"value": "a\u2029b"}),
    ],
)
def test_what_a_form_cannot_show_is_refused_whole(command: str, params: dict[str, Any], qtbot: QtBot) -> None:
    form = form_of(command, qtbot)
    form.write({"timeout": 7})
    before = form.read()
    assert form.write(params)
    assert form.read() == before


@pytest.mark.parametrize("text", ["a\u00a0b", "tab\there", "två\n\nrader\n", "<b>&amp;</b>", "𝄞"])
def test_text_comes_out_exactly_as_it_went_in(text: str, qtbot: QtBot) -> None:
    form = form_of("fill", qtbot)
    assert form.write({"selector": "#a", "value": text}) == ""
    assert form.read()["value"] == text


@pytest.mark.parametrize("values", [[], ["one"], ["one", "", "three"]])
def test_lines_come_out_as_they_went_in(values: list[str], qtbot: QtBot) -> None:
    form = form_of("select", qtbot)
    assert form.write({"values": values}) == ""
    assert form.read() == {"values": values}


def test_an_empty_string_given_on_purpose_is_kept_until_it_is_edited(qtbot: QtBot) -> None:
    form = form_of("select", qtbot)
    assert form.write({"value": ""}) == ""
    assert form.read() == {"value": ""}


def test_a_redacted_value_opens_empty_and_must_be_entered_again(qtbot: QtBot) -> None:
    form = form_of("fill", qtbot)
    form.open_again({"selector": "#card", "value": {"redacted": 16}})
    assert form.read() == {"selector": "#card"}
    editor = form.findChild(QPlainTextEdit)
    assert isinstance(editor, QPlainTextEdit)
    assert "16 characters" in editor.placeholderText()
    QTest.keyClicks(editor, "4242")
    assert form.read() == {"selector": "#card", "value": "4242"}
