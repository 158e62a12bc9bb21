"""What panel commands get to work with."""

from __future__ import annotations

import dataclasses

import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.hub.panel_commands.context import Context


async def no_command(*_: object) -> Answer:
    raise AssertionError("nothing runs here")


def test_a_command_cannot_put_another_registry_in_its_place() -> None:
    context = Context(Tabs(), no_command, lambda _tab: None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.tabs = Tabs()  # type: ignore[misc]
