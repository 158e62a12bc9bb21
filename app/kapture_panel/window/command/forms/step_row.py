"""A row that is one command of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.catalogue.catalogue import PREFIX, Command
from kapture_panel.window.command.forms.params_form import ParamsForm
from kapture_panel.window.command.forms.row import Row
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.code_edit import CodeEdit
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.params_json import ParamsError, dump, load
from kapture_panel.window.widgets.theme import Theme

_NAME, _PARAMS = "command", "params"
_CHOICE_LEAST_PX = 120


class StepRow(Row):
    """A command of a list, and its own form; parameters no form can show are edited as JSON.

    Args:
        commands: those it can be.
        make_form: makes the form of one.
    """

    def __init__(self, commands: Sequence[Command], make_form: Callable[[Command], ParamsForm]) -> None:
        super().__init__("step")
        self._commands = {command.short_name: command for command in commands}
        self._make_form = make_form
        self._theme: Theme | None = None
        self._form: ParamsForm | None = None
        #: As it was given, which may be with its prefix, or of no command.
        self._name = ""
        self._has_params = False
        self._is_narrow = False
        self._choice = ComboBox()
        self._choice.setAccessibleName("Command of the step")
        self._choice.setMinimumWidth(_CHOICE_LEAST_PX)
        self._choice.view().setAccessibleName("Commands")
        for command in commands:
            self._choice.addItem(command.title, command.short_name)
        self._choice.activated.connect(self._on_chosen)
        self._json = CodeEdit(min_lines=2, max_lines=8)
        self._json.setAccessibleName("Parameters of the step as JSON")
        self._json.textChanged.connect(self.edited)
        self._json.hide()
        self.content.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignLeft)
        self.below.addWidget(self._json)
        self.setFocusProxy(self._choice)
        usual = next(command for command in commands if command.core and command.scope == "tab")
        self._show(usual.short_name, {})

    def read(self) -> JsonObject:
        params = self._read_params()
        return {_NAME: self._name, **({_PARAMS: params} if params or self._has_params else {})}

    def write(self, item: JsonObject) -> None:
        name = item.get(_NAME)
        self._has_params = _PARAMS in item
        self._show(name if isinstance(name, str) else "", item.get(_PARAMS, {}))

    def open_emptied(self, item: JsonObject) -> QWidget | None:
        params = item.get(_PARAMS)
        self.write({**item, _PARAMS: {}} if params else item)
        if self._form is not None and isinstance(params, dict) and params:
            return self._form.open_again(params)
        self.write(item)
        return None

    @property
    def targets(self) -> list[TargetField]:
        return self._form.targets if self._form is not None else []

    def set_narrow(self, is_narrow: bool) -> None:
        self._is_narrow = is_narrow
        if self._form is not None:
            self._form.set_narrow(is_narrow)

    def wear(self, theme: Theme) -> None:
        super().wear(theme)
        self._theme = theme
        self._json.wear(theme)
        if self._form is not None:
            self._form.wear(theme)

    def _read_params(self) -> Any:
        if self._form is not None:
            return self._form.read()
        try:
            return load(self._json.text())
        except ParamsError:
            return self._json.text()

    def _show(self, name: str, params: Any) -> None:
        self._name = name
        self._drop_form()
        short = name.removeprefix(PREFIX)
        known = self._commands.get(short)
        if self._choice.findData(short) < 0:
            self._choice.addItem(safe_text.line(name, 60), short)
        self._choice.setCurrentIndex(self._choice.findData(short))
        form = self._make_form(known) if known is not None else None
        can_show = form is not None and isinstance(params, dict) and not form.write(params)
        if form is not None and not can_show:
            form.deleteLater()
        self._json.setHidden(can_show)
        self._json.show_text("" if can_show else params if isinstance(params, str) else dump(params))
        if form is not None and can_show:
            self._take(form)

    def _take(self, form: ParamsForm) -> None:
        self._form = form
        form.edited.connect(self.edited)
        form.pick_asked.connect(self.pick_asked)
        form.selector_typed.connect(self.selector_typed)
        if self._theme is not None:
            form.wear(self._theme)
        form.set_narrow(self._is_narrow)
        self.below.addWidget(form)
        form.show()

    def _drop_form(self) -> None:
        if self._form is not None:
            self._form.hide()
            self._form.deleteLater()
            self._form = None

    def _on_chosen(self, at: int) -> None:
        self._has_params = False
        self._show(self._choice.itemData(at), {})
        self.edited.emit()
