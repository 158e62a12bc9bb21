"""The command reference, made from the catalogue."""

from __future__ import annotations

import json

from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.basics.free_json import Schema
from kapture_panel.core.catalogue.catalogue import Catalogue, Command

_INTRODUCTION = """\
# Commands

Made from `extension/commands.json`; `python -m kapture_panel.programs.reference > docs/commands.md` makes it anew.

A **target** is exactly one of `selector` (CSS; ` >>> ` enters shadow roots and frames of the same origin),
`xpath`, `ref` (from a snapshot), or `x` with `y` in CSS pixels of the viewport. Commands of a tab take `tabId`
(left out: the tab this client used last, or the only connected one), and every command takes `timeout` in
milliseconds (30000; of a batch it bounds all steps together). What acts on elements takes `wait`: so many milliseconds
at most it waits until its target is there, visible, enabled and uncovered. Left out that is as long as a `timeout` that
is given, else 5000, and less on a page on which nothing has happened for a second; 0 tries once. A wait that cost
something is told: `waitedMs`. Actions take `snapshot` (none, diff, full) and answer `effects`: what they led to, and
what is still under way (`pending`); what comes later is in the `lateEffects` of the next answer about that tab. There
`settled` tells, once, what became of commands that were answered `OUTCOME_UNKNOWN` because a connection broke: the
`command`, its `outcome` (an action's word, `ok`, or the code of an error; `NOT_SENT`: nothing was done) and `said`.

Each action that went well says in one word what came of it, its `outcome`: `confirmed`, the target's own state was read
back (what it holds, whether it is checked, selected or open, the address that was reached); `done`, it reached its
target and an effect was seen; `no_effect`, none was seen; `unverifiable`, with the `reason`. `effects.changed` is
`"unknown"` where nobody looks, as at what a canvas shows or at the clipboard. `effects.target` tells what is different
about the target, each as [before, after]: `focused`, `value` (of a secret field its `length`), `checked`, `selected`,
`expanded`, `pressed`.
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
    if command.choices.of:
        listed = ", ".join("/".join(f"`{name}`" for name in names) for names in command.choices.of)
        lines.append(f"{'Exactly' if command.choices.needed else 'At most'} one of {listed}.\n")
    return "\n".join(lines)


def _row(name: str, schema: Schema, required: bool) -> str:
    kind = " / ".join(map(str, schema["enum"])) if "enum" in schema else schema["type"]
    unit = f", {schema['unit']}" if "unit" in schema else ""
    default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ("required" if required else "")
    return f"| `{name}` | {kind}{unit} | {default} | {schema.get('description', '')} |"
