"""What the page told of an element is kept as it came."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel.core.wire.targets import Target


@pytest.mark.parametrize(
    "told",
    [
        {"selector": "#a", "role": "button", "name": "Pay", "alone": True},
        {"selector": "#f >>> #a", "through": ["frame"], "role": "textbox", "type": "text", "secret": True},
        {"focus": True, "secret": True},
        {},
    ],
)  # fmt: skip
def test_an_element_is_kept_as_it_came(told: dict[str, Any]) -> None:
    assert msgspec.to_builtins(msgspec.convert(told, Target)) == told


def test_what_is_not_known_of_an_element_is_not_kept() -> None:
    told: dict[str, Any] = {"selector": None, "through": [], "role": "", "name": "", "of a later version": 1}
    assert msgspec.to_builtins(msgspec.convert(told, Target)) == {}


@pytest.mark.parametrize("told", [{"selector": 7}, {"secret": "no"}, {"through": "frame"}, {"name": ["a"]}])
def test_one_of_another_form_is_none(told: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(told, Target)
