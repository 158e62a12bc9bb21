"""What an agent could not see happen: what a person did in its tabs while the agents were paused, before a tab was
handed over or while they had stepped into it, and what became of its commands whose answers were lost."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field

from kapture_panel.core.basics import sanitize
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.effects import ByPerson, Settled
from kapture_panel.core.wire.events import PersonDid

#: Of more commands in a tab the newest are told.
MAX_COMMANDS = 20
#: Of more commands whose answers were lost the newest are told.
MAX_SETTLED = 256
#: A longer name of what they did something to is cut.
MAX_NAME = 60
#: What stands between what was done and what it was done to.
_LINKS = {"pressed": "", "typed": "into", "pasted": "into"}
#: How a row says what it was done to.
_TARGETS = ("selector", "ref", "xpath", "url", "key", "browserTabId")


@dataclass
class _Known:
    """What a client saw of a tab last; `commands` counts those of the person by then."""

    url: str
    title: str
    commands: int


@dataclass(frozen=True)
class Told:
    """What a client is told with the answer of a command: `news` in the tab until that was sent, if they were owed as
    `debt`; and what it then `knows`."""

    news: ByPerson | None
    debt: object
    knows: _Known


@dataclass
class _Commands:
    """The commands the person gave in a tab, the newest last; `number` is how many there were in all."""

    number: int = 0
    newest: list[str] = field(default_factory=list)


class Meanwhile:
    """Tells each client once, with its next answer, what it could not see happen.

    What a person does with mouse and keys in the browser is seen by where the tab is afterwards; what is done from
    the panel, and in a tab they have stepped into, also by name, and never with what was typed.

    Args:
        tabs: where the tabs are.
        clients: whoever goes is forgotten.
    """

    def __init__(self, tabs: Tabs, clients: Clients) -> None:
        self._known: dict[tuple[Client, str], _Known] = {}
        self._commands: dict[str, _Commands] = {}
        #: To whom news of which tab are owed; the value is another one each time that begins.
        self._owed: dict[tuple[Client, str], object] = {}
        self._closed: dict[Client, list[str]] = {}
        #: Of what an earlier panel, or a client that has gone, was not told only the name is known.
        self._settled: deque[tuple[Client | None, Row]] = deque(maxlen=MAX_SETTLED)
        #: The tabs the person has stepped into, and how many commands of theirs there were before: what is done there
        #: stays untold until they give it back, whoever looks meanwhile.
        self._stepped: dict[str, int] = {}
        tabs.by_person.connect(self._on_by_person)
        tabs.removed.connect(self._on_removed)
        clients.removed.connect(self._on_gone)

    def note(self, row: Row) -> None:
        """The person gave a command in a tab."""
        self._note(row.tab_id, _named(row))

    def _note(self, tab_id: str, words: str) -> None:
        given = self._commands.setdefault(tab_id, _Commands())
        given.number += 1
        given.newest = [*given.newest, words][-MAX_COMMANDS:]

    def stepped_in(self, tab_id: str) -> None:
        """The person has a tab to themselves."""
        self._stepped.setdefault(tab_id, self._commands.get(tab_id, _Commands()).number)

    def given_back(self, tab_id: str, holder: Client | None) -> None:
        """They have given it back: to `holder`, and to all who know it."""
        self._stepped.pop(tab_id, None)
        self._owe(*(key for key in self._known if key[1] == tab_id))
        if holder is not None:
            self._owe((holder, tab_id))

    def settled(self, row: Row, client: Client | None) -> None:
        """It is known what became of a command whose answer was lost; without a `client` it is one of that name."""
        self._settled.append((client, row))

    def outcomes(self, client: Client, tab: Tab) -> list[Settled]:
        """What `client` is to be told of its commands in `tab`, once."""
        told = [
            (its, row)
            for its, row in self._settled
            if row.tab_id == tab.tab_id
            and (its is client or (its is None and (row.client, row.kind) == (client.name, client.kind)))
        ]
        for one in told:
            self._settled.remove(one)
        return [Settled(_named(row), row.outcome or row.code or row.state, row.said) for _, row in told]

    def resumed(self) -> None:
        """The agents go on after a pause: everybody is told of the tabs they had."""
        self._owe(*self._known)

    def handed_over(self, client: Client, tab_id: str) -> None:
        """The person gave a tab to `client`."""
        self._owe((client, tab_id))

    def _owe(self, *keys: tuple[Client, str]) -> None:
        self._owed |= {key: object() for key in keys}

    def told(self, client: Client, tab: Tab) -> Told:
        """What `client` is to be told with the answer of the command it gives in `tab` now."""
        key = client, tab.tab_id
        return Told(self._news(client, tab), self._owed.get(key), self._now(tab))

    def _now(self, tab: Tab) -> _Known:
        return _Known(tab.url, tab.title, self._commands.get(tab.tab_id, _Commands()).number)

    def _news(self, client: Client, tab: Tab) -> ByPerson | None:
        key = client, tab.tab_id
        if key not in self._owed:
            return None
        known = self._known.get(key, _Known("", "", 0))
        told = ByPerson(
            url=tab.url if tab.url != known.url else None,
            title=tab.title if tab.title != known.title else None,
            closed=self._closed.get(client, []),
        )
        given = self._commands.get(tab.tab_id, _Commands())
        unseen = min(given.number - known.commands, len(given.newest))
        if unseen:
            told.did = given.newest[-unseen:]
        return told if told != ByPerson() else ByPerson(changed=False)

    def answered(self, client: Client, tab: Tab, told: Told) -> None:
        """A command of `client` in `tab` has its answer, which says what was `told`: from here on it knows the tab."""
        key = client, tab.tab_id
        if tab.tab_id in self._stepped:
            self._known.setdefault(key, _Known(tab.url, tab.title, self._stepped[tab.tab_id]))
            return
        # It was given back, or over, while the command ran; an answer beside this one may have paid the debt.
        is_new = self._owed.get(key) not in (None, told.debt)
        if is_new and told.news is None:
            return
        self._closed.pop(client, None)
        self._known[key] = told.knows if is_new else self._now(tab)
        if not is_new:
            self._owed.pop(key, None)

    def _on_by_person(self, tab: Tab, did: PersonDid) -> None:
        """What they do in a tab they have stepped into."""
        name = sanitize.line(did.name, MAX_NAME)
        about = f"{did.role} {json.dumps(name, ensure_ascii=False)}" if name else did.role
        link = _LINKS.get(did.act, "in")
        self._note(tab.tab_id, f"{did.act} {link} {about}".replace("  ", " ") if about else did.act)

    def _on_removed(self, tab: Tab) -> None:
        self._stepped.pop(tab.tab_id, None)
        self._commands.pop(tab.tab_id, None)
        for client, tab_id in [key for key in self._known if key[1] == tab.tab_id]:
            del self._known[client, tab_id]
            self._owed.pop((client, tab_id), None)
            self._closed.setdefault(client, []).append(tab_id)

    def _on_gone(self, client: Client) -> None:
        self._closed.pop(client, None)
        for key in [key for key in self._known if key[0] is client]:
            del self._known[key]
        self._owed = {key: debt for key, debt in self._owed.items() if key[0] is not client}
        still = [(None if its is client else its, row) for its, row in self._settled]
        self._settled = deque(still, maxlen=MAX_SETTLED)


def _named(row: Row) -> str:
    """The command and what it was done to, never what was typed."""
    meant = next((str(row.params[name]) for name in _TARGETS if row.params.get(name)), "")
    return f"{row.command} {meant}".strip()[:120]
