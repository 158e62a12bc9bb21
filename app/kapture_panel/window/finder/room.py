"""The palette: one field that finds every command, tab and action, and does what was found."""

from __future__ import annotations

from typing import Protocol

from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.window.finder.entries import ENTRIES
from kapture_panel.window.finder.finds import Find, finds
from kapture_panel.window.finder.palette import Palette
from kapture_panel.window.widgets.shell import Shell


class ShowsTab(Protocol):
    """Where a tab is chosen."""

    def show(self, tab_id: str) -> None:
        """Choose one and bring it in sight."""


class Form(Protocol):
    """Where a command is filled in and run."""

    def choose(self, name: str) -> None:
        """Have it there."""

    def run_named(self, name: str) -> None:
        """Run it as its form stands."""


class FinderRoom:
    """Lies over the window."""

    def __init__(
        self, shell: Shell, catalogue: Catalogue, tabs: Tabs, settings: Settings, shows_tab: ShowsTab, form: Form
    ) -> None:
        self._shell = shell
        shell.actions.declare(ENTRIES)
        self._catalogue = catalogue
        self._tabs = tabs
        self._shows_tab = shows_tab
        self._form = form
        self.view = Palette(shell.host, shell.theme, settings, self.finds)
        shell.actions.add("palette", self.view.open)
        self.view.chosen.connect(self._on_chosen)
        self.view.run_chosen.connect(lambda find: form.run_named(find.key.partition(":")[2]))

    def finds(self) -> list[Find]:
        """All that can be found now."""
        self._shell.actions.refresh()
        return finds(self._catalogue, self._tabs, self._shell.actions)

    def _on_chosen(self, find: Find) -> None:
        kind, _, name = find.key.partition(":")
        if kind == "action":
            self._shell.actions[name].trigger()
        elif kind == "tab":
            self._shows_tab.show(name)
        else:
            self._form.choose(name)
