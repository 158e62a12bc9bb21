"""The registry of connected tabs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.events import PersonDid, PointerAt, TargetMeant


@dataclass
class Tab:
    """One connected tab.

    `session` names the conversation whose own browser it is in, empty for a shared one, and `place` where that
    browser is, empty for this machine.
    `state` is `connected`, `executing`, `dialog`, or `paused` while its browser has let go of it; `driver` is the name
    of the client that acted in it last; `running` is how many commands are under way in it, and `memory` names what the
    extension remembers of them (`protocol.Register`); times are seconds since
    1970.
    """

    tab_id: str
    url: str
    title: str
    install: str
    browser: str = ""
    favicon: str = ""
    managed: bool = False
    session: str = ""
    place: str = ""
    state: str = "connected"
    driver: str = ""
    connected_at: float = field(default_factory=time.time)
    last_ms: float | None = None
    running: int = 0
    memory: str = ""
    has_dialog: bool = False

    @property
    def site(self) -> str:
        """Host and port of the page, or the scheme of a page without a host."""
        parts = addresses.parts_of(self.url)
        return addresses.without_end_dot(parts.netloc.rpartition("@")[2]) or parts.scheme


class SeenTabs:
    """The connected tabs somebody may know of, in the order they connected.

    Args:
        tabs: tabId → tab, of all.
        session: only tabs of this session are seen; None sees every tab.
    """

    def __init__(self, tabs: Mapping[str, Tab], session: str | None) -> None:
        self._all = tabs
        self._session = session

    def __iter__(self) -> Iterator[Tab]:
        return iter([tab for tab in self._all.values() if self._sees(tab)])

    def __len__(self) -> int:
        return sum(map(self._sees, self._all.values()))

    def _sees(self, tab: Tab) -> bool:
        return self._session is None or tab.session == self._session

    def find(self, tab_id: str) -> Tab | None:
        """The tab called `tab_id`, if it is connected."""
        tab = self._all.get(tab_id)
        return tab if tab is not None and self._sees(tab) else None

    def get(self, tab_id: str) -> Tab:
        """The tab called `tab_id`.

        Raises:
            KaptureError: `TAB_NOT_FOUND`, listing the tabs there are.
        """
        tab = self.find(tab_id)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", f"no connected tab is called {tab_id!r}", self.listing())
        return tab

    def listing(self) -> str:
        """The connected tabs in words, for error messages."""
        tabs = list(self)
        if not tabs:
            return "no tab is connected: start a browser with kapturemcp_navigate or connect a tab in its popup"
        shown = [f"{tab.tab_id} ({tab.site or 'blank'})" for tab in tabs[:20]]
        more = f" and {len(tabs) - 20} more" if len(tabs) > 20 else ""
        return f"connected are {', '.join(shown)}{more}"


class Tabs(SeenTabs):
    """The registry of all tabs; announces every change."""

    def __init__(self) -> None:
        self._tabs: dict[str, Tab] = {}
        super().__init__(self._tabs, None)
        self.added: Signal[Tab] = Signal()
        self.changed: Signal[Tab] = Signal()
        self.removed: Signal[Tab] = Signal()
        #: Another document is in the tab, under the same address or a new one.
        self.navigated: Signal[Tab] = Signal()
        #: The page's process is gone; the tab is still there.
        self.crashed: Signal[Tab] = Signal()
        #: What is done in a tab that somebody watches: the element it is about, or where the mouse is.
        self.acted: Signal[Tab, TargetMeant | PointerAt] = Signal()
        #: What the person who has stepped into a tab does there.
        self.by_person: Signal[Tab, PersonDid] = Signal()
        #: The managed browser of this session ("" the shared one) ended, whoever ended it.
        self.browser_ended: Signal[str] = Signal()

    def seen_by(self, client: Client) -> SeenTabs:
        """What `client` may know of: a person every tab, a conversation those of its own session."""
        return SeenTabs(self._tabs, None if client.kind == "person" else client.session)

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

    def begin(self, tab: Tab, driver: str) -> None:
        """A command runs in `tab` from now on, until `end`; one that acts is of the client called `driver`."""
        tab.running += 1
        if tab.state != "paused":  # its browser has let go of it, as the executor will say
            self.update(tab, state="executing", driver=driver or tab.driver)

    def end(self, tab: Tab) -> None:
        """A command that began in `tab` is over."""
        tab.running -= 1
        if tab.state == "executing":
            self.update(tab, state=_state_of(tab))

    def show_dialog(self, tab: Tab, *, is_open: bool) -> None:
        """The page opened a dialog, or its dialog was closed."""
        tab.has_dialog = is_open
        self.update(tab, state="dialog" if is_open else _state_of(tab))

    def remove(self, tab: Tab) -> None:
        """Forget a tab that disconnected."""
        if self._tabs.get(tab.tab_id) is tab:
            del self._tabs[tab.tab_id]
            self.removed.emit(tab)


def _state_of(tab: Tab) -> str:
    if tab.running:
        return "executing"
    return "dialog" if tab.has_dialog else "connected"
