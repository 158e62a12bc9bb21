"""What `extension/commands.json` may say: its entries as structs, and nothing besides."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from kapture_panel.core.basics.free_json import Schema

Class = Literal["read", "interact", "navigate", "execute", "file"]
Scope = Literal["tab", "browser", "panel"]
Target = Literal["none", "optional", "required"]
Result = Literal["json", "text", "image", "table"]
Type = Literal["string", "integer", "number", "boolean", "array", "object"]
#: What the panel does itself around the sending of a command.
Wrapper = Literal["", "formatter", "files", "fetch", "video"]


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Groups of parameters of which not more than one may be given; with `needed` one must be. A target counts as one
    parameter named "target". Some clients reject `oneOf`, which would say the same."""

    of: tuple[tuple[str, ...], ...] = ()
    needed: bool = False


#: All parameters go together.
ANY = Choices()


class Parameter(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A flat JSON Schema with marks of our own: `class` and `wants` are the command's when the parameter is given,
    `typed` and `chosen` say how much of it the history keeps; `labels`, `propose` and `when` are for forms; one that is
    `unlisted` is taken, but stands in no list of tools."""

    type: Type
    title: str = ""
    description: str = ""
    default: Any = None
    enum: list[str] | None = None
    items: Parameter | None = None
    properties: dict[str, Parameter] | None = None
    required: list[str] | None = None
    additional_properties: Literal[False] = False
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    pattern: str | None = None
    format: Literal["javascript", "address", "path"] | None = None
    unit: str = ""
    klass: Class | None = msgspec.field(default=None, name="class")
    wants: str = ""
    typed: bool = False
    chosen: bool | Literal["character"] = False
    labels: list[str] | None = None
    propose: str = ""
    unlisted: bool = False
    when: dict[str, list[Any]] | None = None


class Inputs(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """The input schema of a command; `properties` as they are written, each a `Parameter` in our catalogue."""

    type: Literal["object"]
    properties: dict[str, Schema]
    required: tuple[str, ...]
    additional_properties: Literal[False]


class Entry(msgspec.Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    """One command as it is declared."""

    name: str
    title: str
    #: What its client wants, after "wants to"; `{parameter}` stands for its value, see `phrases`.
    wants: str
    description: str
    #: The same for a person in a form, where the description names parameters.
    help: str = ""
    group: str
    icon: str
    klass: Class = msgspec.field(name="class")
    scope: Scope
    target: Target
    result: Result
    input_schema: Inputs
    action: bool = False
    immediate: bool = False
    opens_browser: bool = False
    #: The answer carries text of the page, so agents get it as text alone.
    page_text: bool = False
    #: Whoever is not the person needs the person's yes, under every policy.
    asks: bool = False
    #: Other words a person may look for it by.
    also: str = ""
    #: Among the tools of `kapture mcp --tools core`.
    core: bool = False
    #: What it answers goes on by a cursor, so it is never cut.
    paged: bool = False
    #: It carries out the commands it is given as `steps`.
    composite: bool = False
    #: Its tab is gone afterwards.
    closes: bool = False
    #: It only reads, but the page may be another one afterwards.
    passes_time: bool = False
    #: Where the texts of its answers come from, in words, when that is not the page of its tab.
    source: str = ""
    #: What the panel does around its sending.
    wrapper: Wrapper = ""
    choices: Choices = ANY
    #: What a terminal may give without a name, where it is not the target and what is required (`command_line.Line`).
    positional: tuple[str, ...] = ()


class Group(msgspec.Struct, forbid_unknown_fields=True):
    """What belongs together in lists."""

    name: str
    title: str


class Declared(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file; `shared` and `target` are parameters, as they are written."""

    groups: list[Group]
    shared: dict[str, Schema]
    target: dict[str, Schema]
    commands: list[Entry]


def read(source: Path) -> Declared:
    """What `commands.json` declares.

    Raises:
        msgspec.ValidationError: it says something that no entry may say; with the place.
    """
    declared = msgspec.json.decode(source.read_bytes(), type=Declared)
    for at, entry in enumerate(declared.commands):
        try:
            msgspec.convert(entry.input_schema.properties, dict[str, Parameter])
        except msgspec.ValidationError as error:
            raise msgspec.ValidationError(f"{error}, of the inputSchema of `$.commands[{at}]`") from None
    return declared
