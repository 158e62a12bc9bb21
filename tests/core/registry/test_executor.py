"""Whoever carries commands out takes them the way the router gives them."""

from __future__ import annotations

import inspect

import pytest

from kapture_panel.core.registry.executor import Executor
from kapture_panel.hub.extension_door.executor import ExtensionExecutor
from tests.support.core.fakes import FakeExecutor

METHODS = [name for name in vars(Executor) if not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("made", [ExtensionExecutor, FakeExecutor])
def test_its_methods_take_the_same_in_the_same_order(made: type, name: str) -> None:
    def taken(owner: type) -> list[str]:
        return [one.lstrip("_") for one in inspect.signature(getattr(owner, name)).parameters]

    assert taken(made) == taken(Executor)
    assert inspect.iscoroutinefunction(getattr(made, name)) == inspect.iscoroutinefunction(getattr(Executor, name))
