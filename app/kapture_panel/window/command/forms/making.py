"""Which field a parameter gets: the first row whose test its schema passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kapture_panel.core.basics.free_json import Schema
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.choice_fields import (
    MAX_SEGMENTS,
    CheckField,
    ChoiceField,
    ListField,
    TogglesField,
)
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.command.forms.files_field import FilesField
from kapture_panel.window.command.forms.params_form import ParamsForm
from kapture_panel.window.command.forms.row import Row
from kapture_panel.window.command.forms.rows_field import RowsField
from kapture_panel.window.command.forms.step_row import StepRow
from kapture_panel.window.command.forms.target_field import TargetField, ways_behind
from kapture_panel.window.command.forms.text_fields import (
    LinesField,
    LongTextField,
    NumberField,
    NumbersField,
    TextField,
)
from kapture_panel.window.command.forms.value_row import ValueRow

#: So many parameters stay in sight beside those a command cannot do without.
_IN_SIGHT = 3

_Make = Callable[[str, Schema, bool], Field]
_MAKERS: tuple[tuple[Callable[[Schema, bool], bool], _Make], ...] = (
    (
        lambda schema, needed: (
            0 < len(schema.get("enum", ())) <= MAX_SEGMENTS
            or (schema["type"] == "boolean" and needed and "default" not in schema)
        ),
        lambda name, schema, needed: ChoiceField(name, schema, is_required=needed),
    ),
    (
        lambda schema, _: "enum" in schema,
        lambda name, schema, needed: ListField(name, schema, is_required=needed),
    ),
    (lambda schema, _: schema["type"] == "boolean", lambda name, schema, _: CheckField(name, schema)),
    (
        lambda schema, _: schema["type"] in ("integer", "number"),
        lambda name, schema, needed: NumberField(name, schema, is_required=needed),
    ),
    (
        lambda schema, _: schema["type"] == "array" and "enum" in schema["items"],
        lambda name, schema, _: TogglesField(name, schema),
    ),
    (
        lambda schema, _: schema["type"] == "array" and schema["items"].get("format") == "path",
        lambda name, schema, needed: FilesField(name, schema, is_required=needed),
    ),
    (
        lambda schema, _: schema["type"] == "array",
        lambda name, schema, needed: LinesField(name, schema, is_required=needed),
    ),
    (
        lambda schema, _: schema["type"] == "object",
        lambda name, schema, needed: NumbersField(name, schema, is_required=needed),
    ),
    (
        lambda schema, _: bool(schema.get("typed")) or schema.get("format") == "javascript",
        lambda name, schema, needed: LongTextField(name, schema, is_required=needed),
    ),
    (lambda _schema, _: True, lambda name, schema, needed: TextField(name, schema, is_required=needed)),
)


def fields_of(command: Command, commands: Sequence[Command], make_form: Callable[[Command], ParamsForm]) -> list[Field]:
    """The fields of a command in the order of its parameters, the timeout last.

    The tab is not a field: it is the one chosen under Tabs.

    Args:
        commands: all there are, for a command that holds others.
        make_form: makes the form of one that is held.
    """
    fields: list[Field] = []
    if command.target != "none":
        fields.append(TargetField(command.target_properties, is_required=command.target == "required"))
    destination = _destination(command)
    if destination:
        prefix = next(iter(destination)).removesuffix("Selector")
        fields.append(TargetField(destination, prefix=prefix, is_required=command.choices.needed))
    for name, schema in command.all_properties.items():
        if name == "tabId" or name in destination or (command.target != "none" and name in command.target_properties):
            continue
        needed = name in command.required
        if schema["type"] == "array" and schema["items"]["type"] == "object":
            held = [one for one in commands if not one.composite]
            fields.append(RowsField(name, schema, _row_maker(schema, held, make_form), is_required=needed))
        else:
            fields.append(_field(name, schema, needed))
    return fields


def _row_maker(
    schema: Schema, commands: Sequence[Command], make_form: Callable[[Command], ParamsForm]
) -> Callable[[], Row]:
    """What makes the rows of a list: of commands with their parameters, or of values for fields of the page."""
    items: dict[str, Schema] = schema["items"]["properties"]
    if "command" in items:
        return lambda: StepRow(commands, make_form)
    return lambda: ValueRow(items)


def rare(command: Command, fields: list[Field]) -> list[Field]:
    """Those that most runs leave alone, to be folded away.

    The target, what is required and what one has to choose among stay, and the first few others, which the catalogue
    names first because they are wanted most; what every command takes goes.
    """
    needed = {name for names in command.choices.of for name in names} if command.choices.needed else set()
    kept = [
        field
        for field in fields
        if field.is_required or isinstance(field, TargetField) or needed.intersection(field.names)
    ]
    others = [field for field in fields if field not in kept]
    own = [field for field in others if command.properties.keys() & set(field.names)]
    return [field for field in others if field not in own[:_IN_SIGHT]]


def _destination(command: Command) -> dict[str, Schema]:
    """The parameters that name a second place in the page in all the ways of a target; empty without."""
    own = command.properties
    for name in own:
        prefix = name.removesuffix("Selector")
        if prefix != name and own.keys() >= (ways := ways_behind(prefix)):
            return {way: own[way] for way in own if way in ways}
    return {}


def _field(name: str, schema: Schema, is_required: bool) -> Field:
    make = next(make for test, make in _MAKERS if test(schema, is_required))
    return make(name, schema, is_required)
