"""What the extension answers when an element was picked; its name is a hostile one."""

from __future__ import annotations

from typing import Any

PICKED: dict[str, Any] = {
    "element": {"role": "button", "name": "Pay\u202e <b>now</b>", "tag": "button"},
    "reachable": True,
    "candidates": [
        {"way": "selector", "value": "#pay", "kind": "id", "matches": 1, "first": True},
        {"way": "xpath", "value": '//button[normalize-space()="Pay"]', "kind": "text", "matches": 2, "first": True},
        {"way": "selector", "value": "button.wide", "kind": "class", "matches": 12, "first": False},
    ],
}
