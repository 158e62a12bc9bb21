"""What comes back of a pick or a check has its form, or is none."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel.core.wire.results import Checked, Picked

ELEMENT = {"role": "button", "name": "Pay", "tag": "button"}
BY_ID = {"way": "selector", "value": "#pay", "kind": "id", "matches": 1, "first": True}


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"element": ELEMENT, "reachable": True, "candidates": [BY_ID]}, Picked),
        ({"ended": "escape"}, Picked),
        ({"debuggerMs": 0.5, "pageMs": 1.5}, Checked),
        ({"debuggerMs": 0.5, "pageError": "its page shows a dialog"}, Checked),
    ],
)
def test_a_result_is_kept_as_it_came(told: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    assert msgspec.to_builtins(msgspec.convert(told, kind)) == told


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"ended": "bored"}, Picked),
        ({"candidates": [{**BY_ID, "way": "ref"}]}, Picked),
        ({"element": {"role": "button"}}, Picked),
        ({"pageMs": "fast"}, Checked),
        (None, Checked),
    ],
)
def test_one_of_another_form_is_none(told: Any, kind: type[msgspec.Struct]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(told, kind)
