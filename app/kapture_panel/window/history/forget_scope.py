"""What "this" tab, agent or site means to a person who wants it forgotten."""

from __future__ import annotations

from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.forgetting import Kind, Scope, last_hour
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.widgets import safe_text, tab_names


def scope_of(kind: Kind, row: Row | None, tab: Tab | None, tabs: Tabs) -> tuple[Scope, str] | None:
    """What is meant, and its words.

    Args:
        row: the history row that is chosen: its tab, agent or site are "this" one.
        tab: the tab that is chosen; it counts where no row is.
        tabs: those that are connected, for a tab's title.

    Returns:
        None where nothing is meant.
    """
    if kind == "hour":
        return last_hour(), "the last hour"
    if kind == "everything":
        return Scope("everything"), "everything"
    if kind == "tab":
        name = row.tab_id if row is not None else tab.tab_id if tab is not None else ""
        shown = tabs.find(name) if name else None
        words = f"the tab “{tab_names.name(shown, 60) if shown else safe_text.line(name, 60)}”"
    elif kind == "agent":
        name = (row.client if row.kind != "person" else "") if row is not None else tab.driver if tab else ""
        words = f"the agent {safe_text.line(name, 60)}"
    else:
        name = row.site if row is not None else tab.site if tab is not None else ""
        words = f"the site {safe_text.line(name, 60)}"
    return (Scope(kind, name), words) if name else None
