"""The panel window: what stands around its rooms, its keys and its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMainWindow, QMenu, QWidget

from kapture_panel.core.core import Core
from kapture_panel.window.shell import window_layout
from kapture_panel.window.shell.announcer import Announcer
from kapture_panel.window.shell.attention import Attention
from kapture_panel.window.shell.backend import Backend
from kapture_panel.window.shell.mouse_menu import MouseMenu
from kapture_panel.window.shell.notices import Notices
from kapture_panel.window.shell.panel_actions import PanelActions
from kapture_panel.window.shell.rooms import Rooms
from kapture_panel.window.shell.save_folder import SaveFolder
from kapture_panel.window.shell.session_end import SessionEnd
from kapture_panel.window.shell.shortcuts_sheet import ShortcutsSheet
from kapture_panel.window.shell.toolbar import Toolbar
from kapture_panel.window.shell.tray import Tray
from kapture_panel.window.shell.trouble import HistoryTrouble
from kapture_panel.window.shell.window_shell import WindowShell
from kapture_panel.window.widgets import tab_order
from kapture_panel.window.widgets.app import Application

#: What quitting does to agents.
_ENDS = "stops what agents do and closes the panel's browser."


class MainWindow(QMainWindow):
    """Built whole, not shown: whoever composes the program calls `show`.

    `quit_requested` comes once, when the person wants the program to end; the window has let go of
    everything by then. A program that ends by itself calls `release`.
    """

    #: Whether it is hidden in the tray when it is closed, where there is one.
    stays_in_tray = True

    quit_requested = Signal()

    def __init__(self, core: Core, backend: Backend) -> None:
        super().__init__()
        self._state, self._settings = core.state, core.state.settings
        self._key_is_for: QWidget | None = None
        self._is_released = False
        self.setWindowTitle("Kapture Panel")
        self.setObjectName("panel")
        self.setDockNestingEnabled(True)
        app = QApplication.instance()
        assert isinstance(app, Application)
        self._save_folder = SaveFolder(app, self._settings)
        self.session_end = SessionEnd(app)
        self.session_end.committed.connect(self._keep_layout)
        self.session_end.ended.connect(self.quit)
        self.shell = WindowShell(self, app, self._settings)
        self.rooms = Rooms(self.shell, core, backend)
        self.notices = Notices(self.shell)
        self.shortcuts = ShortcutsSheet(self, self.shell.actions.entries, self.shell.theme)
        self.shell.actions.add("shortcuts", self.shortcuts.open)
        self._panel_actions = PanelActions(self.shell, backend.install_desktop, self.ask_to_quit)
        self._surround(core, backend.address)
        self.shell.theme.dress()
        # While a style sheet is taken off and put on, docks may ask for more than they need.
        self.shell.theme.changed.connect(self.shell.docks.share_room)
        self._begin()

    def _surround(self, core: Core, address: str) -> None:
        """Make what stands around the rooms: it shows what all of them have added."""
        state, shell, rooms = core.state, self.shell, self.rooms
        self.view_menu = QMenu("View", self)
        shell.actions.fill(self.view_menu, "view")
        self.menu = QMenu("Menu", self)
        self.menu.addMenu(self.view_menu)
        shell.actions.fill(self.menu, "menu")
        self.mouse_menu = MouseMenu(state.settings, self)
        gates, activity = core.gates, rooms.agents.activity
        self.toolbar = Toolbar(shell, activity, gates.pause, self.mouse_menu, self.menu)
        self.addToolBar(self.toolbar)
        shell.toolbar = self.toolbar
        self.tray = Tray(shell.theme, activity, shell.actions, gates, state.tabs, shell.subscriptions, self)
        self.tray.show_panel.connect(self.raise_window)
        self.tray.tab_chosen.connect(self._on_tray_tab)
        self._attention = Attention(self, self.tray, shell.background, self.raise_window)
        shell.attention_asked.connect(self._attention.draw)
        shell.attention_dropped.connect(self._attention.drop)
        shell.at_end(self._attention.release)
        shell.notified.connect(self._attention.notify)
        self.trouble = HistoryTrouble(shell, state.history)
        answered = core.router.answered
        shell.status.follow(address, state.tabs, state.clients, answered, shell.subscriptions)
        self._announcer = Announcer(
            state.tabs, state.clients, state.paired, answered, shell.toasts, shell.subscriptions
        )

    def _begin(self) -> None:
        self.shell.order_tabs()
        self.rooms.command.take_first_focus()
        self.tray.show()
        if not window_layout.restore(self, self._settings):
            self.shell.docks.reset()
        self.shell.docks.show_wanted()
        if not len(self._state.history):
            self.rooms.welcome.show()

    def raise_window(self) -> None:
        """Bring the window in front because the person asked for it."""
        self.shell.raise_window()

    def reset_layout(self) -> None:
        """Put every dock where it was in the beginning."""
        self._panel_actions.reset_layout()

    def ask_to_quit(self) -> None:
        """End, after a question where agents are at work."""
        self.rooms.agents.ask_while_at_work("Quit", f"Quitting {_ENDS}", self.quit)

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
        self.shell.release()
        self.tray.hide()
        self.session_end.release()
        self._save_folder.release()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide in the tray where there is one; end otherwise."""
        if self._is_released:
            event.accept()
        elif self.stays_in_tray and self.tray.is_available and not self.session_end.is_ending:
            self._keep_layout()
            event.ignore()
            self.hide()
            if not self._settings.get("window.told_about_tray", False):
                self._settings.set("window.told_about_tray", True)
                self.tray.notify(
                    "Kapture Panel is still running", "It is in the tray. To end it, choose Quit in the tray's menu."
                )
        elif self.session_end.is_ending:
            event.accept()
            self.quit()
        else:
            event.ignore()
            self.rooms.agents.ask_while_connected("Quit", f"The panel quits with its window; that {_ENDS}", self.quit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.shell.docks.share_room()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            # It announces a key. A button that this very key gives the focus to shall not be pressed by it.
            self._key_is_for = QApplication.focusWidget()
        elif event.type() in (QEvent.Type.Hide, QEvent.Type.WindowStateChange) and not self._is_released:
            self._attention.on_moved()
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
        parts = [part for part in self.shell.reading_order if part.window() is self]
        return tab_order.step(parts, is_next) or super().focusNextPrevChild(is_next)

    def _keep_layout(self) -> None:
        window_layout.save(self, self._settings, self.shell.middle.docks_behind)

    def _on_tray_tab(self, tab_id: str) -> None:
        self.raise_window()
        self.rooms.tabs.show(tab_id)
