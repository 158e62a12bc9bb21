"""What the server says of itself."""

from __future__ import annotations

import base64
import json

import pytest
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from kapture_panel import __version__, paths
from kapture_panel.hub.agent_door.mcp.server import PanelServer
from tests.support.core.fakes import World
from tests.support.hub.conversation import Conversation


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_its_capabilities_are_what_it_does(world: World, mode: str) -> None:
    async with Conversation(world).client(mode) as client:
        served = client.server_capabilities
        assert (client.protocol_version in MODERN_PROTOCOL_VERSIONS) == (mode != "legacy")
    assert served.resources is not None
    assert (served.resources.subscribe, served.resources.list_changed) == (True, True)
    assert served.tools is not None
    assert not served.tools.list_changed
    assert served.prompts is not None
    assert not served.prompts.list_changed
    assert served.completions is not None
    assert served.logging is None


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_it_shows_its_icon(world: World, mode: str) -> None:
    async with Conversation(world).client(mode) as client:
        info = client.server_info
    assert info is not None
    assert (info.name, info.title, info.version) == ("kapture-panel", "Kapture Panel", __version__)
    drawn, pixels = info.icons or []
    folder = paths.resources() / "icons"
    for icon, name, mime_type in ((drawn, "kapture.svg", "image/svg+xml"), (pixels, "kapture-48.png", "image/png")):
        head, _, data = icon.src.partition(",")
        assert (head, icon.mime_type) == (f"data:{mime_type};base64", mime_type)
        assert base64.b64decode(data) == (folder / name).read_bytes()
    assert info.website_url is None


async def test_an_answer_of_the_stateless_era_does_not_carry_the_icon(world: World) -> None:
    conversation = Conversation(world)
    async with conversation.client("auto") as client:
        await client.list_prompts()
    first, *others = [json.dumps(line) for line in conversation.heard]
    assert "data:image/png" in first
    assert others
    assert all("data:" not in line and "kapture-panel" in line for line in others)


def test_no_spans_are_made_of_messages_that_nobody_exports() -> None:
    assert PanelServer().middleware == []
