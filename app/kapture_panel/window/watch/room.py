"""Watching: the middle of the window shows the page of a tab as it is now, in place of the form."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QAbstractItemModel, QSize, SignalInstance
from PySide6.QtGui import QKeyEvent

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.settings import RECORD_PICTURES, Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.watch.acts import Acts
from kapture_panel.window.watch.entries import ENTRIES
from kapture_panel.window.watch.grid_model import GridModel
from kapture_panel.window.watch.grid_view import GridView
from kapture_panel.window.watch.live_grid import LiveGrid
from kapture_panel.window.watch.live_pictures import LivePictures
from kapture_panel.window.watch.looking import PersonsHands, Pointing, Videos, Watching
from kapture_panel.window.watch.notes import PersonsNotes
from kapture_panel.window.watch.past_view import PastView
from kapture_panel.window.watch.timeline import Timeline
from kapture_panel.window.watch.timeline_model import TimelineModel
from kapture_panel.window.watch.videos import PersonsVideos
from kapture_panel.window.watch.watch_view import WatchView
from kapture_panel.window.widgets.entries import presses
from kapture_panel.window.widgets.shell import RunCommand, Shell, Way

#: Where the person's choice is kept.
FOLLOW = "watch.follow"
#: What the window's own keys do while the page has the keyboard: all others are the page's.
_KEPT = ("watch", "step_in", "pause")


class ChosenTab(Protocol):
    """The tab the person works in."""

    @property
    def chosen(self) -> SignalInstance:
        """Comes with the tab, or None."""

    @property
    def current(self) -> Tab | None:
        """The tab now."""

    @property
    def rows(self) -> QAbstractItemModel:
        """All tabs, see `widgets.roles`."""

    def row_of(self, tab_id: str) -> int:
        """The row of a tab there, or -1."""

    def choose(self, tab_id: str) -> bool:
        """Make another one it."""


class Rows(Protocol):
    """Where commands are seen in full."""

    def show_row(self, row: Row) -> None:
        """Show one."""

    def export_recording(self, ids: tuple[int, ...]) -> None:
        """Ask for a file and write these into it."""


class Browser(Protocol):
    """The browser a first tab comes from."""

    def start(self) -> None:
        """Start it."""


class WatchRoom:
    """The other way to look at the middle of the window."""

    def __init__(
        self,
        shell: Shell,
        catalogue: Catalogue,
        settings: Settings,
        tabs: Tabs,
        history: History,
        run: RunCommand,
        watching: Watching,
        hands: PersonsHands,
        pointing: Pointing,
        videos: Videos,
        gates: Gates,
        shots_folder: Path,
        chosen: ChosenTab,
        rows: Rows,
        browser: Browser,
    ) -> None:
        self._shell = shell
        self._settings = settings
        self._catalogue = catalogue
        self._run = run
        self._chosen = chosen
        shell.actions.declare(ENTRIES)
        self.live = LivePictures(watching, shell.pictures, shell.host)
        self._all_live = LiveGrid(watching, shell.pictures, shell.host)
        acts = Acts(history, tabs, catalogue, shell.subscriptions, shell.host)
        self._hands = hands
        self._leases = gates.leases
        cards = GridModel(
            chosen.rows, chosen.row_of, self._all_live, acts, tabs, gates.approvals, shell.subscriptions, shell.host
        )  # fmt: skip
        grid = GridView(cards, self._all_live, shell.theme)
        done = TimelineModel(history, catalogue, shell.pictures, shots_folder, shell.subscriptions, shell.host)
        past = PastView(shell.pictures, shell.theme)
        timeline = Timeline(done, self._records, shell.theme)
        self.view = WatchView(
            self.live, grid, timeline, past, acts, hands.give, self._is_kept, shell.theme
        )  # fmt: skip
        self.view.know(self._is_mine, self._records)
        shell.add_ways([Way("Watch", self.view, self.view.title_bar, self.view.reading_order)])
        for part in (timeline, self.view.line, self.view.band, self.view.note):
            shell.toasts.keep_free(part)
        self._add_actions()
        self.notes = PersonsNotes(shell, pointing, self.view.page, self.view.note, lambda: self.view.tab)
        self.videos = PersonsVideos(shell, videos, self.view, self._do)
        self._connect(tabs, history, watching, rows, browser)
        shell.at_end(self.live.look_away)
        shell.at_end(lambda: self._all_live.look([], QSize(1, 1)))

    def _add_actions(self) -> None:
        actions, settings, follow = self._shell.actions, self._settings, self.view.follow
        actions.add("watch", self._shell.next_way)
        actions.add("step_in", self._step, can=lambda: self._chosen.current is not None)
        actions.add("point", self._point, can=lambda: self._chosen.current is not None)
        actions.add("record_tab", self._record_tab, can=lambda: self._chosen.current is not None)
        actions.add("follow_agents", follow.toggle)
        actions.add("all_tabs", self._turn_to_all)
        follow.setChecked(bool(settings.get(FOLLOW, False)))
        follow.toggled.connect(lambda is_on: settings.set(FOLLOW, is_on))

    def _connect(self, tabs: Tabs, history: History, watching: Watching, rows: Rows, browser: Browser) -> None:
        view, subscriptions = self.view, self._shell.subscriptions
        self._chosen.chosen.connect(view.show_tab)
        view.show_tab(self._chosen.current)
        view.start_asked.connect(browser.start)
        view.dialog_answered.connect(self._answer_dialog)
        view.reload_asked.connect(lambda tab: self._do("kapturemcp_reload", {"tabId": tab.tab_id}))
        view.step_asked.connect(self._on_step)
        view.row_asked.connect(rows.show_row)
        view.timeline.export_asked.connect(rows.export_recording)
        view.record_asked.connect(self._record)
        view.timeline.record_asked.connect(self._record)
        self._shell.actions["record_pictures"].toggled.connect(lambda _on: view.timeline.refresh())
        view.grid.opened.connect(lambda tab: self._chosen.choose(tab.tab_id))
        subscriptions.connect(self._leases.changed, view.on_held)
        subscriptions.connect(watching.came, self.live.on_picture)
        subscriptions.connect(watching.came, self._all_live.on_picture)
        subscriptions.connect(tabs.changed, self._on_changed)
        subscriptions.connect(tabs.crashed, view.on_crashed)
        subscriptions.connect(tabs.navigated, view.on_navigated)
        subscriptions.connect(history.began, self._on_began)

    def _on_changed(self, tab: Tab) -> None:
        shown = self.view.tab
        if shown is not None and shown.tab_id == tab.tab_id:
            self.view.show_tab(tab)

    def _records(self) -> bool:
        return self._settings.get(RECORD_PICTURES, False) is True

    def _is_mine(self, tab: Tab) -> bool:
        holder = self._leases.holder(tab.tab_id)
        return holder is not None and holder.kind == "person"

    def _is_kept(self, event: QKeyEvent) -> bool:
        """The keys of the window that work while the page has the keyboard."""
        actions = self._shell.actions
        return any(presses(actions.entry(name), event) for name in _KEPT)

    def _step(self) -> None:
        """Step into the chosen tab, or out of it, where it is seen."""
        self._shell.show_way(self.view)
        self.view.all.setChecked(False)
        self.view.toggle_step()

    def _point(self) -> None:
        self._shell.show_way(self.view)
        self.view.begin_pointing()

    def _record_tab(self) -> None:
        self._shell.show_way(self.view)
        self.videos.toggle()

    def _turn_to_all(self) -> None:
        """Look at all tabs, from anywhere, or at the one again."""
        is_seen = self.view.isVisible()
        self._shell.show_way(self.view)
        self.view.all.setChecked(not (is_seen and self.view.all.isChecked()))

    def _on_step(self, tab: Tab, is_wanted: bool) -> None:
        if is_wanted:
            try:
                self._hands.step_in(tab.tab_id)
            except KaptureError as error:
                self._shell.toasts.tell(f"Step in failed: {error.code}", error.message, "error")
        else:
            self._shell.background.start(self._hands.step_out(tab.tab_id), "Give back")

    def _on_began(self, row: Row) -> None:
        """Go where an agent acts, if the person follows."""
        shown = self.view.tab
        acts = row.kind == "agent" and row.state == "running" and self._catalogue.get(row.command).klass != "read"
        is_elsewhere = row.tab_id != "" and (shown is None or shown.tab_id != row.tab_id)
        if (
            acts
            and is_elsewhere
            and self.view.follow.isChecked()
            and self.view.isVisible()
            and not self.view.hands.is_on
            and self.view.timeline.row is None
        ):
            self._chosen.choose(row.tab_id)

    def _record(self) -> None:
        self._shell.actions["record_pictures"].setChecked(True)
        self.view.timeline.strip.go_live()

    def _answer_dialog(self, tab: Tab, accept: bool) -> None:
        self._do("kapturemcp_handle_dialog", {"tabId": tab.tab_id, "accept": accept})

    def _do(self, name: str, params: Params) -> None:
        self._shell.background.start(self._run(name, params), self._catalogue.get(name).title)
