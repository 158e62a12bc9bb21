"""The command reference, made from the catalogue."""

from __future__ import annotations

import json

from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.basics.free_json import Schema
from kapture_panel.core.catalogue.catalogue import Catalogue, Command

_INTRODUCTION = """\
# Commands

This page is made from `extension/commands.json`: `python -m kapture_panel.programs.reference > docs/commands.md`.

**Target.** A command about an element takes exactly one of `selector` (CSS; ` >>> ` enters shadow roots and frames),
`xpath`, `ref` (from a snapshot), or `x` with `y` in CSS pixels of the viewport.

**Tab.** A command for a tab takes `tabId`. Without it the command goes to the tab that this client used last, or to the
only connected one.

**Time.** Every command takes `timeout` in milliseconds (30000 unless you say otherwise; a `wait` for a longer `time`
has that and a second). The timeout of a batch covers all its steps. A command that acts on an element first waits until
the element is there, visible, enabled and uncovered. `wait` limits that, in milliseconds; 0 tries once. Without `wait`
it waits as long as the `timeout` that you give. Without both it waits 5000 ms, and less on a page where nothing has
happened for a second. If it had to wait, the answer says how long (`waitedMs`).

**Effects.** Every action answers `effects`: what it led to. What is still under way is in `effects.pending`. What comes
later is in `lateEffects` of the next answer about that tab. When a connection breaks, a command answers
`OUTCOME_UNKNOWN`. What became of it is told later, once, in `lateEffects.settled`: the `command`, its `outcome` (the
word of an action, `ok`, or an error code; `NOT_SENT` means that nothing was done) and `said`. Every action also takes
`snapshot` (`none`, `diff` or `full`).

**Outcome.** An action that went well says in one word what came of it:

| `outcome` | meaning |
|---|---|
| `confirmed` | the state of the target was read back: what it holds, whether it is checked, selected or open; or the \
address that was reached |
| `done` | the action reached its target, and an effect was seen |
| `no_effect` | no effect was seen |
| `unverifiable` | this cannot be told; `reason` says why |

`effects.changed` is `"unknown"` where nothing is looked at, such as a canvas or the clipboard. `effects.target` tells
what is different about the target, each as [before, after]: `focused`, `value` (of a secret field only its `length`),
`checked`, `selected`, `expanded`, `pressed`. `effects.invalid` names the fields that kept a form from being sent, with
the browser's message.
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
        rows.insert(0, f"| target | {command.target} | | the element or point |")
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
