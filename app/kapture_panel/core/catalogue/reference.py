"""The command reference, made from the catalogue."""

from __future__ import annotations

import json
from typing import Any

from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.catalogue.catalogue import CHOICES, Catalogue, Command

_INTRODUCTION = """\
# Commands

Made from `extension/commands.json`; `python -m kapture_panel.programs.reference > docs/commands.md` makes it anew.

A **target** is exactly one of `selector` (CSS; ` >>> ` enters shadow roots and frames of the same origin),
`xpath`, `ref` (from a snapshot), or `x` with `y` in CSS pixels of the viewport. Commands of a tab take `tabId`
(left out: the tab this client used last, or the only connected one), and every command takes `timeout` in
milliseconds (30000; of a batch it bounds all steps together). Actions take `snapshot` (none, diff, full) and answer
`effects`.
"""


def text(catalogue: Catalogue) -> str:
    """The whole reference as Markdown."""
    parts = [_INTRODUCTION]
    for group, title in catalogue.groups.items():
        commands = [command for command in catalogue if command.group == group]
        if commands:
            parts.append(f"## {title}\n")
            parts += [_command(command) for command in commands]
    parts.append("## Error codes\n")
    parts.append(
        "| code | meaning |\n|---|---|\n" + "\n".join(f"| `{code}` | {said} |" for code, said in CODES.items())
    )
    return "\n".join(parts) + "\n"


def _command(command: Command) -> str:
    marks = [command.klass, *(["action"] if command.action else [])]
    lines = [f"### {command.name}\n", f"{command.description}. *({', '.join(marks)})*\n"]
    rows = [_row(name, schema, name in command.required) for name, schema in command.properties.items()]
    if command.target != "none":
        rows.insert(0, f"| target | {command.target} | | where |")
    if rows:
        lines += ["| parameter | type | default | meaning |", "|---|---|---|---|", *rows, ""]
    groups, needed = CHOICES.get(command.name, ((), False))
    if groups:
        listed = ", ".join("/".join(f"`{name}`" for name in names) for names in groups)
        lines.append(f"{'Exactly' if needed else 'At most'} one of {listed}.\n")
    return "\n".join(lines)


def _row(name: str, schema: dict[str, Any], required: bool) -> str:
    kind = " / ".join(map(str, schema["enum"])) if "enum" in schema else schema["type"]
    unit = f", {schema['unit']}" if "unit" in schema else ""
    default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ("required" if required else "")
    return f"| `{name}` | {kind}{unit} | {default} | {schema.get('description', '')} |"
