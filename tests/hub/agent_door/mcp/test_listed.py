"""Tools as they are listed: clients run what only reads unasked, and ask for less before what only adds."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.hub.agent_door.mcp.listed import listed
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL
from tests.support.core.fakes import CATALOGUE, COMMANDS
from tests.support.hub.conversation import PROFILES

READS = {"readOnlyHint": True}


def hints(profile: str, name: str) -> dict[str, Any] | None:
    made = listed(PROFILES.get(profile).tools[name])
    found: dict[str, Any] | None = made.model_dump(by_alias=True, exclude_none=True).get("annotations")
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_hints_are_given_where_they_differ_from_the_protocols_own(name: str) -> None:
    command = CATALOGUE.get(name)
    expected = {"read": READS, "navigate": {"destructiveHint": False}}.get(command.klass)
    if command.short_name in ("wait", "batch"):
        expected = None
    if command.short_name == "read_image":
        expected = READS
    assert hints(CANONICAL, command.name) == expected


@pytest.mark.parametrize("name", ["batch", "wait", "close_tab", "clear_logs", "click", "fill", "upload_file"])
def test_what_may_do_anything_close_or_clear_is_neither_a_look_nor_an_addition(name: str) -> None:
    assert hints(CANONICAL, f"kapturemcp_{name}") is None


def test_a_wait_that_cannot_be_given_code_only_reads() -> None:
    assert hints("unibrowse", "browser_wait") == READS
