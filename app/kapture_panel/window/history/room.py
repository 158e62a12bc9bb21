"""The history: looked through, run again through the form, exported, forgotten."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Protocol

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.forgetting import Forgetting, Kind, Scope
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.history import forget_scope, reruns
from kapture_panel.window.history.entries import ENTRIES, FORGET
from kapture_panel.window.history.forget_question import ForgetQuestion
from kapture_panel.window.history.history_export import Made
from kapture_panel.window.history.history_model import HistoryModel
from kapture_panel.window.history.history_view import HistoryView
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.desktop_opening import open_path
from kapture_panel.window.widgets.shell import Shell


class ChosenTab(Protocol):
    """The tab a row is run in again, and "this tab" of what is forgotten."""

    @property
    def current(self) -> Tab | None:
        """The tab the person works in."""

    def choose(self, tab_id: str) -> bool:
        """Work in another one."""


class Form(Protocol):
    """Where a row is filled in and run."""

    @property
    def is_running(self) -> bool:
        """Whether it runs a command."""

    def open(self, name: str, params: Params) -> None:
        """Put a command into it."""

    def holds(self, params: Params) -> bool:
        """Whether just these parameters are in it."""

    def run(self) -> None:
        """Run what is in it."""

    def take_focus(self) -> None:
        """Let the person go on in it."""


class PictureWindows(Protocol):
    """Where a row's pictures are looked at large."""

    def open(self, shot: Shot) -> None:
        """Show one."""


class HistoryRoom:
    """One dock, and the question before a part of the history is forgotten."""

    def __init__(
        self,
        shell: Shell,
        history: History,
        catalogue: Catalogue,
        settings: Settings,
        shots_folder: Path,
        tabs: Tabs,
        forgetting: Forgetting,
        chosen: ChosenTab,
        form: Form,
        pictures: PictureWindows,
    ) -> None:
        self._shell = shell
        shell.actions.declare(ENTRIES)
        self._catalogue = catalogue
        self._tabs = tabs
        self._chosen = chosen
        self._form = form
        model = HistoryModel(history, catalogue, shell.subscriptions, shell.host)
        self.view = HistoryView(model, history, catalogue, tabs, settings, shots_folder, shell.pictures, shell.theme)
        self.forget = ForgetQuestion(shell.host, forgetting)
        shell.add_dock("history", "History", self.view, self.view.title_bar)
        shell.toasts.keep_free(self.view.question)
        self._add_actions()
        self._connect(history, pictures)
        shell.at_end(self.view.close_work)

    def _add_actions(self) -> None:
        actions, view = self._shell.actions, self.view
        actions.adopt("record_pictures", view.options.record)
        actions.adopt("record_typed", view.options.record_typed)
        actions.add("run_again", view.run_chosen, can=lambda: view.chosen is not None)
        actions.add("export_history", self._offer_export)
        view.exports.offer_beside(actions["save_requests"])
        actions.add("go_history", lambda: self._shell.go_to("history", view))
        for kind in FORGET:
            actions.add(f"forget_{kind}", partial(self._ask_to_forget, kind), can=partial(self._can_forget, kind))
            view.options.forget.addAction(actions[f"forget_{kind}"])
        view.options.aboutToShow.connect(actions.refresh)

    def _connect(self, history: History, pictures: PictureWindows) -> None:
        shell, view, tell = self._shell, self.view, self._shell.toasts.tell
        view.run_again.connect(self._on_run_again)
        view.edit_again.connect(self._on_edit_again)
        view.copied.connect(lambda text: shell.copy(text, "Row copied"))
        view.picture_opened.connect(pictures.open)
        view.told.connect(tell)
        view.exports.exported.connect(self._on_exported)
        self.forget.forgotten.connect(lambda words: tell("Forgotten", words, "ok", is_kept=False))
        self.forget.failed.connect(lambda why: tell("Nothing was forgotten", why, "error"))
        shell.subscriptions.connect(history.removed, lambda ids, _pictures: view.let_go(ids))
        shell.subscriptions.connect(self._tabs.removed, view.let_go_of_tab)

    def show_row(self, row: Row) -> None:
        """Show everything about a row, where it stands in the list."""
        self._shell.go_to("history", self.view)
        self.view.go_to(row)

    def export_recording(self, ids: tuple[int, ...]) -> None:
        """Ask for a file and write the rows with these ids as a recording."""
        self.view.exports.ask_where("html", ids)

    def _on_run_again(self, row: Row) -> None:
        """Run a row in its tab, or in the chosen one where that is gone; its result is seen in the middle."""
        tell = self._shell.toasts.tell
        if self._form.is_running:
            tell("A command is running", "Wait until it is done, or cancel it. Then run the row.", "warn")
            return
        params = self._fill_in(row)
        if params is None:
            return
        if self._form.holds(params):
            self._form.run()
        else:
            tell("Look at it first", "The form cannot show all of this row's parameters.", "warn")

    def _on_edit_again(self, row: Row) -> None:
        if self._fill_in(row) is not None:
            self._form.take_focus()

    def _fill_in(self, row: Row) -> Params | None:
        """Put a row into the form, its tab chosen where it is there.

        Returns:
            Its parameters; None when the command is gone.
        """
        try:
            plan = reruns.plan(row, self._catalogue)
        except KaptureError as error:
            self._shell.toasts.tell("This command no longer exists", error.message, "error")
            return None
        self._shell.leave_page()
        if plan.command.scope == "tab":
            self._chosen.choose(row.tab_id)
        self._form.open(plan.command.name, plan.params)
        return plan.params

    def _offer_export(self) -> None:
        self._shell.go_to("history", self.view)
        self.view.exports.show_menu()

    def _on_exported(self, path: str, made: Made) -> None:
        is_page = path.endswith(".html")
        place = Path(path) if is_page else Path(path).parent
        words = f"{figures.count(made.rows, 'row')} in {path}"
        if made.steps is not None and made.steps != made.rows:
            words = f"{figures.count(made.steps, 'step')} of {words}; the file says why the others are left out"
        if path.endswith(".kapture.json"):
            words += ". In a terminal, “kapture run” and its path run it"
        if made.pictures:
            words += f", with {figures.count(made.pictures, 'picture')}, which show what was typed, too"
        elif made.pictures == 0:
            words += ", without pictures: none are kept of these rows"
        way = ("Open" if is_page else "Open folder", lambda: open_path(place, self._shell.toasts))
        record, toasts, title = self._shell.actions["record_pictures"], self._shell.toasts, "History exported"

        def record_from_now_on() -> None:
            record.setChecked(True)
            toasts.end(title, words)
            later = f"The next rows have pictures. Those in {path} have none."
            toasts.tell("Pictures are recorded from now on", later, "ok", is_kept=False, action=way)

        offer = ("Record pictures from now on", record_from_now_on)
        is_offered = made.pictures == 0 and not record.isChecked()
        toasts.tell(title, words, "ok", action=way, also=offer if is_offered else None)

    def _meant(self, kind: Kind) -> tuple[Scope, str] | None:
        return forget_scope.scope_of(kind, self.view.chosen, self._chosen.current, self._tabs)

    def _can_forget(self, kind: Kind) -> bool:
        return self._meant(kind) is not None

    def _ask_to_forget(self, kind: Kind) -> None:
        found = self._meant(kind)
        if found is not None:
            self.forget.ask_about(*found)
