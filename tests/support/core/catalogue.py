"""What several tests of the catalogue ask of it."""

from __future__ import annotations

from typing import Any

#: Parameter values for the groups of choices.
SAMPLES: dict[str, Any] = {
    "time": 5, "target": {"ref": "e1"}, "text": "a", "urlContains": "a", "expression": "1", "value": "a",
    "values": ["a"], "labels": ["a"], "clip": {"x": 0, "y": 0, "width": 1, "height": 1}, "fullPage": True,
    "deltaX": 1, "deltaY": 1, "toX": 1, "toY": 1, "toSelector": "b", "toXpath": "//b", "toRef": "e2",
    "source": "1", "url": "https://a.example/a.js",
}  # fmt: skip


def chosen(*names: str) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for name in names:
        params |= SAMPLES[name] if name == "target" else {name: SAMPLES[name]}
    return params
