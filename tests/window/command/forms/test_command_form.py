"""Forms are made from the catalogue, give the right parameters and lose nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.choice_fields import CheckField, ChoiceField, ListField, TogglesField
from kapture_panel.window.command.forms.command_form import CommandForm
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
from tests.support.window.forms.samples import CATALOGUE, COMMANDS, samples

EVERY = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.short_name)


def form_of(name: str, qtbot: QtBot) -> CommandForm:
    form = CommandForm(CATALOGUE.get(name))
    qtbot.addWidget(form)
    return form


def button(form: CommandForm, name: str) -> QPushButton:
    return next(found for found in form.findChildren(QPushButton) if found.accessibleName() == name)


def edit(form: QWidget, name: str) -> QLineEdit:
    return next(found for found in form.findChildren(QLineEdit) if found.accessibleName() == name)


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


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
    for _ in range(5):
        QTest.keyClick(count, Qt.Key.Key_Up)
    assert form.read()["clickCount"] == 3
    for _ in range(5):
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


def test_a_message_stands_under_its_field_until_it_is_edited(qtbot: QtBot) -> None:
    form = form_of("click", qtbot)
    assert form.show_error("clickCount", "too many")
    assert form.field("clickCount").error == "too many"
    assert edit(form, "Count").property("invalid") is True
    QTest.keyClicks(edit(form, "Count"), "1")
    assert form.field("clickCount").error == ""
    assert not form.show_error("nothing", "x")


def test_code_is_written_in_monospace_and_tab_leaves_it(qtbot: QtBot) -> None:
    form = form_of("evaluate", qtbot)
    editor = form.findChild(QPlainTextEdit)
    assert isinstance(editor, QPlainTextEdit)
    assert editor.property("mono") is True
    assert editor.tabChangesFocus()


def in_sight(form: CommandForm) -> set[str]:
    """The parameters whose fields are not hidden."""
    return {name for field in form.fields if field.isVisibleTo(form) for name in field.names}


@EVERY
def test_what_a_command_cannot_do_without_is_never_folded_away(command: Command, qtbot: QtBot) -> None:
    form = form_of(command.name, qtbot)
    assert set(command.required) <= in_sight(form)
    if command.target != "none":
        assert command.target_properties.keys() <= in_sight(form)
    assert not in_sight(form) & {"timeout", "snapshot"}
    form.options.click()
    hidden = form.command.all_properties.keys() - in_sight(form) - {"tabId"}
    assert all("when" in command.all_properties[name] for name in hidden)


def test_folded_options_say_how_many_are_set_and_count_in_what_is_run(qtbot: QtBot) -> None:
    form = form_of("click", qtbot)
    assert form.options.text() == "Options"
    form.write({"selector": "#a", "timeout": 5, "snapshot": "diff"})
    assert form.options.text() == "Options (2 set)"
    assert form.read() == {"selector": "#a", "snapshot": "diff", "timeout": 5}
    told: list[bool] = []
    form.folded.connect(told.append)
    form.options.click()
    assert {"timeout", "snapshot"} <= in_sight(form)
    assert form.options.text() == "Options"
    form.options.click()
    assert told == [True, False]


def test_a_mistake_in_an_option_opens_the_options(qtbot: QtBot) -> None:
    form = form_of("click", qtbot)
    assert "timeout" not in in_sight(form)
    assert form.show_error("timeout", "at least 1")
    assert "timeout" in in_sight(form)


def test_the_quality_is_asked_for_where_a_format_has_one(qtbot: QtBot) -> None:
    form = form_of("screenshot", qtbot)
    assert "quality" not in in_sight(form)
    click(button(form, "Format: jpeg"))
    assert "quality" in in_sight(form)
    QTest.keyClicks(edit(form, "Quality"), "50")
    click(button(form, "Format: png"))
    assert "quality" in in_sight(form)  # what is run is seen
    form.write({"name": "a", "format": "png"})
    assert "quality" not in in_sight(form)


@EVERY
def test_no_two_fields_of_a_form_have_the_same_label(command: Command, qtbot: QtBot) -> None:
    labels = [field.title for field in form_of(command.name, qtbot).fields]
    assert len(set(labels)) == len(labels)


@EVERY
def test_what_is_missing_is_asked_for_in_a_sentence(command: Command, qtbot: QtBot) -> None:
    form = form_of(command.name, qtbot)
    missing = form.missing({})
    if missing is None:
        command.validate({})
        return
    assert re.match(r"(Enter (a|an|the|x) |Choose |Fill in )\S", missing[1])
    for params in samples(command):
        assert form.missing(params) is None


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("screenshot", "Enter a name"),
        ("navigate", "Enter a URL"),
        ("evaluate", "Enter the code"),
        ("batch", "Enter the steps"),
        ("handle_dialog", "Choose yes or no"),
        ("click", "Enter a selector, or press Pick and click the element in the page"),
    ],
)
def test_the_sentence_fits_the_field(command: str, sentence: str, qtbot: QtBot) -> None:
    missing = form_of(command, qtbot).missing({})
    assert missing is not None
    assert missing[1] == sentence


def test_a_proposed_name_follows_until_the_person_gives_one(qtbot: QtBot) -> None:
    form = form_of("screenshot", qtbot)
    form.propose({"page": "checkout"})
    assert form.read() == {"name": "checkout"}
    form.propose({"page": "thanks"})
    assert form.read() == {"name": "thanks"}
    QTest.keyClicks(edit(form, "Name"), "2")
    form.propose({"page": "other"})
    assert form.read() == {"name": "thanks2"}


def test_choices_are_said_in_words_and_sent_as_the_command_has_them(qtbot: QtBot) -> None:
    form = form_of("navigate", qtbot)
    click(button(form, "Wait until: no wait"))
    assert form.read() == {"waitUntil": "none"}


def test_why_a_value_was_not_kept_is_said_until_it_is_entered(qtbot: QtBot) -> None:
    form = form_of("fill", qtbot)
    form.open_again({"selector": "#card", "value": {"redacted": 16}})
    notes = [label for label in form.field("value").findChildren(QLabel) if "privacy" in label.text()]
    assert len(notes) == 1
    editor = form.findChild(QPlainTextEdit)
    assert isinstance(editor, QPlainTextEdit)
    QTest.keyClicks(editor, "4")
    assert notes[0].text() == ""


def test_a_tooltip_stays_away_from_a_field_that_is_typed_into(qtbot: QtBot) -> None:
    form = form_of("navigate", qtbot)
    form.show()
    form.activateWindow()
    field = form.field("url")
    line = edit(form, "URL")
    shown: list[str] = []
    for takes_focus in (False, True):
        if takes_focus:
            line.setFocus()
            qtbot.waitUntil(line.hasFocus)
        QToolTip.hideText()
        place = line.rect().center()
        QApplication.sendEvent(field, QHelpEvent(QEvent.Type.ToolTip, place, field.mapToGlobal(place)))
        shown.append(QToolTip.text())
    QToolTip.hideText()
    assert "Address" in shown[0]
    assert shown[1] == "" or not QToolTip.isVisible()
