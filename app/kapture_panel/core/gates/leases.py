"""Which agent holds which tab, so that two do not act in one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.call import Call
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs

#: A holder that has given no command in its tab for this long has let go of it.
IDLE_S = 300.0
#: What agents are told of a holder who is a person.
PERSON = "a person"


@dataclass
class Lease:
    """`client` holds a tab; `used_at` is when it last used it, in monotonic seconds."""

    client: Client
    used_at: float


class Leases:
    """Who holds a tab: whoever opened it or acted in it first, until it goes, rests or the person decides otherwise.

    The person is never held up. They hold nothing, but a tab they have stepped into: as long as they are there nobody
    else acts in it, and whoever held it before holds it again afterwards.

    Args:
        clients: a client that goes lets go of everything.
        tabs: one that goes is held by nobody, nor is it when it comes back.
        clock: monotonic seconds.
    """

    def __init__(self, clients: Clients, tabs: Tabs, clock: Callable[[], float] = time.monotonic) -> None:
        self._leases: dict[str, Lease] = {}
        self._tabs = tabs
        self._clock = clock
        #: Emitted with a tabId whose holder is another one, or none.
        self.changed: Signal[str] = Signal()
        #: (client, tabId): the person gave a tab to an agent.
        self.handed_over: Signal[Client, str] = Signal()
        #: Emitted with the tabId of a tab the person has given back.
        self.given_back: Signal[str] = Signal()
        #: Beside the leases, so that whoever held a tab before the person holds it again afterwards.
        self._persons: dict[str, Client] = {}
        clients.removed.connect(self._on_client_removed)
        tabs.removed.connect(self._on_tab_removed)

    def holder(self, tab_id: str) -> Client | None:
        """Who holds the tab."""
        if tab_id in self._persons:
            return self._persons[tab_id]
        lease = self._leases.get(tab_id)
        if lease is None:
            return None
        # Whoever waits for a long command of its own does not rest.
        is_idle = not lease.client.running and self._clock() - lease.used_at > IDLE_S
        return None if is_idle else lease.client

    def admit(self, call: Call) -> None:
        """Raise `TAB_LEASED` for an action in a tab another client holds."""
        if call.tab is not None and call.acts:
            self.check(call.client, call.tab.tab_id)

    def check(self, client: Client, tab_id: str) -> None:
        """Raise `TAB_LEASED` when another client holds the tab that `client` wants to act in."""
        holder = self.holder(tab_id)
        if client.kind != "person" and holder is not None and holder.kind == "person":
            raise KaptureError(
                "TAB_LEASED",
                f"a person has stepped into the tab {tab_id} and works there",
                "look at it meanwhile if you want, and try again once they have given it back: "
                "the answer then tells what they did",
                holder=PERSON,
            )
        if client.kind != "person" and holder is not None and holder is not client:
            raise _held(tab_id, client, holder)

    def use(self, client: Client, tab_id: str, *, acts: bool) -> Lease | None:
        """`client` gives a command in the tab: one that acts takes a tab nobody holds.

        Returns:
            The lease, if the tab was taken now.

        Raises:
            KaptureError: `TAB_LEASED` for an action in a tab another client holds.
        """
        if client.kind == "person":
            return None
        if acts:
            self.check(client, tab_id)
        is_held = (lease := self._leases.get(tab_id)) is not None and lease.client is client
        if not is_held:
            return self.give(client, tab_id) if acts else None
        if acts:
            # Another one: an older action that turns out not to have been sent must not free the tab of this one.
            self._leases[tab_id] = Lease(client, self._clock())
        else:
            self._leases[tab_id].used_at = self._clock()
        return None

    def give(self, client: Client, tab_id: str) -> Lease | None:
        """Let `client` hold the tab: it opened it, or acts in it first. One that is gone by now nobody can hold."""
        if self._tabs.find(tab_id) is None:
            return None
        lease = self._leases[tab_id] = Lease(client, self._clock())
        self.changed.emit(tab_id)
        return lease

    def take_back(self, tab_id: str, lease: Lease) -> None:
        """Nothing was done that a lease was taken for: the tab is free, unless used again or handed over since."""
        if self._leases.get(tab_id) is lease:
            self.release(tab_id)

    def hand_over(self, client: Client, tab_id: str) -> None:
        """The person lets `client` hold the tab from now on."""
        self.give(client, tab_id)
        self.handed_over.emit(client, tab_id)

    def step_in(self, person: Client, tab_id: str) -> None:
        """The person takes a tab over: nobody else acts there until `step_out`, or the tab's end."""
        if self._tabs.find(tab_id) is not None and tab_id not in self._persons:
            self._persons[tab_id] = person
            self.changed.emit(tab_id)

    def step_out(self, tab_id: str) -> None:
        """The person gives it back to whoever held it before."""
        if self._persons.pop(tab_id, None) is not None:
            self.changed.emit(tab_id)
            self.given_back.emit(tab_id)

    def release(self, tab_id: str) -> None:
        """Let nobody hold the tab."""
        if self._leases.pop(tab_id, None) is not None:
            self.changed.emit(tab_id)

    def _on_tab_removed(self, tab: Tab) -> None:
        self._persons.pop(tab.tab_id, None)
        self.release(tab.tab_id)

    def _on_client_removed(self, client: Client) -> None:
        for tab_id in [tab_id for tab_id, lease in self._leases.items() if lease.client is client]:
            self.release(tab_id)


def _held(tab_id: str, client: Client, holder: Client) -> KaptureError:
    who, next_step = repr(holder.name), "you can look at it, or work in a tab of your own (kapturemcp_new_tab)"
    if client.kind == holder.kind == "terminal":
        who = f"another terminal (of {holder.parent})" if holder.parent else "another terminal"
        next_step += (
            f", or give --session: calls with the same name are one; it lets go {IDLE_S / 60:.0f} min after a call"
        )
    return KaptureError(
        "TAB_LEASED",
        f"the tab {tab_id} is held by {who}",
        f"{next_step}; a person can hand it over",
        holder=holder.name,
    )
