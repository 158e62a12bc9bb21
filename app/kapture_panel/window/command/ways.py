"""The ways from the form to a tab."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.results import Picked
from kapture_panel.window.widgets.shell import RunCommand


@dataclass(frozen=True)
class Ways:
    """What the form is given to reach a tab by.

    Args:
        run: runs a command as the person.
        pick: lets the person choose an element in a tab and waits for it; it raises KaptureError, and cancelling it
            ends the choosing. It is the window's alone: no agent's command leads there.
        count: tells how many elements of a tab a selector matches, without a row in the history, since it is asked
            as the person types; it raises KaptureError.
    """

    run: RunCommand
    pick: Callable[[Tab], Coroutine[Any, Any, Picked]]
    count: Callable[[Tab, str], Coroutine[Any, Any, int]]
