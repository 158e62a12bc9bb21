"""What a person did in an agent's tabs while the agents were paused, or before a tab was handed over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history_row import Row

#: Of more deeds in a tab the newest are told.
MAX_DEEDS = 20
#: How a row says what it was done to.
_TARGETS = ("selector", "ref", "xpath", "url", "key", "browserTabId")


@dataclass
class _Known:
    """What a client saw of a tab last; `deeds` counts those of the person by then."""

    url: str
    title: str
    deeds: int


@dataclass
class _Deeds:
    """What the person did in a tab, the newest last; `number` is how many there were in all."""

    number: int = 0
    newest: list[str] = field(default_factory=list)


class Meanwhile:
    """Tells each client once, with its next answer, what it could not see happen.

    What a person does with mouse and keys in the browser is seen by where the tab is afterwards; what is done from
    the panel also by name, and never with what was typed.

    Args:
        tabs: where the tabs are.
        clients: whoever goes is forgotten.
    """

    def __init__(self, tabs: Tabs, clients: Clients) -> None:
        self._known: dict[tuple[Client, str], _Known] = {}
        self._deeds: dict[str, _Deeds] = {}
        self._owed: set[tuple[Client, str]] = set()
        self._closed: dict[Client, list[str]] = {}
        tabs.removed.connect(self._on_removed)
        clients.removed.connect(self._on_gone)

    def note(self, row: Row) -> None:
        """The person gave a command in a tab."""
        deeds = self._deeds.setdefault(row.tab_id, _Deeds())
        deeds.number += 1
        meant = next((str(row.params[name]) for name in _TARGETS if row.params.get(name)), "")
        deeds.newest = [*deeds.newest, f"{row.command} {meant}".strip()[:120]][-MAX_DEEDS:]

    def resumed(self) -> None:
        """The agents go on after a pause: everybody is told of the tabs they had."""
        self._owed |= self._known.keys()

    def handed_over(self, client: Client, tab_id: str) -> None:
        """The person gave a tab to `client`."""
        self._owed.add((client, tab_id))

    def news(self, client: Client, tab: Tab) -> dict[str, Any] | None:
        """What `client` is to be told with the answer of the command it gives in `tab` now, or None.

        Returns:
            {url?, title?: where the tab is, if that is new; did?: commands of the person, the newest last; closed?:
            tabIds} or {changed: False}.
        """
        key = client, tab.tab_id
        if key not in self._owed:
            return None
        known = self._known.get(key, _Known("", "", 0))
        told: dict[str, Any] = {
            name: value for name, value in (("url", tab.url), ("title", tab.title)) if value != getattr(known, name)
        }
        deeds = self._deeds.get(tab.tab_id, _Deeds())
        unseen = min(deeds.number - known.deeds, len(deeds.newest))
        if unseen:
            told["did"] = deeds.newest[-unseen:]
        if closed := self._closed.get(client):
            told["closed"] = closed
        return told or {"changed": False}

    def answered(self, client: Client, tab: Tab) -> None:
        """A command of `client` in `tab` has its answer: from here on it knows the tab."""
        key = client, tab.tab_id
        self._owed.discard(key)
        self._closed.pop(client, None)
        self._known[key] = _Known(tab.url, tab.title, self._deeds.get(tab.tab_id, _Deeds()).number)

    def _on_removed(self, tab: Tab) -> None:
        self._deeds.pop(tab.tab_id, None)
        for client, tab_id in [key for key in self._known if key[1] == tab.tab_id]:
            del self._known[client, tab_id]
            self._owed.discard((client, tab_id))
            self._closed.setdefault(client, []).append(tab_id)

    def _on_gone(self, client: Client) -> None:
        self._closed.pop(client, None)
        for key in [key for key in self._known if key[0] is client]:
            del self._known[key]
        self._owed = {key for key in self._owed if key[0] is not client}
