"""The tools of one MCP conversation: which commands it lists, and how a call's answer becomes a tool result."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types

from kapture_panel.core.catalogue import Catalogue, Command
from kapture_panel.core.clients import Client
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.router import Router
from kapture_panel.hub import answers

log = logging.getLogger(__name__)

#: What `kapture mcp --tools core` offers.
CORE_TOOLS = frozenset(
    (
        "navigate", "new_tab", "list_tabs", "snapshot", "screenshot", "click", "fill",
        "type", "press_key", "select", "scroll", "wait", "evaluate", "logs", "handle_dialog",
    )
)  # fmt: skip


def chosen_tools(catalogue: Catalogue, choice: str) -> list[Command]:
    """The commands of `--tools`: "all", "core", or group names joined by commas.

    Raises:
        KaptureError: `INVALID_PARAMS`, naming the groups there are.
    """
    if choice in ("", "all"):
        return list(catalogue)
    if choice == "core":
        return [command for command in catalogue if command.short_name in CORE_TOOLS]
    groups = {name.strip() for name in choice.split(",")}
    unknown = groups - catalogue.groups.keys()
    if unknown:
        raise KaptureError(
            "INVALID_PARAMS",
            f"--tools {sorted(unknown)[0]!r} is none of all, core, {', '.join(catalogue.groups)}",
        )
    return [command for command in catalogue if command.group in groups]


def tool(command: Command) -> types.Tool:
    """A command as an MCP tool; annotations only where they differ from the protocol's defaults."""
    hints: dict[str, Any] = {}
    if command.klass == "read":
        hints["read_only_hint"] = True
    elif command.klass in ("interact", "navigate"):
        hints["destructive_hint"] = False
    return types.Tool(
        name=command.name,
        description=command.description,
        input_schema=command.tool_schema,
        annotations=types.ToolAnnotations(**hints) if hints else None,
    )


class Tools:
    """What one client may list and call.

    Args:
        client: whose conversation it is.
        router: takes the calls.
        commands: the commands it may list and call.
    """

    def __init__(self, client: Client, router: Router, commands: list[Command]) -> None:
        self._client = client
        self._router = router
        self._commands = {command.name: command for command in commands}

    def listed(self) -> list[types.Tool]:
        """The tools in the order of the catalogue."""
        return [tool(command) for command in self._commands.values()]

    async def call(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        """Run the command; whatever goes wrong is a result that says so."""
        try:
            if name not in self._commands:
                self._router.catalogue.get(name)
                raise KaptureError("INVALID_PARAMS", f"{name} is not among the tools this client started with")
            answer = await self._router.run(self._client, name, arguments)
        except KaptureError as error:
            return types.CallToolResult(
                content=[types.TextContent(type="text", text=answers.error_text(error))],
                structured_content={"error": error.as_wire()},
                is_error=True,
            )
        except Exception as error:
            log.exception("%s failed", name)
            text = f"INTERNAL: a defect in Kapture Panel ({type(error).__name__}); its log has the details"
            return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
        return self._result(answers.content(answer))

    def _result(self, content: answers.Content) -> types.CallToolResult:
        blocks: list[Any] = [types.TextContent(type="text", text=content.text)]
        self._client.result_bytes += len(content.text)
        if content.image is not None:
            data, mime_type = content.image
            blocks.insert(0, types.ImageContent(type="image", data=data, mime_type=mime_type))
            self._client.result_bytes += len(data)
        return types.CallToolResult(content=blocks, structured_content=content.structured)
