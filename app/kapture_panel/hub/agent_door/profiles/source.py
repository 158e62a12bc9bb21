"""What a profile's file may say, as structs; and for a wrong file, what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire.protocol import DialogRule

#: Above this an answer is a head and a link, unless the profile says otherwise.
ANSWER_BYTES = 20_000
#: Of a code (`CODE net::ERR_…`, `*`): a text, or several of which the first whose fields are there is told.
Errors = dict[str, str | list[str]]
Texts = Annotated[list[str], Meta(description="a list of texts")]
Object = Annotated[JsonObject, Meta(description="an object")]
Kind = TypeVar("Kind", bound=Struct)


class Limits(Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    """How long an answer may be, and whether pictures are kept once they are told."""

    answer_bytes: Annotated[int, Meta(ge=1, description="a number of bytes")] = ANSWER_BYTES
    shots: Literal["kept", "one-slot"] = "kept"


class Source(Struct, forbid_unknown_fields=True):
    """A whole file; its tools are converted one by one, so that what is wrong is told with the tool's name."""

    title: str = ""
    notes: Texts = []
    instructions: str = ""
    session: Literal["shared", "isolated"] = "shared"
    tab: Literal["named", "newest"] = "named"
    dialogs: DialogRule = ""
    untrusted: Literal["text", "meta"] = "text"
    limits: Limits = Limits()
    errors: Errors = {}
    tools: Any = None


class Result(Struct, forbid_unknown_fields=True, frozen=True):
    """The form of an answer, see `templates`: a text, or the JSON of a shape."""

    text: str | list[str] | UnsetType = UNSET
    json: Any = UNSET
    indent: int | None = None
    wrap: str = "{}"


class Renamed(Struct, forbid_unknown_fields=True):
    """Where a parameter goes, and through which converter; without `to` it keeps its name."""

    to: str | None = None
    convert: str = ""


class Behind(Struct, forbid_unknown_fields=True, kw_only=True):
    """The command behind a tool, or behind one of its actions."""

    command: str = ""
    params: dict[str, str | Renamed | None] = {}
    fixed: Object = {}
    defaults: Object = {}
    required: Texts = []
    result: Result | None = None
    errors: Errors = {}


class Check(Struct, forbid_unknown_fields=True):
    """A schema what is given must fit, and what is said when it does not."""

    schema: Object
    error: str


class Declared(Behind, forbid_unknown_fields=True, kw_only=True, rename={"input_schema": "inputSchema"}):
    """A tool; with `by` the value of that parameter chooses one of `actions`, each a `Behind`."""

    name: str
    description: str = ""
    input_schema: Any = None
    checks: list[Check] = []
    by: str = ""
    actions: Object = {}


def convert(source: Any, kind: type[Kind], where: str) -> Kind:
    """`source` as a struct.

    Args:
        where: what it is, for the words of an error.

    Raises:
        ValueError: it is none; with the place, the value and what would be right.
    """
    try:
        return msgspec.convert(source, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_mistake(source, kind, where, "") or f"{where}: {error}") from None


def _mistake(source: Any, kind: type[Struct], where: str, path: str) -> str:
    """What is wrong with the first part that is not part of a `kind`; `path` is what leads to it, ending in a dot."""
    if not isinstance(source, dict):
        return f"{where} is not a JSON object"
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    unknown = next((name for name in source if name not in fields), None)
    if unknown is not None:
        return f"{where}: {unknown!r} is not one of {', '.join(fields)}"
    hints = get_type_hints(kind, include_extras=True)
    for name, field in fields.items():
        if name not in source:
            if field.required:
                return f"{where}: {path}{name} is missing"
            continue
        try:
            msgspec.convert(source[name], field.type)
        except msgspec.ValidationError as error:
            hint = hints[field.name]
            inner = _inner(hint)
            if inner is not None and isinstance(source[name], dict):
                return _mistake(source[name], inner, f"{where} {name}", f"{path}{name}.")
            return f"{where}: {path}{name} is {source[name]!r}, {_wanted(hint) or error}"
    return ""


def _inner(hint: Any) -> type[Struct] | None:
    """The struct that a field holds."""
    kinds = (hint, *get_args(hint))
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct)), None)


def _wanted(hint: Any) -> str:
    """What a field holds, in words; empty when there are none."""
    if get_origin(hint) is Literal:
        return f"not {_either(map(str, filter(None, get_args(hint))))}"
    described = [one.description for one in getattr(hint, "__metadata__", ()) if isinstance(one, Meta)]
    return f"not {described[0]}" if described else ""


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)
