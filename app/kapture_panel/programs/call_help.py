"""What `kapture click --help` and `kapture call --help` say, made from the catalogue."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from kapture_panel.core.basics.free_json import Schema
from kapture_panel.core.catalogue.command_line import Line, option

WIDTH = 100
#: What a word of each kind of place may be.
PLACE = "e5 (a ref of a snapshot), a CSS selector, //an/xpath, or 120,80 (a point of the viewport)"
#: The options that every command takes: name, what its value is called, what it does.
OURS = (
    ("--json", "", "print the whole answer as JSON"),
    ("--session", "NAME", "the session to use (default: $KAPTURE_SESSION, or this terminal's session)"),
    ("--data-dir", "DIR", "the panel's data folder (default: KAPTURE_HOME or the system's place)"),
)
STDIN = "A value that is only - is read from standard input."
EXIT_CODES = "Exit code 0: done; 1: it failed; 2: wrong usage, nothing was sent; 3: no panel is running."
_INTRODUCTION = """\
usage: kapture COMMAND WORDS … [options]
       kapture call COMMAND key=value … [options]

Run one command in the running panel, as an agent does: the policy, the questions and the history apply to it.
TARGET is one word: {place}.
"""


def of_command(line: Line) -> str:
    """The whole help of one command."""
    return "\n".join(
        [f"usage: {line.usage} [options]", "", f"{line.description}.", "", *_table(line), "", *_notes(line)]
    )


def of_all(groups: Mapping[str, str], lines: Mapping[str, Line]) -> str:
    """All commands, by group, and how they are given."""
    parts = [_INTRODUCTION.format(place=PLACE)]
    width = max(len(line.usage) for line in lines.values())
    for group, title in groups.items():
        rows = [(line.usage, line.description) for line in lines.values() if line.group == group]
        parts.append("\n".join([f"{title}:", *_columns(rows, min(width, 44))]) + "\n")
    parts.append("\n".join(["options of every command:", *_columns(_our_rows(), 26), "", STDIN, EXIT_CODES]))
    return "\n".join([*parts, "kapture COMMAND --help tells the options of one."])


def rows_of(line: Line) -> list[tuple[str, str]]:
    """The command's options that are none of its words: how each is given, what it means."""
    places = {name for word in line.words if line.is_place(word) for name in line.place_parameters(word).values()}
    rows = [
        (_given(name, schema), _said(schema))
        for name, schema in line.parameters.items()
        if name not in places and name not in line.words
    ]
    for word in line.words:
        if line.is_place(word):
            selector, xpath, ref, x, y = map(option, line.place_parameters(word).values())
            rows.append((f"{selector}, {xpath}, {ref}, {x} {y}", f"{_name(line, word)}, by what it is"))
    return rows


def _table(line: Line) -> Iterator[str]:
    words = [(_name(line, word), PLACE if line.is_place(word) else _said(line.parameters[word])) for word in line.words]
    if words:
        yield from ("words:", *_columns(words, 26), "")
    yield from ("options:", *_columns([*rows_of(line), *_our_rows()], 26))


def _notes(line: Line) -> Iterator[str]:
    if line.words:
        yield STDIN
    if line.is_composite:
        yield f"A step is a command line in one word: kapture {line.name} 'click e5' 'fill e7 Ann'"
    yield EXIT_CODES


def _our_rows() -> list[tuple[str, str]]:
    return [(f"{name} {value}".strip(), said) for name, value, said in OURS]


def _name(line: Line, word: str) -> str:
    return line.shown(word).strip("[]")


def _given(name: str, schema: Schema) -> str:
    match schema:
        case {"type": "boolean"}:
            return option(name)
        case {"enum": list(values)}:
            return f"{option(name)} {'|'.join(values)}"
        case {"type": "integer" | "number"}:
            return f"{option(name)} {schema.get('unit', 'N').upper()}"
        case {"format": "path"}:
            return f"{option(name)} FILE"
    return f"{option(name)} {'LIST' if schema['type'] == 'array' else schema['type'].upper().replace('STRING', 'TEXT')}"


def _said(schema: Schema) -> str:
    said = str(schema.get("description", ""))
    default = schema.get("default")
    return f"{said} (default: {default})" if default not in (None, False, "", []) else said


def _columns(rows: list[tuple[str, str]], width: int) -> Iterator[str]:
    """Two columns; what is too long for the first has a line of its own."""
    indent = " " * (width + 4)
    for left, right in rows:
        lines = textwrap.wrap(right, WIDTH - width - 4) or [""]
        if len(left) > width:
            yield f"  {left}"
            yield f"{indent}{lines[0]}".rstrip()
        else:
            yield f"  {left.ljust(width)}  {lines[0]}".rstrip()
        yield from (indent + more for more in lines[1:])
