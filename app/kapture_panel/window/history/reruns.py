"""How a row is run again: at once, after a question, or filled in first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.catalogue.redaction import MASK, MAX_KEPT_CHARS, is_redacted
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores import row_words
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.widgets import safe_text, tab_names

_MAX_KEPT_ITEMS = 100


@dataclass(frozen=True)
class Rerun:
    """What running a row again takes; `params` without its tab, which may be another one now."""

    command: Command
    params: Params
    way: Literal["run", "ask", "edit"]


def plan(row: Row, catalogue: Catalogue) -> Rerun:
    """Reads run, what was not kept whole is edited, all else is asked about.

    Raises:
        KaptureError: `INVALID_PARAMS` when the command is gone.
    """
    command = catalogue.get(row.command)
    params = {name: value for name, value in row.params.items() if name != "tabId"}
    if not is_whole(params):
        return Rerun(command, params, "edit")
    return Rerun(command, params, "run" if command.klass == "read" else "ask")


def where(row: Row, tab: Tab | None) -> str:
    """With what a row is run again, and in which tab: its own, if that is there."""
    params = {name: value for name, value in row.params.items() if name != "tabId"}
    given = safe_text.line(row_words.value(params), 200) if params else ""
    if tab is not None:
        place = f"on “{tab_names.name(tab, 80)}”"
    else:
        place = "its tab is gone; it runs on the tab chosen under Tabs" if row.tab_id else ""
    return " · ".join(filter(None, (given, place)))


def is_whole(value: Any) -> bool:
    """Whether history kept a value as it was: not as a length, not masked, not cut."""
    if is_redacted(value):
        return False
    if isinstance(value, dict):
        return all(map(is_whole, value.values()))
    if isinstance(value, list):
        return len(value) < _MAX_KEPT_ITEMS and all(map(is_whole, value))
    return not (isinstance(value, str) and (MASK in value or len(value) >= MAX_KEPT_CHARS))
