"""What the person looks at in the window: pictures of tabs as they are now, asked for and handed on, kept nowhere."""

from __future__ import annotations

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.wire.watching import LivePicture, Painted, Unwatch, Watch
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.link import Link


class Watching:
    """Asks the links of tabs for pictures as long as somebody looks; a tab that comes back is asked again.

    Args:
        connections: the links of the tabs.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._wanted: dict[str, Watch] = {}
        #: (tabId, picture): the newest of a tab that is watched.
        self.came: Signal[str, LivePicture] = Signal()
        connections.tab_linked.connect(self._on_linked)
        connections.pictured.connect(self._on_pictured)

    def watch(self, tab_id: str, width: int, height: int, every_ms: int) -> None:
        """Have pictures of a tab from now on.

        Args:
            tab_id: one that is connected, or will be.
            width: what they fit into, in pixels.
            height: the same.
            every_ms: none comes sooner after the one before; 0 for as many as are painted.
        """
        wanted = Watch(width=width, height=height, everyMs=every_ms)
        if self._wanted.get(tab_id) != wanted:
            self._wanted[tab_id] = wanted
            self._connections.post(tab_id, wanted)

    def unwatch(self, tab_id: str) -> None:
        """Look away from a tab."""
        if self._wanted.pop(tab_id, None) is not None:
            self._connections.post(tab_id, Unwatch())

    def painted(self, tab_id: str, number: int) -> None:
        """The person sees this picture, or a newer one stands before it already: the next may come."""
        if tab_id in self._wanted:
            self._connections.post(tab_id, Painted(number=number))

    def _on_linked(self, tab_id: str, link: Link) -> None:
        if tab_id in self._wanted:
            link.first.append(self._wanted[tab_id])

    def _on_pictured(self, tab_id: str, picture: LivePicture) -> None:
        # One that was on its way when the person looked elsewhere is nobody's.
        if tab_id in self._wanted:
            self.came.emit(tab_id, picture)
