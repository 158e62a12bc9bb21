"""Templates of a command in their menu."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QMenu, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.command.forms.kept_values import KeptValues
from kapture_panel.window.command.forms.template_dialog import TemplateDialog
from kapture_panel.window.command.forms.templates_menu import TemplatesMenu
from tests.support.window.fakes import Instance
from tests.support.window.forms.samples import CATALOGUE

FILL = CATALOGUE.get("fill")
PARAMS: dict[str, Any] = {"selector": "#card", "value": "4242"}


@pytest.fixture
def kept(instance: Instance) -> KeptValues:
    return KeptValues(instance.settings)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def menu(kept: KeptValues, parent: QWidget) -> TemplatesMenu:
    made = TemplatesMenu(kept, parent)
    made.show_command(FILL)
    return made


def trigger(menu: QMenu, *words: str) -> None:
    menu.aboutToShow.emit()
    action = next(action for action in menu.actions() if action.text() == words[0])
    if words[1:]:
        inner = action.menu()
        assert isinstance(inner, QMenu)
        next(action for action in inner.actions() if action.text() == words[1]).trigger()
    else:
        action.trigger()


def save(dialog: TemplateDialog | None, name: str) -> None:
    assert dialog is not None
    dialog.name.setText(name)
    dialog.buttons.button(QDialogButtonBox.StandardButton.Save).click()


def test_saving_asks_for_a_name_and_keeps_typed_text_only_on_a_tick(menu: TemplatesMenu, kept: KeptValues) -> None:
    save(menu.ask_name(PARAMS), "  Pay & go ")
    assert kept.templates(FILL) == {"Pay & go": {"selector": "#card"}}
    dialog = menu.ask_name(PARAMS)
    assert dialog is not None
    assert not dialog.keep_all.isChecked()
    dialog.keep_all.setChecked(True)
    save(dialog, "whole")
    assert kept.templates(FILL)["whole"] == PARAMS


def test_the_tick_is_offered_only_where_there_is_something_to_keep(menu: TemplatesMenu) -> None:
    public, private = menu.ask_name({"selector": "#card"}), menu.ask_name(PARAMS)
    assert public is not None
    assert private is not None
    assert not public.keep_all.isVisible()
    assert private.keep_all.isVisible()


def test_a_name_is_needed_and_one_that_is_taken_is_told(menu: TemplatesMenu, kept: KeptValues) -> None:
    kept.save_template(FILL, "card", {}, is_whole=False)
    dialog = menu.ask_name(PARAMS)
    assert dialog is not None
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
    assert not button.isEnabled()
    assert not dialog.message.isVisible()
    dialog.name.setText("card")
    assert button.isEnabled()
    assert dialog.message.isVisible()
    assert "replaced" in dialog.message.text()


def test_choosing_renaming_and_deleting(menu: TemplatesMenu, kept: KeptValues, qtbot: QtBot) -> None:
    kept.save_template(FILL, "a & b", {"selector": "#card"}, is_whole=False)
    with qtbot.waitSignal(menu.chosen) as chosen:
        trigger(menu, "a && b")
    assert chosen.args == [{"selector": "#card"}]
    trigger(menu, "Rename", "a && b …")
    parent = menu.parent()
    assert parent is not None
    dialog = parent.findChild(TemplateDialog)
    assert isinstance(dialog, TemplateDialog)
    save(dialog, "c")
    assert list(kept.templates(FILL)) == ["c"]
    trigger(menu, "Delete", "c")
    assert kept.templates(FILL) == {}


def test_emptying_the_form_forgets_the_last_values(menu: TemplatesMenu, kept: KeptValues, qtbot: QtBot) -> None:
    kept.keep_last(FILL, PARAMS)
    with qtbot.waitSignal(menu.chosen) as chosen:
        trigger(menu, "Empty the form")
    assert chosen.args == [{}]
    assert kept.last(FILL) == {}
