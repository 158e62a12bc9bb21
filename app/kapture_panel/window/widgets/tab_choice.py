"""Which tab's records are shown."""

from __future__ import annotations

from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets import tab_names
from kapture_panel.window.widgets.small_choice import SmallChoice
from kapture_panel.window.widgets.subscriptions import Subscriptions

#: What closed tabs wrote is kept for a while, and can be chosen as long.
_MAX_CLOSED = 20
_TITLE_CHARS = 60


class TabChoice(SmallChoice):
    """Follows the registry; a tab that was closed stays, and says so."""

    def __init__(self, tabs: Tabs, subscriptions: Subscriptions, name: str) -> None:
        super().__init__(name, {"All tabs": ""})
        self._closed: list[str] = []
        #: What each tabId is called in the list.
        self._texts: dict[str, str] = {}
        for tab in tabs:
            self._enter(tab)
        subscriptions.connect(tabs.added, self._enter)
        subscriptions.connect(tabs.changed, self._enter)
        subscriptions.connect(tabs.removed, self._on_removed)

    def _enter(self, tab: Tab) -> None:
        if tab.tab_id in self._closed:
            self._closed.remove(tab.tab_id)
        self._write(tab, "")

    def _on_removed(self, tab: Tab) -> None:
        self._write(tab, " (closed)")
        self._closed.append(tab.tab_id)
        while len(self._closed) > _MAX_CLOSED:
            oldest = next(tab_id for tab_id in self._closed if tab_id != self.currentData())
            self._closed.remove(oldest)
            self.removeItem(self.findData(oldest))
            del self._texts[oldest]

    def _write(self, tab: Tab, ending: str) -> None:
        text = tab_names.name(tab, _TITLE_CHARS) + ending
        if self._texts.get(tab.tab_id) == text:
            return  # tabs change many times a second, and seldom their name
        if tab.tab_id in self._texts:
            self.setItemText(self.findData(tab.tab_id), text)
        else:
            self.addItem(text, tab.tab_id)
        self._texts[tab.tab_id] = text

    @property
    def tab_id(self) -> str:
        """The chosen tab, "" for all."""
        return str(self.currentData())
