"""Whatever parameters there can be: the form shows them exactly, or leaves them to the JSON with a reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.command_form import CommandForm
from kapture_panel.window.widgets.params_json import dump, load
from tests.support.window.forms.generated import params_of
from tests.support.window.forms.samples import COMMANDS


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.short_name)
def test_form_to_json_and_back_changes_nothing_of_any_parameters(command: Command, qapp: QApplication) -> None:
    form = CommandForm(command, COMMANDS)
    tries: list[bool] = []

    @given(st.data())
    def holds(data: st.DataObject) -> None:
        params = data.draw(params_of(command))
        before = dump(form.read())
        problem = form.write(load(dump(params)))
        tries.append(not problem)
        if problem:
            assert dump(form.read()) == before
            return
        assert json.dumps(form.read(), sort_keys=True) == json.dumps(params, sort_keys=True)
        assert load(dump(form.read())) == params
        # What is shown is what is run: nothing is marked as wrong that the command takes.
        assert not [field.error for field in form.fields if field.error]

    holds()
    assert any(tries)
    form.deleteLater()
