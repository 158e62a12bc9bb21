"""Questions to the person: an agent's command waits here until somebody who may decide has decided."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab

#: MCP clients give a call up after 60 s: before that it is told that nobody has decided yet.
PENDING_S = 25.0
EXPIRY_S = 600.0
#: More questions of one client than a person would read.
MAX_OPEN_PER_CLIENT = 8

State = Literal["open", "allowed", "denied", "expired", "outdated", "withdrawn"]
#: How far an answer goes: this call; the rest of the client's conversation; a rule for the agent on this site.
Scope = Literal["once", "session", "always"]


@dataclass(frozen=True)
class Scene:
    """What a question is about: the tab, the addresses it names, whether the panel started the browser, and the
    element: its role and name, or how the command names what was not found, and whether it is known to be a field that
    is not secret."""

    tab: Tab | None = None
    pages: tuple[str, ...] = ()
    is_managed: bool = True
    element: str = ""
    is_plain_field: bool = False


@dataclass(eq=False)
class Ask:
    """One question.

    `params` are exactly what would be carried out; `where` says in words what it would be done to (a tab's title,
    its address), `site` the host alone, as far as the agent may know; `made_at` in seconds since 1970; `reason` is
    what the person said with a denial, or why the question ended without an answer. `why` says what makes it a
    question; `permission` is what an answer for longer than this call is about, and `scopes` how far a yes may go;
    `picture` shows the element, as image bytes. `scope` is how far the answer goes.
    """

    id: str
    client: Client
    command: Command
    params: Params
    site: str
    where: str
    made_at: float
    why: str = ""
    permission: str = ""
    scopes: tuple[Scope, ...] = ("once",)
    picture: bytes | None = None
    scene: Scene = field(default_factory=Scene)
    scope: Scope = "once"
    state: State = "open"
    reason: str = ""
    #: Callers that wait right now; one that gave up with APPROVAL_PENDING does not count.
    waiting: int = 0
    decided: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class _InTheMaking:
    """A question that is not asked yet; `left` says why it never will be."""

    scene: Scene
    left: str = ""


class Approvals:
    """The inbox. Deciding is the person's alone: no command leads to `allow` or `deny`.

    An ask that is settled while its caller is not waiting is kept for the same call made again in the same tab, until
    it expires; a yes to one call also only until the page it was for is left.
    """

    def __init__(self, pending_s: float = PENDING_S, expiry_s: float = EXPIRY_S) -> None:
        self.added: Signal[Ask] = Signal()
        self.settled: Signal[Ask] = Signal()
        #: A caller begins to wait for the answer of an open ask, or nobody does any more.
        self.waited: Signal[Ask] = Signal()
        self._pending_s = pending_s
        self.expiry_s = expiry_s
        self._asks: dict[tuple[Client, str], Ask] = {}
        self._timers: dict[Ask, asyncio.TimerHandle] = {}
        self._made: set[_InTheMaking] = set()
        self._serial = itertools.count(1)
        self._attended = False

    def __iter__(self) -> Iterator[Ask]:
        """The open asks, the oldest first."""
        return iter([ask for ask in self._asks.values() if ask.state == "open"])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def is_attended(self) -> bool:
        """Whether somebody can see and answer the asks."""
        return self._attended

    def attend(self) -> None:
        """From now on somebody can see and answer the asks."""
        self._attended = True

    def leave(self) -> None:
        """Nobody can answer any more; nothing of what is open is done."""
        self._attended = False
        for ask in self:
            ask.reason = "the panel's window was closed"
            self._withdraw(ask)

    def allow(self, ask: Ask, scope: Scope = "once") -> bool:
        """Let the command be carried out, and with a wider scope its like; False when the ask is not open any more.

        A scope the ask does not offer is a defect (ValueError).
        """
        if scope not in ask.scopes:
            raise ValueError(f"{scope} is not one of {ask.scopes}")
        return self._answer(ask, "allowed", scope)

    def deny(self, ask: Ask, reason: str = "", *, for_session: bool = False) -> bool:
        """Refuse; `reason` goes to the agent. False when the ask is not open any more.

        Args:
            for_session: its like is refused, too, as long as the client is here.
        """
        return self._answer(ask, "denied", "session" if for_session else "once", reason.strip())

    def _answer(self, ask: Ask, state: State, scope: Scope, reason: str = "") -> bool:
        if ask.state != "open":
            return False
        # Who answers for longer does not want the next card to ask the same.
        like = [other for other in self if _is_like(other, ask)] if scope != "once" else []
        for one in (ask, *like):
            one.scope, one.reason = scope, reason
            self._settle(one, state)
            if scope != "once" and not one.waiting:
                self._forget(one)  # the next call of the kind finds the answer remembered
        return True

    def withdraw(self, client: Client) -> None:
        """Forget everything a client that went away asked for: nothing of it is carried out any more."""
        for ask in [ask for ask in self._asks.values() if ask.client is client]:
            self._withdraw(ask)

    def waiting_calls(self, client: Client) -> int:
        """How many calls of `client` wait for an answer right now."""
        return sum(ask.waiting for ask in self if ask.client is client)

    def on_tab_changed(self, tab: Tab) -> None:
        """Nobody decides about a site that was left, and what was decided for once is over; within it a page may give
        itself any address."""
        self._on_left(tab, addresses.origin_of)

    def on_navigated(self, tab: Tab) -> None:
        """Nobody decides about a page that was left: another document is in the tab."""
        self._on_left(tab, _document)

    def _on_left(self, tab: Tab, place: Callable[[str], str]) -> None:
        def is_left(scene: Scene) -> bool:
            return _is_about(scene, tab) and place(tab.url) not in map(place, scene.pages)

        self._outdate_where(is_left, f"the page was left for {tab.site or 'a blank one'}")

    def on_tab_removed(self, tab: Tab) -> None:
        """Nobody decides about a tab that is gone."""
        self._outdate_where(lambda scene: _is_about(scene, tab), "its tab is gone")

    def _outdate_where(self, is_over: Callable[[Scene], bool], reason: str) -> None:
        for made in self._made:
            if is_over(made.scene):
                made.left = made.left or reason
        for ask in list(self._asks.values()):
            if is_over(ask.scene):
                self._outdate(ask, reason)

    @contextmanager
    def making(self, command: Command, scene: Scene) -> Iterator[None]:
        """While it is found out what a question will show.

        Raises:
            KaptureError: `APPROVAL_EXPIRED`, at the end, when meanwhile the page was left or the tab has gone.
        """
        made = _InTheMaking(scene)
        self._made.add(made)
        try:
            yield
        finally:
            self._made.remove(made)
        if made.left:
            raise _outdated(command, made.left)

    def known(
        self, client: Client, command: Command, params: Params, site: str, permission: str, tab: Tab | None
    ) -> Ask | None:
        """The question that the same call in the same tab has asked before, and would join."""
        return self._asks.get(_key(client, command, params, site, permission, tab))

    async def ask(
        self,
        client: Client,
        command: Command,
        params: Params,
        *,
        site: str,
        where: str,
        timeout_s: float,
        why: str = "",
        permission: str = "",
        scopes: tuple[Scope, ...] = ("once",),
        picture: bytes | None = None,
        scene: Scene = Scene(),
        way_out: str = "",
        code: str = "DENIED",
    ) -> None:
        """Return when the person has allowed this call.

        Args:
            client, command: who wants what.
            params: with all defaults; the same call made again has the same ones, and the tab of the same `scene`.
            site: the host it is about; the agent is told it.
            where: the same for the person, with title and address.
            timeout_s: the longest the caller waits in this call.
            why, permission, scopes, picture, scene: as an `Ask` has them.
            way_out: what a person can do where nobody can be asked, and `code`: that error's.

        Raises:
            KaptureError: `DENIED` with the person's reason, or because nobody can be asked (then with `code`),
                `APPROVAL_PENDING` when nobody decided yet, `APPROVAL_EXPIRED` when nobody did in time or before
                the page was left, `BUSY` when the client has too many open questions.
        """
        if not self._attended:
            raise _nobody_to_ask(command, why, code, way_out)
        key = _key(client, command, params, site, permission, scene.tab)
        while True:
            ask = self._asks.get(key)  # of the same call made before: whoever tries again asks the person once
            if ask is None:
                made = Ask(
                    f"a{next(self._serial)}", client, command, params, site, where, time.time(), why, permission,
                    scopes, picture, scene,
                )  # fmt: skip
                ask = self._open(key, made)
            await self._decision(ask, timeout_s)
            # Allowed once means one call: of several that waited the first takes it, the others ask again.
            if ask.state != "allowed" or ask.scope != "once" or self._asks.get(key) is ask:
                break
        self._forget(ask)
        self._demand_yes(ask)

    def _demand_yes(self, ask: Ask) -> None:
        """Raise what the agent is told unless the person has allowed it."""
        name = ask.command.short_name
        if ask.state == "expired":
            raise KaptureError(
                "APPROVAL_EXPIRED",
                f"nobody decided about {name} within {self.expiry_s / 60:.0f} min",
                "nothing was done. Call it again to ask once more",
            )
        if ask.state == "outdated":
            raise _outdated(ask.command, ask.reason)
        if ask.state == "withdrawn":
            raise KaptureError("DENIED", f"{ask.reason or f'{name} was taken back'} before a person decided")
        if ask.state == "denied":
            reason = f": {ask.reason}" if ask.reason else ""
            raise KaptureError("DENIED", f"a person refused {_what(ask)}{reason}")

    async def _decision(self, ask: Ask, timeout_s: float) -> None:
        ask.waiting += 1
        self.waited.emit(ask)
        try:
            # A terminal's question ends with its call, so it waits as long as it was told to.
            patience_s = timeout_s if ask.client.kind == "terminal" else min(self._pending_s, timeout_s)
            async with asyncio.timeout(patience_s):
                await ask.decided.wait()
        except TimeoutError:
            if ask.state == "open":
                raise KaptureError(
                    "APPROVAL_PENDING",
                    f"a person is asked about {_what(ask)} and has not decided yet",
                    "make the same call again to go on waiting",
                ) from None
        except asyncio.CancelledError:
            if ask.waiting == 1:  # the last one: nothing is done that nobody waits for
                self._withdraw(ask)
            raise
        finally:
            ask.waiting -= 1
            self.waited.emit(ask)

    def _open(self, key: tuple[Client, str], ask: Ask) -> Ask:
        client = ask.client
        if sum(other.client is client for other in self) >= MAX_OPEN_PER_CLIENT:
            raise KaptureError(
                "BUSY", f"{MAX_OPEN_PER_CLIENT} questions of this client wait for a person", "wait for their answers"
            )
        self._asks[key] = ask
        self._timers[ask] = asyncio.get_running_loop().call_later(self.expiry_s, self._expire, ask)
        self.added.emit(ask)
        return ask

    def _expire(self, ask: Ask) -> None:
        if ask.state == "allowed":
            # Nobody came for it: a yes does not last for ever.
            ask.state = "expired"
        self._settle(ask, "expired")
        if ask.state == "expired":
            # For as long again it is told to whoever makes the same call.
            self._timers[ask] = asyncio.get_running_loop().call_later(self.expiry_s, self._forget, ask)
        else:
            self._forget(ask)

    def _outdate(self, ask: Ask, reason: str) -> None:
        is_unused_yes = ask.state == "allowed" and ask.scope == "once"
        if ask.state != "open" and not is_unused_yes:
            return
        ask.reason = reason
        self._forget(ask)  # the same call made again is another question
        if is_unused_yes:  # whoever is about to go on with it is told, too
            ask.state = "outdated"
        self._settle(ask, "outdated")

    def _withdraw(self, ask: Ask) -> None:
        self._forget(ask)
        self._settle(ask, "withdrawn")

    def _forget(self, ask: Ask) -> None:
        if timer := self._timers.pop(ask, None):
            timer.cancel()
        for key in [key for key, known in self._asks.items() if known is ask]:
            del self._asks[key]

    def _settle(self, ask: Ask, state: State) -> bool:
        if ask.state != "open":
            return False
        ask.state = state
        ask.decided.set()
        self.settled.emit(ask)
        return True


def _key(
    client: Client, command: Command, params: Params, site: str, permission: str, tab: Tab | None
) -> tuple[Client, str]:
    # A tab that is meant without being named is no parameter.
    return client, json.dumps([command.name, params, site, permission, tab and tab.tab_id], sort_keys=True)


def _outdated(command: Command, reason: str) -> KaptureError:
    return KaptureError(
        "APPROVAL_EXPIRED",
        f"{reason} before {command.short_name}, which needs a person's yes, could begin",
        "nothing was done. Look where the tab is, then call it again if it is still wanted",
    )


def _nobody_to_ask(command: Command, why: str, code: str, way_out: str) -> KaptureError:
    needed = f" ({why})" if why else ""
    return KaptureError(
        code,
        f"{command.short_name} needs a person's yes{needed}, and this panel has no window to ask in",
        way_out or "a person can start the panel with its window: kapture",
    )


def _is_like(other: Ask, ask: Ask) -> bool:
    """Whether an answer for longer than one call decides another open ask, too."""
    return (other.client, other.site, other.permission) == (ask.client, ask.site, ask.permission) and other is not ask


def _is_about(scene: Scene, tab: Tab) -> bool:
    return scene.tab is not None and scene.tab.tab_id == tab.tab_id


def _document(url: str) -> str:
    """An address without what a page rewrites of its own."""
    return url.partition("#")[0].partition("?")[0]


def _what(ask: Ask) -> str:
    return f"{ask.command.short_name} on {ask.site}" if ask.site else ask.command.short_name
