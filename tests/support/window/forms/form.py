"""A form of a command, and what a person does in it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from kapture_panel.window.command.forms.command_form import CommandForm
from tests.support.window.forms.samples import CATALOGUE, COMMANDS

EVERY = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.short_name)


def form_of(name: str, qtbot: QtBot) -> CommandForm:
    form = CommandForm(CATALOGUE.get(name), COMMANDS)
    qtbot.addWidget(form)
    return form


def button(form: CommandForm, name: str) -> QPushButton:
    return next(found for found in form.findChildren(QPushButton) if found.accessibleName() == name)


def edit(form: QWidget, name: str) -> QLineEdit:
    return next(found for found in form.findChildren(QLineEdit) if found.accessibleName() == name)


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
