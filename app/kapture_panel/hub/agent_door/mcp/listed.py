"""A tool as `tools/list` tells it."""

from __future__ import annotations

import mcp_types as types

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.hub.agent_door.profiles.profile import Tool


def listed(entry: Tool) -> types.Tool:
    """An MCP tool; annotations only where they differ from the protocol's defaults.

    Clients let read-only tools run unasked. Not destructive means that it only adds, which no click promises.
    """
    hints: JsonObject = {}
    if entry.only_reads:
        hints["read_only_hint"] = True
    elif entry.only_goes:
        hints["destructive_hint"] = False
    return types.Tool(
        name=entry.name,
        description=entry.description,
        input_schema=entry.schema,
        annotations=types.ToolAnnotations(**hints) if hints else None,
    )
