"""The registry of connected tabs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kapture_panel.core.errors import KaptureError
from kapture_panel.core.signal import Signal


@dataclass
class Tab:
    """One connected tab.

    `state` is `connected`, `executing` or `dialog`; `driver` is the name of the client that used it last;
    times are seconds since 1970.
    """

    tab_id: str
    url: str
    title: str
    install: str
    browser: str = ""
    favicon: str = ""
    managed: bool = False
    state: str = "connected"
    driver: str = ""
    connected_at: float = field(default_factory=time.time)
    last_ms: float | None = None

    @property
    def site(self) -> str:
        """Host and port of the page, or the scheme of a page without a host."""
        parts = urlsplit(self.url)
        return parts.netloc.rpartition("@")[2] or parts.scheme


class Tabs:
    """Connected tabs in the order they connected; announces every change."""

    def __init__(self) -> None:
        self._tabs: dict[str, Tab] = {}
        self.added: Signal[Tab] = Signal()
        self.changed: Signal[Tab] = Signal()
        self.removed: Signal[Tab] = Signal()

    def __iter__(self) -> Iterator[Tab]:
        return iter(tuple(self._tabs.values()))

    def __len__(self) -> int:
        return len(self._tabs)

    def find(self, tab_id: str) -> Tab | None:
        """The tab called `tab_id`, if it is connected."""
        return self._tabs.get(tab_id)

    def get(self, tab_id: str) -> Tab:
        """The tab called `tab_id`.

        Raises:
            KaptureError: `TAB_NOT_FOUND`, listing the tabs there are.
        """
        tab = self._tabs.get(tab_id)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", f"no connected tab is called {tab_id!r}; {self.listing()}")
        return tab

    def listing(self) -> str:
        """The connected tabs in words, for error messages."""
        if not self._tabs:
            return "no tab is connected: start a browser with kapturemcp_navigate or connect a tab in its popup"
        shown = [f"{tab.tab_id} ({tab.site or 'blank'})" for tab in list(self._tabs.values())[:20]]
        more = f" and {len(self._tabs) - 20} more" if len(self._tabs) > 20 else ""
        return f"connected are {', '.join(shown)}{more}"

    def add(self, tab: Tab) -> None:
        """Enter a tab that connected; a tab that comes back keeps its place and its driver."""
        old = self._tabs.get(tab.tab_id)
        if old is not None:
            tab.driver, tab.connected_at = old.driver, old.connected_at
        self._tabs[tab.tab_id] = tab
        (self.added if old is None else self.changed).emit(tab)

    def update(self, tab: Tab, **fields: object) -> None:
        """Set fields of `tab` and announce it when one really changed."""
        changed = {name: value for name, value in fields.items() if getattr(tab, name) != value}
        for name, value in changed.items():
            setattr(tab, name, value)
        if changed and self._tabs.get(tab.tab_id) is tab:
            self.changed.emit(tab)

    def remove(self, tab: Tab) -> None:
        """Forget a tab that disconnected."""
        if self._tabs.get(tab.tab_id) is tab:
            del self._tabs[tab.tab_id]
            self.removed.emit(tab)
