"""What the extension tells of tabs, written into the registry, the console and the network log."""

from __future__ import annotations

import logging
from collections import deque
from itertools import groupby

from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.core.wire.events import (
    Back,
    Closed,
    ConsoleCleared,
    ConsoleSaid,
    Crashed,
    DialogShown,
    Event,
    Held,
    PersonDid,
    PointerAt,
    RequestSeen,
    TabChanged,
    TargetMeant,
)

#: More are not remembered.
MAX_DECLINED = 5

log = logging.getLogger(__name__)


class TabEvents:
    """Keeps three stores true to what is told.

    Args:
        tabs: where the tabs are.
        console: gets the lines of their consoles.
        requests: gets their requests.
        pause: under which tabs are let go of.
    """

    def __init__(self, tabs: Tabs, console: Console, requests: NetworkLog, pause: Pause) -> None:
        self._tabs = tabs
        self._console = console
        self._requests = requests
        self._pause = pause
        #: The last tabs, by tabId, that a person shares no more.
        self.declined: deque[str] = deque(maxlen=MAX_DECLINED)

    def of_tab(self, tab: Tab, events: list[Event]) -> None:
        """Take a batch of a tab."""
        for cleared, batch in groupby(events, key=lambda event: isinstance(event, ConsoleCleared)):
            lines = [event for event in batch if isinstance(event, ConsoleSaid)]
            if lines:
                self._console.append(tab.tab_id, lines)
            if cleared:
                self._console.clear(tab.tab_id)
        requests = [event for event in events if isinstance(event, RequestSeen)]
        if requests:
            self._requests.take(tab.tab_id, requests)
        for event in events:
            self._take(tab, event)

    def of_browser(self, install: str, events: list[Event]) -> None:
        """Take a batch of a browser about the tabs it has let go of: one was closed, or all that come back are back."""
        for event in events:
            match event:
                case Closed(tabId=tab_id) if tab_id:
                    self.forget_held(install, tab_id)
                case Back() if not self._pause.is_on:  # else it was said of an earlier pause
                    self.forget_held(install)

    def forget_held(self, install: str, tab_id: str = "") -> None:
        """Take the tabs that were let go of out of the registry, or the one that is named."""
        for tab in [tab for tab in self._tabs if tab.install == install and tab.state == "paused"]:
            if tab_id in ("", tab.tab_id):
                self._tabs.remove(tab)

    def _take(self, tab: Tab, event: Event) -> None:
        match event:
            case TabChanged():
                fields = {"url": event.url, "title": event.title, "favicon": event.favicon}
                self._tabs.update(tab, **{name: told for name, told in fields.items() if told is not None})
                if event.navigated:
                    self._tabs.navigated.emit(tab)
            case DialogShown():
                self._tabs.show_dialog(tab, is_open=event.open)
            case TargetMeant() | PointerAt():
                self._tabs.acted.emit(tab, event)
            case PersonDid():
                self._tabs.by_person.emit(tab, event)
            case Closed(byPerson=by_person):
                self._tabs.remove(tab)
                if by_person:
                    self.declined.append(tab.tab_id)
            case Held():
                self._tabs.update(tab, state="paused")
            case Crashed():
                log.warning("the tab %s crashed", tab.tab_id)
                self._tabs.crashed.emit(tab)
