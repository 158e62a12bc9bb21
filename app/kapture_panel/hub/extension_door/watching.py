"""What the person looks at in the window, and what is recorded: pictures of tabs as they are now, asked for and handed
on, kept nowhere here."""

from __future__ import annotations

import asyncio

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.wire.watching import LivePicture, Painted, Unwatch, Watch
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.link import Link


class Watching:
    """Asks the links of tabs for pictures as long as somebody looks; a tab that comes back is asked again.

    A tab has one screencast. So where the window looks and a recording does, the tab is asked once, for what is enough
    for both, and each picture goes to both.

    Args:
        connections: the links of the tabs.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._seen: dict[str, Watch] = {}
        self._recorded: dict[str, Watch] = {}
        #: What a tab was asked for.
        self._asked: dict[str, Watch] = {}
        #: The newest picture for a window that wants one now and then, and when it is due.
        self._due: dict[str, tuple[asyncio.TimerHandle, LivePicture | None]] = {}
        #: (tabId, picture): the newest of a tab that is watched.
        self.came: Signal[str, LivePicture] = Signal()
        #: (tabId, picture): the same of a tab that is recorded.
        self.recorded: Signal[str, LivePicture] = Signal()
        connections.tab_linked.connect(self._on_linked)
        connections.pictured.connect(self._on_pictured)

    def watch(self, tab_id: str, width: int, height: int, every_ms: int) -> None:
        """Have pictures of a tab from now on.

        Args:
            tab_id: one that is connected, or will be.
            width: what they fit into, in pixels; one that is recorded, too, may give larger ones.
            height: the same.
            every_ms: none comes sooner after the one before; 0 for as many as are painted.
        """
        is_new = tab_id not in self._seen
        self._seen[tab_id] = Watch(width=width, height=height, everyMs=every_ms)
        self._ask(tab_id, is_new=is_new)

    def unwatch(self, tab_id: str) -> None:
        """Look away from a tab."""
        self._seen.pop(tab_id, None)
        if (due := self._due.pop(tab_id, None)) is not None:
            due[0].cancel()
        self._ask(tab_id)

    def painted(self, tab_id: str, number: int) -> None:
        """The person sees this picture, or a newer one stands before it already: the next may come."""
        if tab_id in self._seen:
            self._connections.post(tab_id, Painted(number=number))

    def record(self, tab_id: str, width: int, height: int) -> None:
        """Have pictures of a tab for a video of this size from now on."""
        is_new = tab_id not in self._recorded
        self._recorded[tab_id] = Watch(width=width, height=height, everyMs=0)
        self._ask(tab_id, is_new=is_new)

    def record_no_more(self, tab_id: str) -> None:
        """The video has ended."""
        self._recorded.pop(tab_id, None)
        self._ask(tab_id)

    def taken(self, tab_id: str, number: int) -> None:
        """The video has this picture, or a newer one: the next may come."""
        if tab_id in self._recorded:
            self._connections.post(tab_id, Painted(number=number))

    def _ask(self, tab_id: str, *, is_new: bool = False) -> None:
        """Ask for what is wanted now; for somebody who is new once more, for a still page gives no other picture."""
        both = [of[tab_id] for of in (self._seen, self._recorded) if tab_id in of]
        if not both:
            if self._asked.pop(tab_id, None) is not None:
                self._connections.post(tab_id, Unwatch())
            return
        wanted = Watch(
            width=max(one.width for one in both),
            height=max(one.height for one in both),
            everyMs=min(one.everyMs for one in both),
        )
        if is_new or self._asked.get(tab_id) != wanted:
            self._asked[tab_id] = wanted
            self._connections.post(tab_id, wanted)

    def _on_linked(self, tab_id: str, link: Link) -> None:
        if tab_id in self._asked:
            link.post(self._asked[tab_id])

    def _on_pictured(self, tab_id: str, picture: LivePicture) -> None:
        if tab_id in self._recorded:
            self.recorded.emit(tab_id, picture)
        # One that was on its way when the person looked elsewhere is nobody's.
        if (seen := self._seen.get(tab_id)) is None:
            return
        if seen.everyMs > self._asked[tab_id].everyMs:
            self._show_later(tab_id, picture)
        else:
            self.came.emit(tab_id, picture)

    def _show_later(self, tab_id: str, picture: LivePicture) -> None:
        """More come than the window wants: it gets one now, and the newest of those that follow when one is due."""
        if (due := self._due.get(tab_id)) is not None:
            self._due[tab_id] = (due[0], picture)
            return
        timer = asyncio.get_running_loop().call_later(self._seen[tab_id].everyMs / 1000, self._show_due, tab_id)
        self._due[tab_id] = (timer, None)
        self.came.emit(tab_id, picture)

    def _show_due(self, tab_id: str) -> None:
        _timer, picture = self._due.pop(tab_id)
        if picture is not None:
            self._show_later(tab_id, picture)
