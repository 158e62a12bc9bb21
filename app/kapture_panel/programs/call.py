"""`kapture call`: one command from a terminal, under an agent's policy."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kapture_panel import door, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.hub.agent_door import untrusted
from kapture_panel.hub.agent_door.door_client import DoorClient
from kapture_panel.programs import terminal


def run(options: argparse.Namespace) -> int:
    """Run the command; prints its answer. Exit code 1 when the command failed, 3 without a panel."""
    command = Catalogue(paths.catalogue()).get(options.command)
    params = dict(_parameter(command, text) for text in options.parameters)
    command.validate(params)
    root = Path(door.data_dir(options.data_dir))
    with DoorClient(root, {"role": "call"}) as panel:
        try:
            answer = panel.ask({"command": command.name, "params": params})
        except KaptureError as error:
            if options.json:
                terminal.say_json({"success": False, "error": error.as_wire()})
            else:
                terminal.complain(f"{error.code}: {error.message}")
            return 3 if error.code == "PANEL_DOWN" else 1
    text = answer.pop("text")
    if answer["untrusted"] and not options.json:
        # Beside the text, not in it: a script reads the one, an agent with a shell sees both.
        terminal.complain(untrusted.line(answer["untrusted"]))
    if options.json:
        terminal.say_json({"success": True, **answer})
    else:
        terminal.say(text)
    return 0


def _parameter(command: Command, text: str) -> tuple[str, Any]:
    """`key=value`: a string stays as it is, anything else is read as JSON."""
    name, equals, value = text.partition("=")
    if not equals:
        raise KaptureError("INVALID_PARAMS", f"{text!r} is not key=value")
    schema = command.all_properties.get(name, {})
    if schema.get("type") == "string":
        return name, value
    try:
        return name, json.loads(value)
    except ValueError:
        if schema.get("type") == "array":
            return name, value.split(",")
        return name, value
