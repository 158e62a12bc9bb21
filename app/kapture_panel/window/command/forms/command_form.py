"""The form of one command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLayout, QSizePolicy, QToolButton, QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.command.forms.field_line import FieldLine
from kapture_panel.window.command.forms.making import fields_of, rare
from kapture_panel.window.command.forms.params_form import ParamsForm
from kapture_panel.window.command.forms.rows_field import RowsField
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme

_LABEL_WIDTH_PX = 72
_LABEL_GAP_PX = 12
_MARGIN_PX = 16
_ROW_GAP_PX = 8
#: With less room the labels stand above the fields.
_BESIDE_PX = 400
#: The triangle of the options, which begins where the fields do.
_FOLD_PX = 10
#: As high as the inputs, so that both share a middle line.
_LABEL_HEIGHT_PX = 26
#: Above its field a label is nearer to it than to the field before.
_ABOVE_GAP_PX, _ABOVE_TOP_PX, _ABOVE_HEIGHT_PX = 4, 6, 24


class CommandForm(ParamsForm):
    """Fields made from the catalogue; small ones share a line as far as there is room.

    `folded` tells that the person has opened (True) or closed the options, which most runs leave alone.

    Args:
        commands: all there are, for a command that holds others.
        is_inner: whether it stands in another form, which has margins already.
    """

    folded = Signal(bool)

    def __init__(
        self, command: Command, commands: Sequence[Command], *, is_open: bool = False, is_inner: bool = False
    ) -> None:
        super().__init__()
        self.command = command
        self.setAccessibleName(f"Form of {command.title}")
        self.fields = fields_of(command, commands, lambda held: CommandForm(held, commands, is_inner=True))
        self._grid = QGridLayout(self)
        margin_px = 0 if is_inner else _MARGIN_PX
        self._grid.setContentsMargins(margin_px, 0, margin_px, 4)
        self._grid.setHorizontalSpacing(_LABEL_GAP_PX)
        self._grid.setVerticalSpacing(_ROW_GAP_PX)
        self._grid.setColumnMinimumWidth(0, _LABEL_WIDTH_PX)
        self._grid.setColumnStretch(1, 1)
        #: The options, which can be folded away.
        self.rare = rare(command, self.fields)
        #: What is hidden with a field, and each line of small fields with those that stand in it.
        self._parts: dict[Field, tuple[QWidget, ...]] = {}
        self._lines: list[tuple[QWidget, list[Field]]] = []
        #: The grid's rows: a label, and what stands beside or below it.
        self._rows: dict[int, tuple[Label, Field | FieldLine]] = {}
        self._is_narrow = False
        usual = [field for field in self.fields if field not in self.rare]
        self._add_fields(usual)
        self.options = QToolButton()
        self.options.setProperty("kind", "fold")
        self.options.setIconSize(QSize(_FOLD_PX, _FOLD_PX))
        self.options.setCheckable(True)
        self.options.setChecked(is_open)
        self.options.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.options.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.options.clicked.connect(self._on_options)
        self._options_row = self._grid.rowCount()
        self._grid.addWidget(self.options, self._options_row, 1, Qt.AlignmentFlag.AlignLeft)
        self._add_fields(self.rare)
        # Folded or not, the fields begin at the same place.
        widths = (label.sizeHint().width() for label, _ in self._rows.values())
        self._label_width_px = max([_LABEL_WIDTH_PX, *widths])
        self._grid.setColumnMinimumWidth(0, self._label_width_px)
        for field in self.fields:
            field.edited.connect(partial(self._check, field))
            field.edited.connect(self._show_parts)
            field.edited.connect(self.edited)
            if isinstance(field, TargetField | RowsField):
                field.pick_asked.connect(self.pick_asked)
                field.selector_typed.connect(self.selector_typed)
        self._show_parts()

    def wear(self, theme: Theme) -> None:
        for field in self.fields:
            field.wear(theme)

    @property
    def field_left_px(self) -> int:
        """Where the fields begin, behind or below their labels."""
        return _MARGIN_PX + (0 if self._is_narrow else self._label_width_px + _LABEL_GAP_PX)

    @property
    def first_px(self) -> tuple[int, int]:
        """Where the first field begins with its label, and where it ends."""
        first = next(iter(self._rows.values()), None)
        if first is None:
            return 0, 0
        in_rows = [part.geometry() for part in first if part.parent() is self]
        return min(place.top() for place in in_rows), max(place.bottom() for place in in_rows)

    def fit(self, width_px: int) -> None:
        """Put the labels above the fields where so little room is left beside them."""
        self.set_narrow(width_px < _BESIDE_PX)

    def set_narrow(self, is_narrow: bool) -> None:
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        self._grid.setColumnMinimumWidth(0, 0 if is_narrow else self._label_width_px)
        self._grid.setVerticalSpacing(_ABOVE_GAP_PX if is_narrow else _ROW_GAP_PX)
        for row in self._rows:
            self._place(row)
        self._grid.removeWidget(self.options)
        left, columns = (0, 2) if is_narrow else (1, 1)
        self._grid.addWidget(self.options, self._options_row, left, 1, columns, Qt.AlignmentFlag.AlignLeft)
        for field in self.fields:
            field.set_narrow(is_narrow)
        # In the middle of a resize, Qt does not tell the layouts around one that it has another height now.
        for layout in self.findChildren(QLayout):
            layout.invalidate()
        self.updateGeometry()

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
        return {name: value for field in self.fields for name, value in field.read().items()}

    def write(self, params: Params) -> str:
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
        first = self.fields[0] if self.fields else None
        return first if self.command.target != "none" and isinstance(first, TargetField) else None

    @property
    def targets(self) -> list[TargetField]:
        inside = (target for field in self.fields for target in field.targets)
        return [target for target in inside if isinstance(target, TargetField)]

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
            return "The form uses the tab chosen under Tabs; delete tabId to go back to the form"
        known = [known for field in self.fields for known in field.names]
        if name not in known:
            return f"{self.command.title} has no parameter {safe_text.line(name, 60)!r}; it has {', '.join(known)}"
        shown = safe_text.line(json.dumps(value, ensure_ascii=False), 80)
        return f"The form cannot show {name} = {shown}; change it to go back to the form"

    def _add_fields(self, fields: list[Field]) -> None:
        line: FieldLine | None = None
        for field in fields:
            label = self._label(field)
            if field.is_wide:
                line = None
                self._parts[field] = (label, field)
                self._add_row(label, field)
            # The timeout stands last and alone: it belongs to every command.
            elif line is None or "timeout" in field.names:
                line = FieldLine(label, field)
                self._lines.append((line, [field]))
                self._parts[field] = (label, line.first)
                self._add_row(label, line)
            else:
                self._parts[field] = (line.add(label, field),)
                self._lines[-1][1].append(field)

    def _add_row(self, label: Label, beside: Field | FieldLine) -> None:
        row = self._grid.rowCount()
        self._rows[row] = (label, beside)
        self._place(row)

    def _place(self, row: int) -> None:
        label, beside = self._rows[row]
        left, right, top = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignTop
        is_above = self._is_narrow and isinstance(beside, Field)
        label.setContentsMargins(0, _ABOVE_TOP_PX if is_above else 0, 0, 0)
        label.setFixedHeight(_ABOVE_HEIGHT_PX if is_above else _LABEL_HEIGHT_PX)
        for widget in (label, beside):
            self._grid.removeWidget(widget)
        if isinstance(beside, FieldLine):
            beside.hold_label(self._is_narrow)
        if is_above:
            self._grid.addWidget(label, row, 0, 1, 2, left | top)
        elif not self._is_narrow:
            self._grid.addWidget(label, row, 0, right | top)
        if self._is_narrow or (isinstance(beside, Field) and beside.is_whole):
            self._grid.addWidget(beside, row + 1, 0, 1, 2)
        else:
            self._grid.addWidget(beside, row, 1)
            # Its place below stays free.
            self._grid.setRowMinimumHeight(row + 1, 0)

    def _label(self, field: Field) -> Label:
        label = Label(f"{field.title} *" if field.is_required else field.title, kind="secondary")
        if len(field.names) == 1:
            description = self.command.all_properties[field.names[0]]["description"]
            label.setToolTip(safe_text.tooltip(description))
            field.setToolTip(safe_text.tooltip(description))
            field.setAccessibleDescription(description)
        label.setBuddy(field)
        label.setFixedHeight(_LABEL_HEIGHT_PX)
        return label


def _asks(value: Any) -> bool:
    """Whether something in a value was kept as its length alone."""
    if isinstance(value, dict):
        return is_redacted(value) or any(map(_asks, value.values()))
    return isinstance(value, list) and any(map(_asks, value))


def _canonical(value: Any) -> str:
    """Text that differs for 1, 1.0 and true, which Python holds for equal."""
    return json.dumps(value, sort_keys=True)
