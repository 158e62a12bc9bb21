"""A call and its answer in the forms other programs take."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pprint import pformat
from typing import Any

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.wire import outcome

_PYTHON = """\
import asyncio

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

SERVER = StdioServerParameters(command={command!r}, args={args!r})


async def main() -> None:
    async with Client(SERVER) as client:
        result = await client.call_tool({name!r}, {params})
        for block in result.content:
            print(getattr(block, "text", block.type))


asyncio.run(main())
"""


def mcp_call(command: Command, params: Params, _config: str) -> str:
    """The call as an MCP client sends it."""
    call = {"name": command.name, "arguments": params}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    return json.dumps(request, indent=2, ensure_ascii=False)


def python(command: Command, params: Params, config: str) -> str:
    """A program that makes the call with the official MCP client (`pip install mcp`).

    Args:
        config: the JSON that adds the panel to an MCP client.
    """
    program, args = _server(config)
    # Indented as far as the call it stands in.
    shown = pformat(params, width=100, sort_dicts=False).replace("\n", "\n" + " " * 12)
    return _PYTHON.format(command=program, args=args, name=command.name, params=shown)


def shell(command: Command, params: Params, config: str) -> str:
    """A line for a POSIX shell; a NUL cannot stand in one."""
    program, args = _server(config)
    words = [program, "call", *args[1:], command.short_name]
    words += [f"{name}={_word(command, name, value)}" for name, value in params.items()]
    return " ".join(map(shlex.quote, words))


#: What a call can be copied as.
CALLS: dict[str, Callable[[Command, Params, str], str]] = {
    "MCP call (JSON)": mcp_call,
    "Python": python,
    "Shell": shell,
}


def answer_json(answer: Answer) -> str:
    """All that was answered."""
    return json.dumps(answer_tree(answer), indent=2, ensure_ascii=False)


def answer_tree(answer: Answer) -> JsonObject:
    """All that was answered, as one object."""
    tree: JsonObject = {"result": answer.result, **outcome.as_json(answer.outcome)}
    if answer.effects is not None:
        tree["effects"] = answer.effects.as_json()
    if answer.late_effects is not None:
        tree["lateEffects"] = answer.late_effects.as_json()
    if answer.snapshot:
        tree["snapshot"] = answer.snapshot
    return tree


def answer_text(answer: Answer) -> str:
    """The text an answer carries, as snapshots do; else its JSON."""
    return answer.snapshot or text_in(answer.result) or json.dumps(answer.result, indent=2, ensure_ascii=False)


def text_in(result: Any) -> str:
    """The text in a result; empty when it is something else."""
    if isinstance(result, dict):
        for key in ("text", "snapshot"):
            if isinstance(result.get(key), str):
                return str(result[key])
    return result if isinstance(result, str) else ""


def error_text(error: KaptureError) -> str:
    """An error as the terminal shows it."""
    return f"{error.code}: {error.message}"


def _server(config: str) -> tuple[str, list[str]]:
    server = json.loads(config)["mcpServers"]["kapture"]
    return server["command"], server["args"]


def _word(command: Command, name: str, value: Any) -> str:
    """A value as `kapture call` reads it: a string as it is, anything else as JSON."""
    if command.all_properties.get(name, {}).get("type") == "string" and isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
