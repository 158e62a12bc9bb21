"""The panel window: every part in its place, and what goes between them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QMenu, QWidget

from kapture_panel import paths
from kapture_panel.core.clients import Client
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.history import Row
from kapture_panel.core.redaction import MASK, MAX_KEPT_CHARS
from kapture_panel.core.router import Answer
from kapture_panel.core.services import Services
from kapture_panel.core.shots import Shot
from kapture_panel.core.tabs import Tab
from kapture_panel.window import figures, plain, window_layout
from kapture_panel.window.activity import Activity
from kapture_panel.window.background import Background
from kapture_panel.window.forms.command_form import is_redacted
from kapture_panel.window.links import Links
from kapture_panel.window.models.agents_model import AgentsModel
from kapture_panel.window.models.console_model import ConsoleModel
from kapture_panel.window.models.history_model import HistoryModel
from kapture_panel.window.models.shots_model import ShotsModel
from kapture_panel.window.models.tabs_model import TabsModel
from kapture_panel.window.pictures import Pictures
from kapture_panel.window.theme import Theme
from kapture_panel.window.tray import Tray
from kapture_panel.window.views import tab_order
from kapture_panel.window.views.agents_view import AgentsView
from kapture_panel.window.views.command_view import CommandView
from kapture_panel.window.views.console_view import ConsoleView
from kapture_panel.window.views.dock import Dock, TitleBar
from kapture_panel.window.views.history_view import HistoryView
from kapture_panel.window.views.lightbox import Lightbox
from kapture_panel.window.views.shots_view import ShotsView
from kapture_panel.window.views.status_line import StatusLine
from kapture_panel.window.views.tabs_view import TabsView
from kapture_panel.window.views.toasts import Toasts
from kapture_panel.window.views.toolbar import Toolbar

_Area = Qt.DockWidgetArea
_DOCK_SIZES_PX = {"tabs": 250, "screenshots": 300, "console": 290}


class MainWindow(QMainWindow):
    """Built whole, not shown: whoever composes the program calls `show`.

    `quit_requested` comes once, when the person wants the program to end; the window has let go of
    everything by then. A program that ends by itself calls `release`.
    """

    quit_requested = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._links = Links()
        self._is_released = False
        self._is_starting = False
        self.setWindowTitle("Kapture Panel")
        self.setObjectName("panel")
        self.setDockNestingEnabled(True)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.theme = Theme(app, services.settings, paths.resources() / "theme")
        self.pictures = Pictures(self)
        self.activity = Activity(services, self._links, self)
        self._make_views()
        self.view_menu = QMenu("View", self)
        self._docks: dict[str, Dock] = {}
        self._make_docks()
        self.toolbar = Toolbar(self.theme, self.activity, self.view_menu)
        self.addToolBar(self.toolbar)
        self.status = StatusLine(services, self._links, self.theme)
        self.setStatusBar(self.status)
        self.toasts = Toasts(self, self.theme)
        self.background = Background(self.toasts)
        self.tray = Tray(self.theme, self.activity, self)
        self._connect()
        self._order_tabs()
        self.command.list.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.tray.show()
        if not window_layout.restore(self, services.settings):
            self.reset_layout()

    def raise_window(self) -> None:
        """Bring the window in front because the person asked for it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def grab_picture(self, path: Path | str) -> bool:
        """Write what the window shows as a PNG.

        Returns:
            Whether it could be written.
        """
        return self.grab().save(str(path), "PNG")

    def start_browser(self) -> None:
        """Start the managed browser in the background."""
        if not self._is_starting:
            self._set_starting(True)
            self.background.start(self._start_browser(), "Start browser")

    def reset_layout(self) -> None:
        """Put every dock where it was in the beginning."""
        for name, dock in self._docks.items():
            area = {"tabs": _Area.LeftDockWidgetArea, "console": _Area.BottomDockWidgetArea}
            area |= {"history": _Area.BottomDockWidgetArea}
            dock.setFloating(False)
            self.addDockWidget(area.get(name, _Area.RightDockWidgetArea), dock)
            dock.show()
        docks = self._docks
        self.splitDockWidget(docks["screenshots"], docks["agents"], Qt.Orientation.Vertical)
        self.splitDockWidget(docks["console"], docks["history"], Qt.Orientation.Horizontal)
        across = Qt.Orientation.Horizontal
        # A small window gives more of itself to its middle.
        share = min(1.0, max(self.width() / window_layout.DEFAULT_SIZE.width(), 0.76))
        sides = [int(_DOCK_SIZES_PX[name] * share) for name in ("tabs", "screenshots")]
        self.resizeDocks([docks["tabs"], docks["screenshots"]], sides, across)
        room = max(self.width() - sides[1], 2)
        self.resizeDocks([docks["console"], docks["history"]], [room // 2, room // 2], across)
        self.resizeDocks(
            [docks["console"]], [min(_DOCK_SIZES_PX["console"], self.height() // 3)], Qt.Orientation.Vertical
        )
        self.resizeDocks([docks["screenshots"], docks["agents"]], [2, 1], Qt.Orientation.Vertical)

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
        window_layout.save(self, self._services.settings)
        self._links.cut()
        self.background.cancel()
        self.command.cancel()
        self.pictures.close()
        self.tray.hide()
        self.theme.release()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide in the tray where there is one; end otherwise."""
        if self._is_released:
            event.accept()
        elif self.tray.is_available:
            window_layout.save(self, self._services.settings)
            event.ignore()
            self.hide()
            if not self._services.settings.get("window.told_about_tray", False):
                self._services.settings.set("window.told_about_tray", True)
                self.tray.notify("Kapture Panel goes on", "It is in the tray; Quit is in its menu there.")
        else:
            event.accept()
            self.quit()

    def _make_views(self) -> None:
        services, theme, links = self._services, self.theme, self._links
        self.tabs = TabsView(TabsModel(services.tabs, services.person, links, self), theme)
        self.command = CommandView(services.catalogue, services.router, services.person, theme, self.pictures)
        self.shots = ShotsView(ShotsModel(services.shots, self.pictures, links, self), theme)
        self.agents = AgentsView(AgentsModel(services.clients, self.activity, links, self), services.mcp_config, theme)
        self.console = ConsoleView(ConsoleModel(services.console, links, self), theme)
        self.history = HistoryView(HistoryModel(services.history, links, self), theme)
        self.setCentralWidget(self.command)

    def _make_docks(self) -> None:
        parts: tuple[tuple[str, str, QWidget, TitleBar], ...] = (
            ("tabs", "Tabs", self.tabs, self.tabs.title_bar),
            ("screenshots", "Screenshots", self.shots, self.shots.title_bar),
            ("agents", "Agents", self.agents, self.agents.title_bar),
            ("console", "Console", self.console, self.console.title_bar),
            ("history", "History", self.history, self.history.title_bar),
        )
        for name, title, content, bar in parts:
            dock = self._docks[name] = Dock(name, title, content, bar)
            self.addDockWidget(_Area.RightDockWidgetArea, dock)
            self.view_menu.addAction(dock.toggleViewAction())
        self.view_menu.addSeparator()
        self.view_menu.addAction("Reset layout").triggered.connect(self.reset_layout)
        self.setCorner(Qt.Corner.BottomRightCorner, _Area.RightDockWidgetArea)
        self.setCorner(Qt.Corner.BottomLeftCorner, _Area.BottomDockWidgetArea)

    def _connect(self) -> None:
        services = self._services
        self.toolbar.start_browser.connect(self.start_browser)
        self.tabs.start_browser.connect(self.start_browser)
        self.tabs.chosen.connect(self.command.set_tab)
        self.tabs.asked.connect(self._on_tab_asked)
        self.command.set_tab(self.tabs.current)
        self.command.answered.connect(self._on_answered)
        self.command.result.shot_opened.connect(self.open_lightbox)
        self.shots.opened.connect(self.open_lightbox)
        self.agents.copy_config.connect(partial(self._copy, services.mcp_config, "MCP configuration copied"))
        self.console.copied.connect(lambda text: self._copy(text, "Console lines copied"))
        self.console.cleared.connect(lambda: services.console.clear())
        self.history.run_again.connect(self._on_run_again)
        self.history.edit_again.connect(lambda row: self.command.open(row.command, row.params))
        self.history.copied.connect(self._on_copy_row)
        self.history.export.connect(self._ask_where_to_export)
        self.tray.show_panel.connect(self.raise_window)
        self.tray.start_browser.connect(self.start_browser)
        self.tray.copy_config.connect(partial(self._copy, services.mcp_config, "MCP configuration copied"))
        self.tray.quit.connect(self.quit)
        self._links.connect(services.clients.added, self._on_client_added)
        self._links.connect(services.clients.removed, self._on_client_removed)

    def _order_tabs(self) -> None:
        console, history = (self.console.title_bar, self.console), (self.history.title_bar, self.history)
        middle = self.command.reading_order
        tab_order.chain([self.toolbar, self.tabs, *middle, self.shots, self.agents, *console, *history])

    async def _start_browser(self) -> None:
        try:
            tab = await self._services.start_browser()
            self.tabs.choose(tab.tab_id)
        finally:
            self._set_starting(False)

    def _set_starting(self, is_starting: bool) -> None:
        self._is_starting = is_starting
        self.toolbar.set_starting(is_starting)
        self.tabs.start_button.setEnabled(not is_starting)

    def _on_tab_asked(self, name: str, tab: Tab) -> None:
        deeds: dict[str, Callable[[], object]] = {
            "copy_url": lambda: self._copy(tab.url, "Address copied"),
            "copy_tab_id": lambda: self._copy(tab.tab_id, "tabId copied"),
        }
        if name in deeds:
            deeds[name]()
        else:
            work = self._services.router.run(self._services.person, name, {"tabId": tab.tab_id})
            self.background.start(work, self._services.catalogue.get(name).title)

    def _on_answered(self, answer: Answer) -> None:
        if answer.tab_id and answer.command.scope == "browser":
            self.tabs.choose(answer.tab_id)

    def _on_run_again(self, row: Row) -> None:
        """Reads run at once; whatever acts, or was not kept whole, is filled in to be looked at first."""
        try:
            command = self._services.catalogue.get(row.command)
        except KaptureError as error:
            self.toasts.tell("This command is gone", error.message, "error")
            return
        params = {name: value for name, value in row.params.items() if name != "tabId"}
        has_tab = command.scope != "tab" or self.tabs.choose(row.tab_id)
        self.command.open(command.name, params)
        if command.klass == "read" and has_tab and _is_whole(params):
            self.command.run()
        else:
            self.command.params.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_copy_row(self, row: Row) -> None:
        self._copy(json.dumps(asdict(row), indent=2, ensure_ascii=False), "Row copied")

    def _ask_where_to_export(self) -> None:
        dialog = QFileDialog(self, "Export history")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter("JSON (*.json)")
        dialog.setDefaultSuffix("json")
        dialog.selectFile("kapture-history.json")
        dialog.fileSelected.connect(self.export_history)
        dialog.open()

    def export_history(self, path: str) -> None:
        """Write the whole history as JSON."""
        try:
            number = self._services.history.export(Path(path))
        except OSError as error:
            self.toasts.tell("Export failed", str(error), "error")
        else:
            self.toasts.tell("History exported", f"{figures.count(number, 'row')} in {path}", "ok")

    def open_lightbox(self, shot: Shot) -> Lightbox:
        """Show a screenshot in its own window."""
        box = Lightbox(shot, self.theme, self.pictures, self)
        box.failed.connect(lambda why: self.toasts.tell("Saving failed", why, "error"))
        box.show()
        return box

    def _copy(self, text: str, said: str) -> None:
        QApplication.clipboard().setText(text)
        self.toasts.tell(said, tone="ok")

    def _on_client_added(self, client: Client) -> None:
        if client.kind == "agent":
            self.toasts.tell(f"{plain.line(client.name, 60)} connected")

    def _on_client_removed(self, client: Client) -> None:
        if client.kind == "agent":
            self.toasts.tell(f"{plain.line(client.name, 60)} left")


def _is_whole(value: Any) -> bool:
    """Whether history kept a value as it was: not as a length, not masked, not cut."""
    if is_redacted(value):
        return False
    if isinstance(value, dict):
        return all(map(_is_whole, value.values()))
    if isinstance(value, list):
        return len(value) < 100 and all(map(_is_whole, value))
    return not (isinstance(value, str) and (MASK in value or len(value) >= MAX_KEPT_CHARS))
