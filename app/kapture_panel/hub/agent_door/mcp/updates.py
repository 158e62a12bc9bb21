"""Reports changes to one MCP conversation: only those it asked for, each a few times a second at most."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.agent_door.mcp.sources import Sources

#: After a change was told, the next one of the same resource waits this long.
PAUSE_S = 0.3
#: Stands for the list of resources among the addresses.
LIST = ""


class Updates:
    """The changes of one conversation's resources, to be told one by one.

    The first change is told at once; those within the pause after it are told together at its end.
    """

    def __init__(self, client: Client, sources: Sources) -> None:
        self._client = client
        self._sources = sources
        self._wanted: Counter[str] = Counter()
        self._due: dict[str, None] = {}
        self._is_due = asyncio.Event()
        #: Address → the timer that ends its pause; of those in `_again` something changed meanwhile.
        self._pauses: dict[str, asyncio.TimerHandle] = {}
        self._again: set[str] = set()
        sources.changed.connect(self._on_changed)
        sources.listed.connect(self._on_listed)

    def close(self) -> None:
        """Listen no more."""
        self._sources.changed.disconnect(self._on_changed)
        self._sources.listed.disconnect(self._on_listed)
        for pause in self._pauses.values():
            pause.cancel()

    def __len__(self) -> int:
        return len(self._wanted)

    def want(self, uri: str) -> None:
        """Tell of `uri` from now on; wanted twice, it must be unwanted twice."""
        self._wanted[uri] += 1

    def unwant(self, uri: str) -> None:
        """Tell of `uri` no more; one that was not wanted is not an error."""
        self._wanted[uri] -= 1
        if self._wanted[uri] <= 0:
            del self._wanted[uri]

    @contextmanager
    def wanting(self, uris: Iterable[str]) -> Iterator[None]:
        """Tell of `uris` while the block runs."""
        wanted = list(uris)
        for uri in wanted:
            self.want(uri)
        try:
            yield
        finally:
            for uri in wanted:
                self.unwant(uri)

    def tell(self, uri: str) -> None:
        """Have `uri` told, if it is wanted."""
        if uri not in self._wanted:
            return
        if uri in self._pauses:
            self._again.add(uri)
            return
        self._due[uri] = None
        self._is_due.set()
        self._pauses[uri] = asyncio.get_running_loop().call_later(PAUSE_S, self._pause_over, uri)

    async def next(self) -> str:
        """Wait for a change and return its address, or `LIST`."""
        while not self._due:
            self._is_due.clear()
            await self._is_due.wait()
        uri = next(iter(self._due))
        del self._due[uri]
        return uri

    def _pause_over(self, uri: str) -> None:
        del self._pauses[uri]
        if uri in self._again:
            self._again.remove(uri)
            self.tell(uri)

    def _on_changed(self, session: str, uri: str) -> None:
        if session == self._client.session:
            self.tell(uri)

    def _on_listed(self, session: str) -> None:
        self._on_changed(session, LIST)
