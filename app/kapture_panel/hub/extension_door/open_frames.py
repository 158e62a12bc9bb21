"""The commands whose answers the panel lost, by tab, until the extension has said what became of them."""

from __future__ import annotations

from collections.abc import Iterable

from kapture_panel.core.wire import protocol

#: Of tabs that never come back nobody says anything: so many are remembered in all.
MAX_REMEMBERED = 4096


class OpenFrames:
    """What each tab is asked once it is connected again.

    Args:
        known: tabId and id of those an earlier panel lost.
    """

    def __init__(self, known: Iterable[tuple[str, str]] = ()) -> None:
        self._tab_of = {frame_id: tab_id for tab_id, frame_id in known}

    def lose(self, tab_id: str, frame_ids: Iterable[str]) -> None:
        """The link of a tab broke, or their callers gave up, before these were answered."""
        for frame_id in frame_ids:
            self._tab_of[frame_id] = tab_id
        for oldest in list(self._tab_of)[: max(0, len(self._tab_of) - MAX_REMEMBERED)]:
            del self._tab_of[oldest]

    def of(self, tab_id: str) -> list[str]:
        """The ids to ask a tab for, the oldest first."""
        return [frame_id for frame_id, its_tab in self._tab_of.items() if its_tab == tab_id][-protocol.MAX_OPEN :]

    def settle(self, tab_id: str, frame_id: str) -> bool:
        """Whether a tab was to say what became of a command; from now on it need not."""
        if self._tab_of.get(frame_id) != tab_id:
            return False
        del self._tab_of[frame_id]
        return True
