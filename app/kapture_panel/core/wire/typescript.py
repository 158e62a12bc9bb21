"""The frames of the wire as TypeScript declarations, for the checks of the extension: made from the structs."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect as types

from kapture_panel.core.wire import protocol, results

_INTRODUCTION = """\
// Made from app/kapture_panel/core/wire/protocol.py:
// `python -m kapture_panel.programs.wire_types > extension/wire/protocol.d.ts` makes it.
"""
_PLAIN: dict[type[types.Type], str] = {
    types.AnyType: "any",
    types.NoneType: "null",
    types.BoolType: "boolean",
    types.IntType: "number",
    types.FloatType: "number",
    types.StrType: "string",
}


def text() -> str:
    """The whole declaration file."""
    directions = {"FromExtension": get_args(protocol.FromExtension), "FromPanel": get_args(protocol.FromPanel)}
    structs = [*(struct for one in directions.values() for struct in one), results.Picked, results.Checked]
    parts = [
        _INTRODUCTION,
        declarations(structs),
        *(f"export type {name} =\n{_alternatives(members)};\n" for name, members in directions.items()),
    ]
    return "\n".join(parts)


def declarations(structs: Iterable[type[msgspec.Struct]]) -> str:
    """An interface for each of these structs and for those within them, each once.

    Raises:
        TypeError: a field has a type that no frame has had so far.
    """
    found: dict[str, types.StructType] = {}
    for info in types.multi_type_info(list(structs)):
        for struct in _structs_in(info):
            found.setdefault(struct.cls.__name__, struct)
    return "\n".join(_interface(struct) for struct in found.values())


def _interface(struct: types.StructType) -> str:
    lines = [_comment(struct.cls), f"export interface {struct.cls.__name__} {{"]
    if struct.tag_field is not None:
        lines.append(f"  {struct.tag_field}: {json.dumps(struct.tag)};")
    for field in struct.fields:
        lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {_named(field.type)};")
    return "\n".join([line for line in lines if line] + ["}\n"])


def _comment(cls: type) -> str:
    said = inspect.cleandoc(cls.__doc__ or "").split("\n")
    if said == [""]:
        return ""
    if len(said) == 1:
        return f"/** {said[0]} */"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in said), " */"])


def _named(info: types.Type) -> str:
    """A type as it is written in TypeScript."""
    match info:
        case types.StructType():
            return info.cls.__name__
        case types.LiteralType():
            return " | ".join(json.dumps(value) for value in info.values)
        case types.UnionType():
            return " | ".join(_named(one) for one in info.types)
        case types.ListType() | types.VarTupleType():
            item = _named(info.item_type)
            return f"({item})[]" if " " in item else f"{item}[]"
        case types.TupleType():
            return f"[{', '.join(_named(one) for one in info.item_types)}]"
        case types.DictType():
            return f"Record<{_named(info.key_type)}, {_named(info.value_type)}>"
    name = _PLAIN.get(type(info))
    if name is None:
        raise TypeError(f"no type of TypeScript is known for {info}")
    return name


def _structs_in(info: types.Type) -> Iterator[types.StructType]:
    """The structs within a type, those a struct needs before itself."""
    inner: Iterable[Any] = ()
    match info:
        case types.StructType():
            inner = [field.type for field in info.fields]
        case types.UnionType():
            inner = info.types
        case types.ListType() | types.VarTupleType():
            inner = [info.item_type]
        case types.TupleType():
            inner = info.item_types
        case types.DictType():
            inner = [info.key_type, info.value_type]
    for one in inner:
        yield from _structs_in(one)
    if isinstance(info, types.StructType):
        yield info


def _alternatives(structs: Iterable[type]) -> str:
    return "\n".join(f"  | {struct.__name__}" for struct in structs)
