"""The form of one command."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.command.forms.making import fields_of, rare
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import Label

_LABEL_WIDTH_PX = 72
_LABEL_GAP_PX = 12
_MARGIN_PX = 16
_ROW_GAP_PX = 8
#: As high as the inputs, so that both share a middle line.
_LABEL_HEIGHT_PX = 26


class CommandForm(QWidget):
    """Fields made from the catalogue; small ones share a line as far as there is room.

    `folded` tells that the person has opened (True) or closed the options, which most runs leave alone.
    """

    edited = Signal()
    folded = Signal(bool)

    def __init__(self, command: Command, *, is_open: bool = False) -> None:
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
        #: The options, which can be folded away.
        self.rare = rare(command, self.fields)
        #: What is hidden with a field, and each line of small fields with those that stand in it.
        self._parts: dict[Field, tuple[QWidget, ...]] = {}
        self._lines: list[tuple[QWidget, list[Field]]] = []
        self._first_labels: list[Label] = []
        usual = [field for field in self.fields if field not in self.rare]
        if not usual:
            what = Label(command.description, kind="secondary")
            what.setWordWrap(True)
            self._grid.addWidget(what, 0, 1)
        self._add_fields(usual)
        self.options = QToolButton()
        self.options.setProperty("kind", "fold")
        self.options.setCheckable(True)
        self.options.setChecked(is_open)
        self.options.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.options.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.options.clicked.connect(self._on_options)
        self._grid.addWidget(self.options, self._grid.rowCount(), 1, Qt.AlignmentFlag.AlignLeft)
        self._add_fields(self.rare)
        # Folded or not, the fields begin at the same place.
        self._label_width_px = max([_LABEL_WIDTH_PX, *(label.sizeHint().width() for label in self._first_labels)])
        self._grid.setColumnMinimumWidth(0, self._label_width_px)
        for field in self.fields:
            field.edited.connect(partial(self._check, field))
            field.edited.connect(self._show_parts)
            field.edited.connect(self.edited)
        self._show_parts()

    @property
    def field_left_px(self) -> int:
        """Where the fields begin, behind their labels."""
        return _MARGIN_PX + self._label_width_px + _LABEL_GAP_PX

    def open_options(self) -> None:
        """Show the options, this once."""
        self.options.setChecked(True)
        self._show_parts()

    def propose(self, values: dict[str, str]) -> None:
        """Fill in what is wanted and was left alone.

        Args:
            values: by the catalogue's word for them (`propose`).
        """
        for field in self.fields:
            wanted = self.command.all_properties[field.names[0]].get("propose")
            if wanted in values:
                field.propose(values[wanted])

    def read(self) -> Params:
        """The parameters as they stand; what was left alone is missing."""
        return {name: value for field in self.fields for name, value in field.read().items()}

    def write(self, params: Params) -> str:
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

    def open_again(self, params: Params) -> Field | None:
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
        if any(field in self.rare for field in asking):
            self.open_options()
        return asking[0] if asking else None

    def show_error(self, param: str, message: str) -> bool:
        """Say `message` under the field of `param`.

        Returns:
            Whether there is such a field.
        """
        for field in self.fields:
            if param in field.names:
                if field in self.rare:
                    self.open_options()
                field.show_error(message)
                return True
        return False

    def missing(self, params: Params) -> tuple[str, str] | None:
        """What must still be entered.

        Returns:
            The parameter, empty when one of several would do, and the sentence that asks for it.
        """
        for field in self.fields:
            if field.is_required and not params.keys() & set(field.names):
                return field.names[0], field.asks
        choices = self.command.choices
        names = {name: self.field(name) for group in choices.of for name in group if name != "target"}
        if choices.needed and not params.keys() & (names.keys() | set(self.target.names if self.target else ())):
            titles = list(dict.fromkeys(field.title for field in names.values()))
            if any("target" in group for group in choices.of):
                titles.insert(0, "Target")
            return "", f"Fill in {', '.join(titles[:-1])} or {titles[-1]}"
        return None

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
        problem = self.command.wrong_value(field.read())
        if problem is not None:
            field.show_error(problem.beside)

    def _write(self, params: Params) -> None:
        for field in self.fields:
            field.write({name: params[name] for name in field.names if name in params})
        self.clear_errors()
        self._show_parts()

    def _on_options(self, is_open: bool) -> None:
        self._show_parts()
        self.folded.emit(is_open)

    def _show_parts(self) -> None:
        """Show what is not folded away and has a meaning beside the other values."""
        shown = {field for field in self.fields if self._is_in_sight(field)}
        for field, parts in self._parts.items():
            for part in parts:
                if part.isHidden() == (field in shown):
                    part.setVisible(field in shown)
        for line, fields in self._lines:
            line.setVisible(not shown.isdisjoint(fields))
        is_open = self.options.isChecked()
        given = sum(field.is_set for field in self.rare)
        words = f"Options ({given} set)" if given and not is_open else "Options"
        self.options.setText(words)
        self.options.setAccessibleName(f"{words}, {'shown' if is_open else 'hidden'}")
        self.options.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.options.setVisible(bool(self.rare))

    def _is_in_sight(self, field: Field) -> bool:
        if field in self.rare and not self.options.isChecked():
            return False
        conditions: dict[str, list[Any]] = self.command.all_properties[field.names[0]].get("when", {})
        return field.is_set or all(
            self.field(name).read().get(name, self.command.all_properties[name].get("default")) in values
            for name, values in conditions.items()
        )

    def _why_not(self, name: str, value: Any) -> str:
        if name == "tabId":
            return "The tab is the one chosen under Tabs; take tabId out to go back to the form"
        known = [known for field in self.fields for known in field.names]
        if name not in known:
            return f"{self.command.title} has no parameter {safe_text.line(name, 60)!r}; it has {', '.join(known)}"
        shown = safe_text.line(json.dumps(value, ensure_ascii=False), 80)
        return f"The form cannot show {name} = {shown}; change it to go back to the form"

    def _add_fields(self, fields: list[Field]) -> None:
        flow: FlowLayout | None = None
        for field in fields:
            # The timeout stands last and alone: it belongs to every command.
            if field.is_wide or "timeout" in field.names:
                flow = None
                self._add_row(field)
            elif flow is None:
                flow = self._add_flow(field)
            else:
                pair = self._pair(field)
                flow.addWidget(pair)
                self._parts[field] = (pair,)
                self._lines[-1][1].append(field)

    def _add_label(self, field: Field, row: int) -> Label:
        label = self._label(field)
        label.setFixedHeight(_LABEL_HEIGHT_PX)
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._first_labels.append(label)
        return label

    def _add_row(self, field: Field) -> None:
        row = self._grid.rowCount()
        self._parts[field] = (self._add_label(field, row), field)
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
        self._parts[field] = (self._add_label(field, row), field)
        self._lines.append((holder, [field]))
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
            label.setToolTip(safe_text.tooltip(description))
            field.setToolTip(safe_text.tooltip(description))
            field.setAccessibleDescription(description)
        label.setBuddy(field)
        return label


def _asks(value: Any) -> bool:
    """Whether something in a value was kept as its length alone."""
    if isinstance(value, dict):
        return is_redacted(value) or any(map(_asks, value.values()))
    return isinstance(value, list) and any(map(_asks, value))


def _canonical(value: Any) -> str:
    """Text that differs for 1, 1.0 and true, which Python holds for equal."""
    return json.dumps(value, sort_keys=True)
