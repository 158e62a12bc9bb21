"""Requests of tabs as the window lists them: in memory only, the newest of each tab, without headers and bodies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.wire.events import RequestSeen

#: As many as the extension keeps of a tab: details of older ones could not be asked for.
MAX_REQUESTS_PER_TAB = 1000
#: Requests of tabs that were closed are kept too, but not of all tabs there ever were: the tab that has asked for
#: nothing for longest gives way.
MAX_TABS = 300


@dataclass(frozen=True, slots=True)
class Request:
    """One request, each hop of a redirect as one; its address is masked before it leaves the extension.

    `at` is in ms since 1970; `status` is None without an answer; `source` says where the answer came from, `bytes`
    how large it was. An extension that restarted numbers from r1 again, so `id` alone does not name a request.
    """

    tab_id: str
    id: str
    at: float
    method: str
    type: str
    url: str
    status: int | None = None
    failure: str = ""
    is_finished: bool = False
    source: str = "network"
    ms: float | None = None
    bytes: int = 0
    context: str = "page"

    @property
    def key(self) -> tuple[str, str, float]:
        """What stays the same while the request goes on."""
        return self.tab_id, self.id, self.at

    @property
    def is_failed(self) -> bool:
        """Whether it came to nothing, or to an error of the server."""
        return bool(self.failure) or (self.status or 0) >= 400


class NetworkLog:
    """The last requests of every tab; announces each batch of new and changed ones."""

    def __init__(self, max_requests_per_tab: int = MAX_REQUESTS_PER_TAB) -> None:
        self._max_requests = max_requests_per_tab
        #: The tab whose requests came last comes last.
        self._tabs: dict[str, dict[tuple[str, str, float], Request]] = {}
        self._newest: dict[tuple[str, str], Request] = {}
        self.changed: Signal[list[Request]] = Signal()
        #: The tab's id, or "" for all.
        self.cleared: Signal[str] = Signal()

    def take(self, tab_id: str, events: Iterable[RequestSeen]) -> None:
        """Add a batch of one tab; of several about one request the last one stands."""
        batch = {request.key: request for request in (_request(tab_id, event) for event in events)}
        kept = self._tabs[tab_id] = self._tabs.pop(tab_id, {})
        if len(self._tabs) > MAX_TABS:
            self.clear(next(iter(self._tabs)))
        for request in batch.values():
            kept[request.key] = request
            self._newest[tab_id, request.id] = request
        while len(kept) > self._max_requests:
            self._forget(kept.pop(next(iter(kept))))
        self.changed.emit(list(batch.values()))

    def all(self, tab_id: str | None = None) -> list[Request]:
        """The kept requests of one tab, or of all tabs, oldest first."""
        if tab_id is not None:
            return list(self._tabs.get(tab_id, {}).values())
        return sorted((request for kept in self._tabs.values() for request in kept.values()), key=lambda one: one.at)

    def is_current(self, request: Request) -> bool:
        """Whether its id still means this request to the extension, as far as we were told."""
        newest = self._newest.get((request.tab_id, request.id))
        return newest is not None and newest.at == request.at

    def forget_since(self, at_ms: float) -> None:
        """Forget all requests that began at this moment or later, in ms since 1970."""
        for tab_id, requests in tuple(self._tabs.items()):
            kept = {key: request for key, request in requests.items() if request.at < at_ms}
            if len(kept) == len(requests):
                continue
            self.clear(tab_id)
            if kept:
                self._tabs[tab_id] = kept
                self._newest |= {(tab_id, request.id): request for request in kept.values()}
                self.changed.emit(list(kept.values()))

    def clear(self, tab_id: str | None = None) -> None:
        """Forget the requests of one tab, or of all."""
        for known in [tab_id] if tab_id is not None else list(self._tabs):
            for request in self._tabs.pop(known, {}).values():
                self._forget(request)
        self.cleared.emit(tab_id or "")

    def _forget(self, request: Request) -> None:
        if self.is_current(request):
            del self._newest[request.tab_id, request.id]


def _request(tab_id: str, seen: RequestSeen) -> Request:
    return Request(
        tab_id,
        seen.id,
        seen.at,
        seen.method,
        seen.type,
        seen.url,
        seen.status,
        seen.failure or "",
        seen.finished,
        seen.source,
        seen.ms,
        seen.bytes,
        seen.context,
    )
