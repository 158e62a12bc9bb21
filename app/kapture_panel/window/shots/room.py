"""The screenshots: taken, looked at large, deleted, and aimed from."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, Signal

from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.window.shots.entries import ENTRIES
from kapture_panel.window.shots.lightboxes import Lightboxes
from kapture_panel.window.shots.shot_commands import ShotCommands
from kapture_panel.window.shots.shots_model import ShotsModel
from kapture_panel.window.shots.shots_view import ShotsView
from kapture_panel.window.widgets.shell import RunCommand, Shell


class ChosenTab(Protocol):
    """The tab a screenshot is taken of."""

    @property
    def current(self) -> Tab | None:
        """The tab the person works in."""


class ShotsRoom(QObject):
    """`aimed` carries a screenshot and the place meant by a click in it, see `Lightboxes.aimed`."""

    aimed = Signal(object, float, float)

    def __init__(
        self,
        shell: Shell,
        shots: Shots,
        tabs: Tabs,
        history: History,
        run: RunCommand,
        look: RunCommand,
        chosen: ChosenTab,
    ) -> None:
        super().__init__(shell.host)
        self._shell = shell
        shell.actions.declare(ENTRIES)
        subscriptions = shell.subscriptions
        self.commands = ShotCommands(run, look, tabs, shell.background, shell.host)
        self.view = ShotsView(ShotsModel(shots, tabs, shell.pictures, subscriptions, shell.host), shell.theme)
        self.lightboxes = Lightboxes(
            shell.host, shots, subscriptions, self.commands, shell.toasts, shell.pictures, shell.theme
        )
        shell.add_dock("screenshots", "Screenshots", self.view, self.view.title_bar)
        shell.actions.add("shoot", lambda: self.commands.take(chosen.current))
        shell.actions.add("go_screenshots", lambda: shell.go_to("screenshots", self.view))
        self.commands.taken.connect(self._on_taken)
        self.view.opened.connect(self.lightboxes.open)
        self.view.removed.connect(shots.remove)
        self.lightboxes.aimed.connect(self.aimed)
        subscriptions.connect(history.removed, lambda _ids, pictures: self.lightboxes.let_go(pictures))

    def open(self, shot: Shot) -> None:
        """Show a screenshot in a window of its own."""
        self.lightboxes.open(shot)

    def open_data(self, name: str, data: bytes) -> None:
        """Show a picture that is in no store."""
        self.lightboxes.open_data(name, data)

    def _on_taken(self, where: str) -> None:
        self._shell.toasts.tell("Screenshot taken", where, "ok", is_kept=False)
        self._shell.notify("Screenshot taken", where)
