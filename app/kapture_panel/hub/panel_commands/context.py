"""What a command of panel scope may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tabs


@dataclass(frozen=True)
class Context:
    """The registry of tabs, the router's own door for commands made of commands, and who holds a tab."""

    tabs: Tabs
    run: Callable[[Client, str, Params], Awaitable[Answer]]
    holder: Callable[[str], Client | None]
