"""The form: a command is chosen, filled in and run; other rooms have it opened, aimed and run, too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QApplication

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.command.back_in_front import BackInFront
from kapture_panel.window.command.command_view import CommandView
from kapture_panel.window.command.entries import ENTRIES
from kapture_panel.window.command.ways import Ways
from kapture_panel.window.widgets.shell import Shell, Way


class ChosenTab(Protocol):
    """The tab that commands are for."""

    @property
    def chosen(self) -> SignalInstance:
        """Comes with the tab, or None."""

    @property
    def current(self) -> Tab | None:
        """The tab now."""

    def choose(self, tab_id: str) -> bool:
        """Make another one it."""


class PictureWindows(Protocol):
    """Where pictures are looked at large, and aimed from."""

    @property
    def aimed(self) -> SignalInstance:
        """A screenshot, and a place in its tab's viewport."""

    def open(self, shot: Shot) -> None:
        """Show a screenshot."""

    def open_data(self, name: str, data: bytes) -> None:
        """Show a picture that is in no store."""


class CommandRoom:
    """The first way to look at the middle of the window."""

    def __init__(
        self,
        shell: Shell,
        catalogue: Catalogue,
        settings: Settings,
        mcp_config: str,
        ways: Ways,
        tabs: Tabs,
        history: History,
        chosen: ChosenTab,
        pictures: PictureWindows,
    ) -> None:
        self._shell = shell
        shell.actions.declare(ENTRIES)
        self._chosen = chosen
        self._pictures = pictures
        self.view = CommandView(catalogue, settings, mcp_config, ways, shell.theme, shell.pictures)
        self._back_in_front = BackInFront(shell.host)
        way = Way("Command", self.view, self.view.title_bar, self.view.reading_order)
        shell.set_middle(way, self.view.params.focus_first)
        shell.toasts.keep_free(self.view.run_bar)
        self._add_actions()
        self._connect(tabs, history)
        shell.at_end(self.view.cancel)
        shell.at_end(self.view.end_pick)

    @property
    def is_running(self) -> bool:
        """Whether a command of the form is under way."""
        return self.view.task is not None

    def open(self, name: str, params: Params) -> None:
        """Put a command into the form."""
        self._shell.show_way(self.view)
        self.view.open(name, params)

    def holds(self, params: Params) -> bool:
        """Whether just these parameters are in the form."""
        return self.view.params.read() == params

    def choose(self, name: str) -> None:
        """Have a command in the form as it was left, the focus on what comes first."""
        self._shell.show_way(self.view)
        self.view.list.choose(name)
        self.view.params.focus_first()

    def run(self) -> None:
        """Run what is in the form."""
        self.view.run()

    def run_named(self, name: str) -> None:
        """Run a command as its form stands."""
        self._shell.show_way(self.view)
        self.view.list.choose(name)
        self.view.run()

    def take_first_focus(self) -> None:
        """Let the person begin with the list of commands."""
        self.view.list.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_focus(self) -> None:
        """Let the person go on in the form; a field that has the focus keeps it."""
        focused = QApplication.focusWidget()
        if focused is None or not self.view.params.isAncestorOf(focused):
            self.view.params.focus_first()
        self._shell.host.activateWindow()

    def _add_actions(self) -> None:
        actions = self._shell.actions
        actions.add("toggle_json", self.view.toggle_json)
        actions.add("go_commands", lambda: self._shell.go_to("commands", self.view.list))
        for name, (do, can) in self.view.form_actions.items():
            actions.add(name, partial(self._do, do), can=can)

    def _do(self, do: Callable[[], object]) -> None:
        self._shell.show_way(self.view)
        do()

    def _connect(self, tabs: Tabs, history: History) -> None:
        view, subscriptions = self.view, self._shell.subscriptions
        self._chosen.chosen.connect(view.set_tab)
        view.set_tab(self._chosen.current)
        view.answered.connect(self._on_answered)
        view.picked.connect(self._back_in_front.come)
        view.result.shot_opened.connect(self._pictures.open)
        view.result.picture_opened.connect(self._pictures.open_data)
        view.result.copied.connect(lambda said: self._shell.toasts.tell(said, tone="ok", is_kept=False))
        self._pictures.aimed.connect(self._on_aimed)
        subscriptions.connect(tabs.changed, view.on_tab_changed)
        subscriptions.connect(tabs.navigated, view.on_navigated)
        subscriptions.connect(history.removed, lambda ids, _pictures: view.result.let_go(ids))

    def _on_answered(self, answer: Answer) -> None:
        if answer.tab_id and answer.command.scope == "browser":
            self._chosen.choose(answer.tab_id)

    def _on_aimed(self, shot: Shot, x: float, y: float) -> None:
        """A click on a screenshot aims the command in the form at that place of its tab."""
        self._shell.show_way(self.view)
        title, tell = self.view.command.title, self._shell.toasts.tell
        if self.view.put_position(x, y):
            self._chosen.choose(shot.tab_id)
            tell(f"{title} aims at x {x:.0f}, y {y:.0f}", tone="ok", is_kept=False)
        else:
            words = "Choose a command with a target, such as Click, or correct its JSON. Then click the place again."
            tell(f"{title} has no target", words, "warn", is_kept=False)
