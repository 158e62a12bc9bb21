"""What happens by itself and is told: agents come and go, tabs crash, the browser ends, downloads are done."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from kapture_panel.core.answer import Answer
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.paired import PairedBrowser
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.services import Services
from kapture_panel.window.widgets import figures, plain
from kapture_panel.window.widgets.links import Links
from kapture_panel.window.widgets.toasts import Toasts


class Announcer:
    """Tells `toasts` until `links` are cut."""

    def __init__(self, services: Services, toasts: Toasts, links: Links) -> None:
        self._toasts = toasts
        links.connect(services.clients.added, self._on_client_added)
        links.connect(services.clients.removed, self._on_client_removed)
        links.connect(services.tabs.crashed, self._on_crashed)
        links.connect(services.tabs.browser_ended, self._on_browser_ended)
        links.connect(services.router.answered, self._on_answered)
        links.connect(services.paired.added, self._on_paired)
        links.connect(services.paired.removed, self._on_unpaired)

    def _on_client_added(self, client: Client) -> None:
        if client.kind == "agent":
            self._toasts.tell(f"{plain.line(client.name, 60)} connected")

    def _on_client_removed(self, client: Client) -> None:
        if client.kind == "agent":
            self._toasts.tell(f"{plain.line(client.name, 60)} left")

    def _on_crashed(self, tab: Tab) -> None:
        where = plain.line(tab.title or tab.url, 80)
        self._toasts.tell("A tab crashed", f"“{where}” shows nothing any more. Navigate or reload it.", "error")

    def _on_browser_ended(self, session: str) -> None:
        # A conversation's own browser comes and goes with it.
        if not session:
            self._toasts.tell("The browser ended", "Start browser opens it again.", "warn")

    def _on_paired(self, browser: PairedBrowser) -> None:
        words = "Now connect a tab there: open a web page, press Kapture's icon, then “Connect this tab”."
        self._toasts.tell(f"{plain.line(browser.browser, 60)} is paired", words, "ok")

    def _on_unpaired(self, browser: PairedBrowser) -> None:
        self._toasts.tell(f"{plain.line(browser.browser, 60)} is not paired any more")

    def _on_answered(self, _client: Client, answer: Answer) -> None:
        for effects in (answer.effects, answer.late_effects):
            for download in (effects or {}).get("downloads", ()):
                self._tell_download(download)

    def _tell_download(self, download: dict[str, Any]) -> None:
        path = str(download.get("path", ""))
        name = plain.line(PurePath(path).name or download.get("filename") or download.get("url", ""), 100)
        state, number = download.get("state"), download.get("bytes")
        size = f" · {figures.size(number)}" if isinstance(number, int) else ""
        if state == "completed":
            self._toasts.tell("Download finished", f"{name}{size}", "ok")
        elif state == "canceled":
            self._toasts.tell("Download cancelled", name, "warn")
