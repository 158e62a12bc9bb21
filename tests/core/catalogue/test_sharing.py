"""The parameters a command shares with others."""

from __future__ import annotations

import pytest

from kapture_panel.core.catalogue import sharing

SHARED = {"snapshot": {"type": "string"}, "wait": {"type": "integer"}, "timeout": {"type": "integer"},
          "tabId": {"type": "string"}}  # fmt: skip
TARGETS = {"selector": {"type": "string"}, "ref": {"type": "string"}}


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        ({"klass": "read", "scope": "panel", "target": "none", "action": False}, ["own", "timeout"]),
        ({"klass": "read", "scope": "tab", "target": "optional", "action": False},
         ["selector", "ref", "own", "timeout", "tabId"]),
        ({"klass": "interact", "scope": "tab", "target": "required", "action": True},
         ["selector", "ref", "own", "snapshot", "wait", "timeout", "tabId"]),
    ],
)  # fmt: skip
def test_a_command_takes_what_its_entry_says(facts: dict[str, str], names: list[str]) -> None:
    own = {"own": {"type": "string"}}
    assert list(sharing.all_properties(own, SHARED, TARGETS, **facts)) == names  # type: ignore[arg-type]


def test_what_acts_on_elements_waits_for_them() -> None:
    assert sharing.waits("interact", "required", {})
    assert sharing.waits("file", "optional", {})
    assert sharing.waits("interact", "none", {"fields": {}})
    assert not sharing.waits("interact", "none", {})
    assert not sharing.waits("read", "optional", {})
