"""The form of one command."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from kapture_panel.core.catalogue import Command
from kapture_panel.window import plain
from kapture_panel.window.forms.field import Field
from kapture_panel.window.forms.making import fields_of
from kapture_panel.window.forms.target_field import TargetField
from kapture_panel.window.views.flow_layout import FlowLayout
from kapture_panel.window.views.label import Label

_LABEL_WIDTH_PX = 72
_LABEL_GAP_PX = 12
_MARGIN_PX = 16
_ROW_GAP_PX = 8
#: As high as the inputs, so that both share a middle line.
_LABEL_HEIGHT_PX = 26


class CommandForm(QWidget):
    """Fields made from the catalogue; small ones share a line as far as there is room."""

    edited = Signal()

    def __init__(self, command: Command) -> None:
        super().__init__()
        self.command = command
        self.setAccessibleName(f"Form of {command.title}")
        self.fields = fields_of(command)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 4)
        self._grid.setHorizontalSpacing(_LABEL_GAP_PX)
        self._grid.setVerticalSpacing(_ROW_GAP_PX)
        self._grid.setColumnMinimumWidth(0, _LABEL_WIDTH_PX)
        self._grid.setColumnStretch(1, 1)
        if not self.fields:
            self._grid.addWidget(Label(command.description, kind="secondary"), 0, 1)
        flow: FlowLayout | None = None
        for field in self.fields:
            field.edited.connect(partial(self._check, field))
            field.edited.connect(self.edited)
            # The timeout stands last and alone: it belongs to every command.
            if field.is_wide or "timeout" in field.names:
                flow = None
                self._add_row(field)
            elif flow is None:
                flow = self._add_flow(field)
            else:
                flow.addWidget(self._pair(field))

    @property
    def field_left_px(self) -> int:
        """Where the fields begin, behind their labels."""
        first = [self._grid.itemAtPosition(row, 0) for row in range(self._grid.rowCount())]
        widths = [item.sizeHint().width() for item in first if item is not None]
        return _MARGIN_PX + max([_LABEL_WIDTH_PX, *widths]) + _LABEL_GAP_PX

    def read(self) -> dict[str, Any]:
        """The parameters as they stand; what was left alone is missing."""
        return {name: value for field in self.fields for name, value in field.read().items()}

    def write(self, params: dict[str, Any]) -> str:
        """Show `params` whole or not at all.

        Returns:
            Why the form cannot show them; empty when it does.
        """
        before = self.read()
        wanted = {name: value for name, value in params.items() if value is not None}
        self._write(wanted)
        shown = self.read()
        for name, value in wanted.items():
            if name not in shown or _canonical(shown[name]) != _canonical(value):
                self._write(before)
                return self._why_not(name, value)
        return ""

    def open_again(self, params: dict[str, Any]) -> Field | None:
        """Show what history kept; a value it did not keep opens empty.

        Returns:
            The first field that asks for such a value.
        """
        kept = {name: value for name, value in params.items() if not _asks(value)}
        if self.write(kept):
            self._write(kept)
        asking: list[Field] = []
        for field in self.fields:
            for name in field.names:
                if is_redacted(params.get(name)):
                    field.open_empty(int(params[name]["redacted"]))
                    asking.append(field)
                elif _asks(params.get(name)):
                    field.open_emptied(params[name])
                    asking.append(field)
        return asking[0] if asking else None

    def show_error(self, param: str, message: str) -> bool:
        """Say `message` under the field of `param`.

        Returns:
            Whether there is such a field.
        """
        for field in self.fields:
            if param in field.names:
                field.show_error(message)
                return True
        return False

    def next_needed(self) -> Field | None:
        """The first field that must be filled in and has nothing in it, if there is one."""
        needed = [field for field in self.fields if field.is_required]
        return next((field for field in needed if all(value == "" for value in field.read().values())), None)

    def clear_errors(self) -> None:
        """Take all messages away."""
        for field in self.fields:
            field.show_error("")

    @property
    def target(self) -> TargetField | None:
        """The field of the command's target, if it has one."""
        return next((field for field in self.fields if isinstance(field, TargetField)), None)

    def field(self, name: str) -> Field:
        """The field of a parameter."""
        return next(field for field in self.fields if name in field.names)

    def _check(self, field: Field) -> None:
        """Say at once what is wrong with what is entered; what is missing is only told at Run."""
        problem = self.command.problem(field.read())
        if problem is not None:
            field.show_error(problem[1])

    def _write(self, params: dict[str, Any]) -> None:
        for field in self.fields:
            field.write({name: params[name] for name in field.names if name in params})
        self.clear_errors()

    def _why_not(self, name: str, value: Any) -> str:
        if name == "tabId":
            return "The tab is the one chosen under Tabs; take tabId out to go back to the form"
        known = [known for field in self.fields for known in field.names]
        if name not in known:
            return f"{self.command.title} has no parameter {plain.line(name, 60)!r}; it has {', '.join(known)}"
        shown = plain.line(json.dumps(value, ensure_ascii=False), 80)
        return f"The form cannot show {name} = {shown}; change it to go back to the form"

    def _add_row(self, field: Field) -> None:
        row = self._grid.rowCount()
        label = self._label(field)
        label.setFixedHeight(_LABEL_HEIGHT_PX)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        if field.is_wide:
            self._grid.addWidget(field, row, 1)
        else:
            self._grid.addWidget(field, row, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_flow(self, field: Field) -> FlowLayout:
        flow = FlowLayout(16, _ROW_GAP_PX)
        holder = QWidget()
        holder.setLayout(flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        holder.setSizePolicy(policy)
        row = self._grid.rowCount()
        label = self._label(field)
        label.setFixedHeight(_LABEL_HEIGHT_PX)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(holder, row, 1)
        flow.addWidget(field)
        return flow

    def _pair(self, field: Field) -> QWidget:
        pair = QWidget()
        pair.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        grid = QGridLayout(pair)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        label = self._label(field)
        label.setFixedHeight(_LABEL_HEIGHT_PX)
        grid.addWidget(label, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(field, 0, 1)
        return pair

    def _label(self, field: Field) -> Label:
        label = Label(f"{field.title} *" if field.is_required else field.title, kind="secondary")
        if len(field.names) == 1:
            description = self.command.all_properties[field.names[0]]["description"]
            label.setToolTip(plain.tooltip(description))
            field.setToolTip(plain.tooltip(description))
            field.setAccessibleDescription(description)
        label.setBuddy(field)
        return label


def is_redacted(value: Any) -> bool:
    """Whether history kept only a value's length."""
    return isinstance(value, dict) and value.keys() == {"redacted"}


def _asks(value: Any) -> bool:
    """Whether something in a value was kept as its length alone."""
    if isinstance(value, dict):
        return is_redacted(value) or any(map(_asks, value.values()))
    return isinstance(value, list) and any(map(_asks, value))


def _canonical(value: Any) -> str:
    """Text that differs for 1, 1.0 and true, which Python holds for equal."""
    return json.dumps(value, sort_keys=True)
