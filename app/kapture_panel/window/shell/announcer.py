"""What happens by itself and is told: agents come and go, tabs crash, the browser ends, downloads are done."""

from __future__ import annotations

from pathlib import PurePath

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.paired import PairedBrowser, PairedBrowsers
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.wire.effects import Download
from kapture_panel.window.widgets import figures, safe_text, tab_names
from kapture_panel.window.widgets.browser_names import called
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.toasts import Toasts


class Announcer:
    """Tells `toasts` until `subscriptions` are cut."""

    def __init__(
        self,
        tabs: Tabs,
        clients: Clients,
        paired: PairedBrowsers,
        answered: Signal[Client, Answer],
        toasts: Toasts,
        subscriptions: Subscriptions,
    ) -> None:
        self._toasts = toasts
        subscriptions.connect(clients.added, self._on_client_added)
        subscriptions.connect(clients.removed, self._on_client_removed)
        subscriptions.connect(tabs.crashed, self._on_crashed)
        subscriptions.connect(tabs.browser_ended, self._on_browser_ended)
        subscriptions.connect(answered, self._on_answered)
        subscriptions.connect(paired.added, self._on_paired)
        subscriptions.connect(paired.removed, self._on_unpaired)

    def _on_client_added(self, client: Client) -> None:
        if client.kind == "agent":
            self._toasts.tell(f"Agent “{safe_text.line(client.name, 60)}” connected")

    def _on_client_removed(self, client: Client) -> None:
        if client.kind == "agent":
            self._toasts.tell(f"Agent “{safe_text.line(client.name, 60)}” left")

    def _on_crashed(self, tab: Tab) -> None:
        where = tab_names.name(tab, 80)
        self._toasts.tell(
            "A tab crashed", f"“{where}” shows nothing. Reload it, or open another address in it.", "error"
        )

    def _on_browser_ended(self, session: str) -> None:
        # A conversation's own browser comes and goes with it.
        if not session:
            self._toasts.tell("The browser ended", "Start browser opens it again.", "warn")

    def _on_paired(self, browser: PairedBrowser) -> None:
        words = "Now connect a tab there: open a web page, press Kapture's icon, then “Connect this tab”."
        self._toasts.tell(f"{safe_text.line(browser.browser, 60)} is paired", words, "ok")

    def _on_unpaired(self, browser: PairedBrowser) -> None:
        self._toasts.tell(f"{called(browser)} is not paired any more")

    def _on_answered(self, _client: Client, answer: Answer) -> None:
        for effects in (answer.effects, answer.late_effects):
            for download in effects.downloads if effects is not None else ():
                self._tell_download(download)

    def _tell_download(self, download: Download) -> None:
        name = safe_text.line(PurePath(download.path).name or download.fileName or download.url or "", 100)
        state = download.state
        size = f" · {figures.size(download.bytes)}" if download.bytes is not None else ""
        if state == "completed":
            self._toasts.tell("Download finished", f"{name}{size}", "ok")
        elif state == "canceled":
            self._toasts.tell("Download cancelled", name, "warn")
