"""The places on other machines where browsers come from, as the window uses them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.doctor import Check


@dataclass(frozen=True)
class RemotePlace:
    """One place: its name, where it is, and what holds there in words."""

    name: str
    address: str
    about: str


@dataclass(frozen=True)
class RemotePlaces:
    """What is done with `browsers.toml`. All of it raises KaptureError.

    Args:
        named: reads the places.
        add: writes one more, by its name and its fields as the file has them.
        remove: takes one out, by its name.
        examine: tries each link to one, and gives each check as soon as it is made.
    """

    named: Callable[[], list[RemotePlace]]
    add: Callable[[str, JsonObject], None]
    remove: Callable[[str], None]
    examine: Callable[[str], AsyncGenerator[Check, None]]
