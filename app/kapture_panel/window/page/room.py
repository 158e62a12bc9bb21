"""What pages say and load: the console and the network log, in one dock."""

from __future__ import annotations

from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.window.page.console_model import ConsoleModel
from kapture_panel.window.page.console_view import ConsoleView
from kapture_panel.window.page.entries import ENTRIES
from kapture_panel.window.page.network_view import NetworkView
from kapture_panel.window.page.page_logs import PageLogs
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.shell import RunCommand, Shell


class PageRoom:
    """Console and network log stand one before the other in `logs`."""

    def __init__(self, shell: Shell, console: Console, requests: NetworkLog, tabs: Tabs, look: RunCommand) -> None:
        self._shell = shell
        shell.actions.declare(ENTRIES)
        theme, subscriptions = shell.theme, shell.subscriptions
        self.console = ConsoleView(ConsoleModel(console, subscriptions, shell.host), tabs, subscriptions, theme)
        self.network = NetworkView(requests, tabs, look, subscriptions, theme)
        self.logs = PageLogs(self.console, self.network, theme)
        shell.add_dock("console", "Console", self.logs, self.logs.title_bar)
        shell.actions.add("copy_lines", self.console.copy)
        shell.actions.add("save_console", self.console.ask_where_to_save)
        shell.actions.add("save_requests", self.network.ask_where_to_save)
        shell.actions.add("clear_console", console.clear)
        shell.actions.add("clear_network", requests.clear)
        shell.actions.add("go_console", lambda: self._go_to("console"))
        shell.actions.add("go_network", lambda: self._go_to("network"))
        self.console.copied.connect(lambda text: shell.copy(text, "Console lines copied"))
        self.console.cleared.connect(lambda: console.clear())
        self.console.saved.connect(self._on_saved)
        self.console.failed.connect(lambda why: shell.toasts.tell("Saving failed", why, "error"))
        self.network.copied.connect(lambda text: shell.copy(text, "Request details copied"))
        self.network.cleared.connect(lambda: requests.clear())
        self.network.saving.saved.connect(self._on_requests_saved)
        self.network.saving.failed.connect(lambda why: shell.toasts.tell("Saving failed", why, "error"))
        shell.at_end(self.network.cancel)
        shell.at_end(self.network.saving.cancel)

    def _go_to(self, name: str) -> None:
        self._shell.go_to("console", self.logs.show_page(name))

    def _on_saved(self, path: str, lines: int) -> None:
        self._shell.toasts.tell("Console saved", f"{figures.count(lines, 'line')} in {path}", "ok")

    def _on_requests_saved(self, path: str, requests: int) -> None:
        self._shell.toasts.tell("Requests saved", f"{figures.count(requests, 'request')} in {path}", "ok")
