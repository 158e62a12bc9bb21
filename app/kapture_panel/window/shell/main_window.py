"""The panel window: every part in its place, and what goes between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDesktopServices, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMainWindow, QMenu, QStackedWidget, QWidget

from kapture_panel import paths
from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.services import Services
from kapture_panel.core.stores.forgetting import Kind, Scope
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.agents.activity import Activity
from kapture_panel.window.agents.agents_model import AgentsModel
from kapture_panel.window.agents.agents_view import AgentsView
from kapture_panel.window.agents.approvals_view import ApprovalsView
from kapture_panel.window.agents.policy_view import PolicyView
from kapture_panel.window.browsers.browsers_model import BrowsersModel
from kapture_panel.window.browsers.browsers_view import BrowsersView
from kapture_panel.window.browsers.own_browser_view import OwnBrowserView
from kapture_panel.window.browsers.pairing_view import PairingView
from kapture_panel.window.command.command_view import CommandView
from kapture_panel.window.doctor.doctor_view import DoctorView
from kapture_panel.window.history import past, reruns
from kapture_panel.window.history.forget_question import ForgetQuestion
from kapture_panel.window.history.history_model import HistoryModel
from kapture_panel.window.history.history_view import HistoryView
from kapture_panel.window.page.console_model import ConsoleModel
from kapture_panel.window.page.console_view import ConsoleView
from kapture_panel.window.page.network_view import NetworkView
from kapture_panel.window.page.page_logs import PageLogs
from kapture_panel.window.shell import window_layout
from kapture_panel.window.shell.actions import Actions
from kapture_panel.window.shell.announcer import Announcer
from kapture_panel.window.shell.attention import Attention
from kapture_panel.window.shell.background import Background
from kapture_panel.window.shell.docks import Docks
from kapture_panel.window.shell.errands import Errands
from kapture_panel.window.shell.finds import Find, finds
from kapture_panel.window.shell.keys_kept import KeysKept
from kapture_panel.window.shell.lightboxes import Lightboxes
from kapture_panel.window.shell.mouse_menu import MouseMenu
from kapture_panel.window.shell.notices_view import NoticesView
from kapture_panel.window.shell.palette import Palette
from kapture_panel.window.shell.session_end import SessionEnd
from kapture_panel.window.shell.shortcuts_sheet import ShortcutsSheet
from kapture_panel.window.shell.status_line import StatusLine
from kapture_panel.window.shell.toolbar import Toolbar
from kapture_panel.window.shell.tray import Tray
from kapture_panel.window.shell.welcome_view import WelcomeView
from kapture_panel.window.shots.shots_model import ShotsModel
from kapture_panel.window.shots.shots_view import ShotsView
from kapture_panel.window.tabs.tabs_model import TabsModel
from kapture_panel.window.tabs.tabs_view import TabsView
from kapture_panel.window.widgets import figures, plain, tab_order
from kapture_panel.window.widgets.actions import DOCKS, FORGET
from kapture_panel.window.widgets.app import Application
from kapture_panel.window.widgets.links import Links
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.question import Question
from kapture_panel.window.widgets.theme import MODES, Theme
from kapture_panel.window.widgets.toasts import Toasts

_SAVE_FOLDER = "window.save_folder"
#: More agents than these are only counted.
_NAMED = 3


class MainWindow(QMainWindow):
    """Built whole, not shown: whoever composes the program calls `show`.

    `quit_requested` comes once, when the person wants the program to end; the window has let go of
    everything by then. A program that ends by itself calls `release`.
    """

    quit_requested = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._key_is_for: QWidget | None = None
        self._links = Links()
        self._is_released = False
        #: How the docks were before the first page took their room.
        self._docks_behind: QByteArray | None = None
        self._reading_order: list[QWidget] = []
        self.setWindowTitle("Kapture Panel")
        self.setObjectName("panel")
        self.setDockNestingEnabled(True)
        app = QApplication.instance()
        assert isinstance(app, Application)
        self.theme = Theme(app, services.settings, paths.resources() / "theme")
        self.session_end = SessionEnd(app)
        kept = services.settings.get(_SAVE_FOLDER)
        app.save_folder = Path(kept) if isinstance(kept, str) and kept else None
        app.save_folder_changed.connect(self._on_save_folder)
        self.pictures = Pictures(self)
        self.activity = Activity(services, self._links, self)
        self._make_views()
        given = {**self.docks.toggles(), "record_pictures": self.history.record,
                 "record_typed": self.history.record_typed}  # fmt: skip
        self.actions_table = Actions(self, self.theme, self._deeds(), given)
        self.actions_table[f"theme_{self.theme.mode}"].setChecked(True)
        self.view_menu = QMenu("View", self)
        self.actions_table.fill(self.view_menu, "view")
        for kind in FORGET:
            self.history.forget_menu.addAction(self.actions_table[f"forget_{kind}"])
        self.history.options_menu.aboutToShow.connect(self._tell_possible)
        self.menu = QMenu("Menu", self)
        self.menu.addMenu(self.view_menu)
        self.actions_table.fill(self.menu, "menu")
        self.mouse_menu = MouseMenu(services.settings)
        self.toolbar = Toolbar(self.theme, self.activity, self.actions_table, self.mouse_menu, self.menu)
        self.addToolBar(self.toolbar)
        self.toasts = Toasts(self, self.theme)
        self.toasts.stand_over(self._middle)
        self.status = StatusLine(services, self._links, self.theme, self.toasts.notices)
        self.setStatusBar(self.status)
        self.approvals = ApprovalsView(services.router.gates.approvals, self, self.theme, self._links, self.pictures)
        self.pairing = PairingView(services.pairing, self, self.theme, self._links)
        self.background = Background(self.toasts)
        self.keys = KeysKept(self)
        self.errands = Errands(services, self.background, self.toasts, self)
        self.tray = Tray(self.theme, self.activity, self.actions_table, services.tabs, self._links, self)
        self._attention = Attention(self, self.tray)
        self.lightboxes = Lightboxes(
            self, services.shots, self._links, self.errands, self.toasts.notices, self.pictures, self.theme
        )
        self.palette_view = Palette(self, self.theme, services.settings, self._finds)
        self.shortcuts = ShortcutsSheet(self, self.theme)
        self.notices = NoticesView(self, self.toasts.notices, self.theme)
        self.doctor = DoctorView(self, self.theme)
        self.at_work = Question(self, "Agents are at work")
        self.forget = ForgetQuestion(self, services.forgetting)
        self.policy = PolicyView(self, services.router.gates.policy, services.clients, self._links, self.theme)
        self.browsers = BrowsersView(self, BrowsersModel(services.paired, self._links, self), self.theme)
        self.theme.dress()
        self._connect()
        self._announcer = Announcer(services, self.toasts, self._links)
        self._order_tabs()
        self.command.list.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.tray.show()
        self._links.connect(services.router.gates.pause.changed, self._show_pause)
        self._show_pause()
        services.router.gates.approvals.attend()
        services.pairing.attend()
        if warning := services.router.gates.policy.rules.warning:
            self.toasts.tell("Your rules for agents are lost", warning, "error")
        if not window_layout.restore(self, services.settings):
            self.docks.reset()
        if not len(services.history):
            self.show_welcome()

    def raise_window(self) -> None:
        """Bring the window in front because the person asked for it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def reset_layout(self) -> None:
        """Put every dock where it was in the beginning."""
        self.leave_welcome()
        self.docks.reset()

    def show_welcome(self) -> None:
        """Let the first page take the whole window."""
        self._fill_with(self.welcome, self.welcome.start_button)

    def show_own_browser(self) -> None:
        """Let the guide to the person's own browser take the whole window."""
        self.own_browser.begin()
        self._fill_with(self.own_browser, self.own_browser.open_button)

    def _fill_with(self, page: QWidget, first: QWidget) -> None:
        if self._docks_behind is None:
            self._docks_behind = self.saveState(window_layout.VERSION)
            self.docks.hide()
        if self._middle.currentWidget() is not page:
            self._middle.setCurrentWidget(page)
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_agent(self) -> None:
        self.show_welcome()
        self.welcome.setup.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave_welcome(self) -> None:
        """Go on from the first page, the docks as they were."""
        if self._docks_behind is not None:
            docks, self._docks_behind = self._docks_behind, None
            self._middle.setCurrentWidget(self.command)
            self.restoreState(docks, window_layout.VERSION)
            self.docks.share_room()
            self.command.params.focus_first()

    def ask_to_quit(self) -> None:
        """End, after a question where agents are at work."""
        words = "Quitting ends what goes on there, and closes the browser the panel has started."
        self._ask_while_at_work("Quit", words, self.quit)

    def _ask_to_close_browser(self) -> None:
        words = "Closing the browser ends what goes on in it."
        self._ask_while_at_work("Close browser", words, self.errands.close_browser)

    def _ask_while_at_work(self, button: str, words: str, do: Callable[[], object]) -> None:
        busy = self.activity.at_work()
        if not busy:
            do()
            return
        self.raise_window()
        who = [f"{plain.line(client.name, 40)} in “{plain.line(tab.title or tab.site, 40)}”" if tab
               else plain.line(client.name, 40) for client, tab in busy[:_NAMED]]  # fmt: skip
        if len(busy) > _NAMED:
            who.append(f"{len(busy) - _NAMED} more")
        title = f"{figures.count(len(busy), 'agent')} {'is' if len(busy) == 1 else 'are'} at work"
        self.at_work.ask(title, f"{', '.join(who)}. {words}", button, do)

    def quit(self) -> None:
        """End the window and ask for the end of the program."""
        if not self._is_released:
            self.release()
            self.hide()
            self.quit_requested.emit()

    def release(self) -> None:
        """Keep the layout and let go of stores, tasks, threads and the tray; a second call does nothing."""
        if self._is_released:
            return
        self._is_released = True
        self._keep_layout()
        self._services.router.gates.approvals.leave()
        self._services.pairing.leave()
        self._links.cut()
        self.background.cancel()
        self.command.cancel()
        self.command.end_pick()
        self.network.cancel()
        self.history.close_work()
        self.pictures.close()
        self.tray.hide()
        self.session_end.release()
        app = QApplication.instance()
        assert isinstance(app, Application)
        app.save_folder_changed.disconnect(self._on_save_folder)
        self.theme.release()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide in the tray where there is one; end otherwise."""
        if self._is_released:
            event.accept()
        elif self.tray.is_available and not self.session_end.is_ending:
            self._keep_layout()
            event.ignore()
            self.hide()
            if not self._services.settings.get("window.told_about_tray", False):
                self._services.settings.set("window.told_about_tray", True)
                self.tray.notify("Kapture Panel goes on", "It is in the tray; Quit is in its menu there.")
        elif self.activity.at_work() and not self.session_end.is_ending:
            event.ignore()
            self.ask_to_quit()
        else:
            event.accept()
            self.quit()

    def _keep_layout(self) -> None:
        window_layout.save(self, self._services.settings, self._docks_behind)

    def _make_views(self) -> None:
        services, theme, links = self._services, self.theme, self._links
        self.tabs = TabsView(TabsModel(services.tabs, services.person, links, self), services.paired, links, theme)
        self.command = CommandView(services, theme, self.pictures)
        self.shots = ShotsView(ShotsModel(services.shots, services.tabs, self.pictures, links, self), theme)
        self.agents = AgentsView(AgentsModel(services.clients, self.activity, links, self), services.mcp_config, theme)
        self.console = ConsoleView(ConsoleModel(services.console, links, self), services.tabs, links, theme)
        self.network = NetworkView(services.requests, services.tabs, services.router, services.person, links, theme)
        self.logs = PageLogs(self.console, self.network, theme)
        self.history = HistoryView(HistoryModel(services.history, links, self), services, self.pictures, theme)
        self.welcome = WelcomeView(services, links, lambda work, what: self.background.start(work, what), theme)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.command)
        self.own_browser = OwnBrowserView(services, links, theme)
        self._middle.addWidget(self.welcome)
        self._middle.addWidget(self.own_browser)
        self.setCentralWidget(self._middle)
        parts = {
            "tabs": (self.tabs, self.tabs.title_bar),
            "screenshots": (self.shots, self.shots.title_bar),
            "agents": (self.agents, self.agents.title_bar),
            "console": (self.logs, self.logs.title_bar),
            "history": (self.history, self.history.title_bar),
        }
        self.docks = Docks(self, parts)

    def _deeds(self) -> Mapping[str, Callable[[], object]]:
        """What each action of the table does; a dock's own action needs nothing here."""
        places = {
            "tabs": self.tabs,
            "commands": self.command.list,
            "screenshots": self.shots,
            "agents": self.agents,
            "history": self.history,
        }
        return {
            "show_panel": self.raise_window,
            "palette": lambda: self.palette_view.open(),
            "shortcuts": lambda: self.shortcuts.open(),
            "notices": lambda: self.notices.open(),
            "doctor": lambda: self.doctor.open(),
            "browsers": lambda: self.browsers.open(),
            "policy": lambda: self.policy.open(),
            "pause": self._pause_or_resume,
            "own_browser": self.show_own_browser,
            "shoot": lambda: self.errands.take_picture(self.tabs.current),
            "install_desktop": lambda: self.errands.install_desktop(),
            "welcome": self.show_welcome,
            "add_agent": self._add_agent,
            "start_browser": lambda: self.errands.start_browser(),
            "copy_config": self._copy_config,
            "toggle_json": self.command.toggle_json,
            **{name: partial(self._do_in_form, deed) for name, deed in self.command.deeds.items()},
            "copy_lines": self.console.copy,
            "save_console": self.console.ask_where_to_save,
            "run_again": self.history.run_chosen,
            "export_history": self._offer_export,
            **{f"forget_{kind}": partial(self._ask_to_forget, kind) for kind in FORGET},
            "clear_console": self._services.console.clear,
            "clear_network": self._services.requests.clear,
            "reset_layout": self.reset_layout,
            "close_browser": self._ask_to_close_browser,
            "quit": self.ask_to_quit,
            **{f"theme_{mode}": partial(self.theme.set_mode, mode) for mode in MODES},
            **{f"float_{name}": partial(self._float_or_dock, name) for name in DOCKS},
            **{f"go_{name}": partial(self._go_to, name, part) for name, part in places.items()},
            **{f"go_{name}": partial(self._go_to_log, name) for name in ("console", "network")},
        }

    def _pause_or_resume(self) -> None:
        pause = self._services.router.gates.pause
        if pause.is_on:
            pause.lift()
        else:
            pause.hold()

    def _show_pause(self) -> None:
        is_on = self._services.router.gates.pause.is_on
        action = self.actions_table["pause"]
        action.setText("Resume agents" if is_on else "Pause agents")
        self.toolbar.set_paused(is_on)
        self.tray.set_paused(is_on)

    def _go_to(self, name: str, part: QWidget) -> None:
        self.leave_welcome()
        if name in DOCKS:
            self.docks.reveal(name)
        first = next((stop for stop in tab_order.stops(part) if stop.isVisible()), part)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_log(self, name: str) -> None:
        self._go_to("console", self.logs.show_page(name))

    def _float_or_dock(self, name: str) -> None:
        self.leave_welcome()
        self.docks.float_or_dock(name)

    def _do_in_form(self, deed: Callable[[], object]) -> None:
        self.leave_welcome()
        deed()

    def _tell_possible(self) -> None:
        """Enable what can be done now, before it is offered."""
        possible = self.command.possible | {"run_again": self.history.has_chosen}
        possible |= {f"forget_{kind}": self._past(kind) is not None for kind in FORGET}
        for name, can_be_done in possible.items():
            self.actions_table[name].setEnabled(can_be_done)

    def _past(self, kind: Kind) -> tuple[Scope, str] | None:
        return past.meant(kind, self.history.chosen, self.tabs.current, self._services.tabs)

    def _ask_to_forget(self, kind: Kind) -> None:
        found = self._past(kind)
        if found is not None:
            self.forget.ask_about(*found)

    def _finds(self) -> list[Find]:
        self._tell_possible()
        return finds(self._services.catalogue, self._services.tabs, self.actions_table)

    def _on_found(self, find: Find) -> None:
        kind, _, name = find.key.partition(":")
        if kind == "action":
            self.actions_table[name].trigger()
            return
        self.leave_welcome()
        if kind == "tab":
            self.docks.reveal("tabs")
            self.tabs.choose(name)
        else:
            self.command.list.choose(name)
            self.command.params.focus_first()

    def _on_found_to_run(self, find: Find) -> None:
        self.leave_welcome()
        self.command.list.choose(find.key.partition(":")[2])
        self.command.run()

    def _connect(self) -> None:
        services, copy = self._services, self.errands.copy
        self.errands.starting.connect(self._on_starting)
        self.errands.started.connect(self.tabs.choose)
        self.errands.pictured.connect(self._on_pictured)
        self.palette_view.chosen.connect(self._on_found)
        self.palette_view.run_chosen.connect(self._on_found_to_run)
        self.notices.opened.connect(self.toasts.clear)
        self.notices.copied.connect(lambda text: copy(text, "Notice copied"))
        self.status.notices_asked.connect(self.notices.open)
        self.status.doctor_asked.connect(self.doctor.open)
        self.doctor.judged.connect(self.status.show_verdict)
        self.doctor.run_asked.connect(lambda: self.errands.examine(self.doctor))
        self.doctor.copied.connect(lambda text: copy(text, "Report copied"))
        self.welcome.start_browser.connect(self.errands.start_browser)
        self.welcome.left.connect(self.leave_welcome)
        self.welcome.own_browser.connect(self.show_own_browser)
        self.own_browser.left.connect(self.leave_welcome)
        self.own_browser.copied.connect(copy)
        self.own_browser.failed.connect(lambda why: self.toasts.tell("That could not be done", why, "error"))
        self.browsers.add_asked.connect(self.show_own_browser)
        self.browsers.unpaired.connect(self.errands.unpair)
        self.pairing.asked.connect(self._attention.draw_to_pairing)
        self.pairing.changed.connect(self._order_tabs)
        self.status.browsers_asked.connect(self.browsers.open)
        self.welcome.setup.copied.connect(lambda name, text: copy(text, f"Copied for {name}"))
        for name, toggle in self.docks.toggles().items():
            # Not `toggled`: the first page hides docks, too.
            toggle.triggered.connect(partial(self._on_dock_toggled, toggle, name.removeprefix("dock_")))
        self._links.connect(services.history.removed, self._on_rows_gone)
        self._links.connect(services.tabs.added, self._on_tabs)
        self._links.connect(services.tabs.removed, self._on_tabs)
        self._on_tabs()
        self.tabs.start_browser.connect(self.errands.start_browser)
        self.tabs.new_tab.connect(self.errands.open_tab)
        unconnected = self.tabs.unconnected
        unconnected.list_asked.connect(lambda: self.errands.list_unconnected(unconnected))
        unconnected.connect_asked.connect(lambda number: self.errands.connect_tab(number, unconnected))
        self.tabs.chosen.connect(self.command.set_tab)
        self.tabs.asked.connect(self._on_tab_asked)
        self.tabs.hands = self._hands
        self.tabs.handed.connect(self._on_handed)
        self.command.set_tab(self.tabs.current)
        self.command.answered.connect(self._on_answered)
        self.command.began.connect(self.keys.hold)
        self.command.ended.connect(self.keys.let_go)
        self.command.picked.connect(self.keys.fetch)
        self._links.connect(services.tabs.changed, self.command.on_tab_changed)
        self._links.connect(services.tabs.navigated, self.command.on_navigated)
        self.command.result.shot_opened.connect(self.lightboxes.open)
        self.command.result.picture_opened.connect(self.lightboxes.open_data)
        self.command.result.copied.connect(lambda said: self.toasts.tell(said, tone="ok", is_kept=False))
        self.lightboxes.aimed.connect(self._on_aimed)
        self.shots.opened.connect(self.lightboxes.open)
        self.shots.removed.connect(self._services.shots.remove)
        self.agents.copy_config.connect(self._copy_config)
        self.agents.add_asked.connect(self._add_agent)
        self.agents.disconnect_asked.connect(self.errands.disconnect_agent)
        self.agents.policy_asked.connect(self.policy.open_for)
        self.console.copied.connect(lambda text: copy(text, "Console lines copied"))
        self.console.cleared.connect(lambda: services.console.clear())
        self.console.saved.connect(self._on_console_saved)
        self.console.failed.connect(lambda why: self.toasts.tell("Saving failed", why, "error"))
        self.network.copied.connect(lambda text: copy(text, "Request details copied"))
        self.network.cleared.connect(lambda: services.requests.clear())
        self.history.run_again.connect(self._on_run_again)
        self.history.edit_again.connect(self._on_edit_again)
        self.history.copied.connect(lambda text: copy(text, "Row copied"))
        self.history.picture_opened.connect(self.lightboxes.open)
        self.history.told.connect(self.toasts.tell)
        self.forget.forgotten.connect(lambda words: self.toasts.tell("Forgotten", words, "ok", is_kept=False))
        self.forget.failed.connect(lambda why: self.toasts.tell("Nothing was forgotten", why, "error"))
        self.history.exported.connect(self._on_exported)
        self.approvals.asked.connect(self._attention.draw_to_ask)
        self.approvals.changed.connect(self._on_asks_changed)
        self.session_end.committed.connect(self._keep_layout)
        self.session_end.ended.connect(self.quit)
        self.tray.show_panel.connect(self.raise_window)
        self.tray.tab_chosen.connect(self._on_tray_tab)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.docks.share_room()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            # It announces a key. A button that this very key gives the focus to shall not be pressed by it.
            self._key_is_for = QApplication.focusWidget()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, as Space does."""
        focused = QApplication.focusWidget()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat()
        if is_enter and not event.modifiers() and isinstance(focused, QAbstractButton) and focused is self._key_is_for:
            focused.click()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab goes through what is in this window; a floating dock is a window of its own."""
        parts = [part for part in self._reading_order if part.window() is self]
        return tab_order.step(parts, is_next) or super().focusNextPrevChild(is_next)

    def _order_tabs(self) -> None:
        console, history = (self.logs.title_bar, self.logs), (self.history.title_bar, self.history)
        shots, agents = (self.shots.title_bar, self.shots), (self.agents.title_bar, self.agents)
        tabs = (self.tabs.title_bar, self.tabs)
        middle = self.command.reading_order
        around = (*shots, *agents, *console, *history, self.toasts, self.status)
        self._reading_order = [
            self.toolbar,
            self.pairing,
            self.approvals,
            self.welcome,
            self.own_browser,
            *tabs,
            *middle,
            *around,
        ]
        tab_order.chain(self._reading_order)

    def _on_starting(self, is_starting: bool) -> None:
        self.actions_table["start_browser"].setEnabled(not is_starting)
        self.toolbar.set_starting(is_starting)
        self.welcome.set_starting(is_starting)
        self.tabs.start_button.setEnabled(not is_starting)

    def _on_save_folder(self, folder: Path) -> None:
        self._services.settings.set(_SAVE_FOLDER, str(folder))

    def _on_tabs(self, _tab: Tab | None = None) -> None:
        is_open = any(tab.managed and not tab.session for tab in self._services.tabs)
        self.actions_table["close_browser"].setEnabled(is_open)

    def _on_rows_gone(self, ids: list[int], pictures: list[str]) -> None:
        """What the history has let go of is shown nowhere else."""
        self.lightboxes.let_go(pictures)
        self.history.let_go(ids)
        self.command.result.let_go(ids)

    def _on_dock_toggled(self, toggle: QAction, name: str, _checked: bool = False) -> None:
        if not toggle.isChecked():
            deed = ("Show", partial(self.docks.reveal, name))
            self.toasts.tell(f"{DOCKS[name]} hidden", tone="ok", is_kept=False, deed=deed)

    def _on_pictured(self, where: str) -> None:
        if not self.isVisible():
            self.tray.notify("Screenshot taken", where)

    def _on_tray_tab(self, tab_id: str) -> None:
        self.leave_welcome()
        self.raise_window()
        self.docks.reveal("tabs")
        self.tabs.choose(tab_id)

    def _on_tab_asked(self, name: str, tab: Tab) -> None:
        deeds: dict[str, Callable[[], object]] = {
            "copy_url": lambda: self.errands.copy(tab.url, "Address copied"),
            "copy_tab_id": lambda: self.errands.copy(tab.tab_id, "tabId copied"),
        }
        if name in deeds:
            deeds[name]()
        else:
            self.errands.run_on(tab, name)

    def _hands(self, tab: Tab) -> tuple[Client | None, list[Client]]:
        """Who holds a tab, and which other agents see it."""
        holder = self._services.router.gates.leases.holder(tab.tab_id)
        agents = [client for client in self._services.clients.agents() if client.session == tab.session]
        return holder, [client for client in agents if client is not holder]

    def _on_handed(self, tab: Tab, client: Client | None) -> None:
        leases = self._services.router.gates.leases
        if client is None:
            leases.release(tab.tab_id)
        else:
            leases.hand_over(client, tab.tab_id)
            client.current_tab = tab.tab_id

    def _on_answered(self, answer: Answer) -> None:
        if answer.tab_id and answer.command.scope == "browser":
            self.tabs.choose(answer.tab_id)

    def _on_run_again(self, row: Row) -> None:
        """Run a row in its tab, or in the chosen one where that is gone; its result is seen in the middle."""
        if self.command.task is not None:
            self.toasts.tell("A command is running", "Wait for it, or cancel it, and run the row then.", "warn")
            return
        params = self._fill_in(row)
        if params is None:
            return
        if self.command.params.read() == params:
            self.command.run()
        else:
            self.toasts.tell("Look at it first", "The form cannot show all of this row's parameters.", "warn")

    def _on_edit_again(self, row: Row) -> None:
        if self._fill_in(row) is not None:
            focused = QApplication.focusWidget()
            if focused is None or not self.command.params.isAncestorOf(focused):
                self.command.params.focus_first()
            self.activateWindow()

    def _fill_in(self, row: Row) -> dict[str, Any] | None:
        """Put a row of the past into the form, its tab chosen where it is there; None when the command is gone."""
        try:
            plan = reruns.plan(row, self._services.catalogue)
        except KaptureError as error:
            self.toasts.tell("This command is gone", error.message, "error")
            return None
        self.leave_welcome()
        if plan.command.scope == "tab":
            self.tabs.choose(row.tab_id)
        self.command.open(plan.command.name, plan.params)
        return plan.params

    def _copy_config(self) -> None:
        self.errands.copy(self._services.mcp_config, "MCP configuration copied")

    def _offer_export(self) -> None:
        self._go_to("history", self.history)
        self.history.show_export_menu()

    def _on_exported(self, path: str, rows: int, steps: int | None) -> None:
        folder = QUrl.fromLocalFile(str(Path(path).parent))
        deed = ("Open folder", lambda: QDesktopServices.openUrl(folder))
        words = f"{figures.count(rows, 'row')} in {path}"
        if steps is not None and steps != rows:
            words = f"{figures.count(steps, 'step')} of {words}; the other rows only look, or cannot be done again"
        self.toasts.tell("History exported", words, "ok", deed=deed)

    def _on_console_saved(self, path: str, lines: int) -> None:
        self.toasts.tell("Console saved", f"{figures.count(lines, 'line')} in {path}", "ok")

    def _on_aimed(self, shot: Shot, x: float, y: float) -> None:
        """A click on a screenshot aims the command in the form at that place of its tab."""
        self.leave_welcome()
        if self.command.put_position(x, y):
            self.tabs.choose(shot.tab_id)
            self.toasts.tell(f"{self.command.command.title} aims at x {x:.0f}, y {y:.0f}", tone="ok", is_kept=False)
        else:
            words = "Choose one that has a target, such as Click, or mend its JSON, and click the place again."
            self.toasts.tell(f"{self.command.command.title} takes no place", words, "warn", is_kept=False)

    def _on_asks_changed(self) -> None:
        self.tray.set_asks(len(self._services.router.gates.approvals))
        self.toasts.stand_on(self.approvals.covered_px)
        self._order_tabs()
