"""What a form folds away, asks for in a sentence, and proposes."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolTip,
)
from pytestqt.qtbot import QtBot

from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.command_form import CommandForm
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.forms.form import EVERY, button, click, edit, form_of
from tests.support.window.forms.samples import samples


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
    click(button(form, "Wait until: don't wait"))
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


@EVERY
def test_what_a_person_reads_of_a_command_names_no_parameters(command: Command) -> None:
    assert not re.search(r"\b[a-z]{2,}[A-Z]\w*", re.sub("JavaScript", "", command.help or command.description))


def narrow(name: str, qtbot: QtBot) -> CommandForm:
    """A form as wide as in the smallest window."""
    form = form_of(name, qtbot)
    form.fit(258 + 2 * 16)
    form.resize(258 + 2 * 16, 600)
    form.show()
    QApplication.processEvents()
    return form


def test_where_it_is_narrow_small_fields_stand_beside_their_labels_and_wide_ones_close_below(qtbot: QtBot) -> None:
    form = narrow("snapshot", qtbot)
    labels = {label.text(): label for label in form.findChildren(QLabel)}
    check, label = form.field("interactiveOnly"), labels["Interactive only"]
    assert check.mapTo(form, check.rect().topLeft()).x() > label.mapTo(form, label.rect().topRight()).x()
    assert abs(check.mapTo(form, check.rect().center()).y() - label.mapTo(form, label.rect().center()).y()) <= 2
    find, label = form.field("find"), labels["Find"]
    text_top_px = label.y() + label.contentsMargins().top()
    before_px = text_top_px - check.mapTo(form, check.rect().bottomLeft()).y()
    assert find.y() - label.geometry().bottom() < before_px


def test_where_it_is_narrow_choices_still_stand_in_one_line(theme: Theme, qtbot: QtBot) -> None:
    theme.dress()
    choices = narrow("navigate", qtbot).field("waitUntil").findChildren(QPushButton)
    assert len({button.y() for button in choices}) == 1


def test_a_bad_address_is_told_as_it_is_typed(qtbot: QtBot) -> None:
    form = form_of("navigate", qtbot)
    line = edit(form, "URL")
    told = []
    for sign in "https://exam ple.com":
        QTest.keyClicks(line, sign)
        told.append(bool(form.field("url").error))
    assert told == [False] * 13 + [True] * 7
    assert form.field("url").error == "no address; write one like https://example.com/"
