"""The SDK's server, corrected so that it declares only what is true."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from kapture_panel import __version__, paths
from kapture_panel.core.basics.free_json import JsonObject

NAME = "kapture-panel"
TITLE = "Kapture Panel"


def icons() -> list[types.Icon]:
    """The program's icon as `data:` addresses: drawn, and for clients that draw none, as 48 × 48 pixels."""
    folder = paths.resources() / "icons"
    return [
        types.Icon(src=_data_uri(folder / name, mime_type), mime_type=mime_type, sizes=[size])
        for name, mime_type, size in (
            ("kapture.svg", "image/svg+xml", "any"),
            ("kapture-48.png", "image/png", "48x48"),
        )
    ]


class PanelServer(Server[Any]):
    """A server whose tools and prompts never change, and which shows its icon once.

    The base class derives from the subscriptions it serves that every list may change; and it stamps all it knows
    of itself on every answer of the stateless era, where the icon would be most of a short one.
    """

    def __init__(self, **handlers: Any) -> None:
        super().__init__(NAME, version=__version__, title=TITLE, icons=icons(), **handlers)
        # The SDK's spans of each message, which nothing here exports.
        self.middleware.clear()
        self.add_request_handler("server/discover", types.RequestParams, self._discover)

    def get_capabilities(self, *args: Any, **options: Any) -> types.ServerCapabilities:
        """What is served: only the list of resources changes, by itself or on subscription."""
        served = super().get_capabilities(*args, **options)
        return served.model_copy(
            update={
                "tools": types.ToolsCapability(list_changed=False),
                "prompts": types.PromptsCapability(list_changed=False),
                "resources": types.ResourcesCapability(subscribe=True, list_changed=True),
            }
        )

    @property
    def server_info_stamp(self) -> JsonObject:
        """Name and version, for every answer."""
        return {"name": NAME, "version": __version__, "title": TITLE}

    async def _discover(
        self, context: ServerRequestContext[Any], _params: types.RequestParams | None
    ) -> types.DiscoverResult:
        whole = self.server_info.model_dump(by_alias=True, mode="json", exclude_none=True)
        return types.DiscoverResult(
            supported_versions=list(MODERN_PROTOCOL_VERSIONS),
            capabilities=self.get_capabilities(protocol_version=context.protocol_version),
            instructions=self.instructions,
            _meta={"io.modelcontextprotocol/serverInfo": whole},
        )


def _data_uri(path: Path, mime_type: str) -> str:
    return f"data:{mime_type};base64,{base64.b64encode(path.read_bytes()).decode()}"
