"""Pointing at a place of the watched page, and what is said about it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.watch.looking import Pointing
from kapture_panel.window.watch.note_bar import NoteBar
from kapture_panel.window.watch.page_view import PageView
from kapture_panel.window.widgets.shell import Shell


class PersonsNotes(QObject):
    """One note at a time: the place is looked at when it is pressed, kept once words are there.

    Args:
        tab: the one that is watched.
    """

    def __init__(
        self, shell: Shell, pointing: Pointing, page: PageView, bar: NoteBar, tab: Callable[[], Tab | None]
    ) -> None:
        super().__init__(shell.host)
        self._shell = shell
        self._pointing = pointing
        self._page = page
        self._bar = bar
        self._tab = tab
        self._words: asyncio.Future[str] | None = None
        page.pointed.connect(self._on_pointed)
        bar.written.connect(self._on_written)
        bar.left.connect(self.give_up)

    def give_up(self) -> None:
        """Keep nothing of the place."""
        if self._words is not None:
            self._settle("")

    def _on_pointed(self, at: QPointF) -> None:
        self.give_up()
        tab = self._tab()
        if tab is not None:
            self._words = asyncio.get_running_loop().create_future()
            self._page.ring(at)
            self._bar.ask()
            self._shell.background.start(self._note(tab.tab_id, at, self._words), "Note")

    def _on_written(self, words: str) -> None:
        self._settle(words)

    def _settle(self, words: str) -> None:
        assert self._words is not None
        if not self._words.done():
            self._words.set_result(words)
        self._words = None
        self._page.ring(None)
        self._bar.hide()

    async def _note(self, tab_id: str, at: QPointF, words: asyncio.Future[str]) -> None:
        try:
            note = await self._pointing.note(tab_id, at.x(), at.y(), words)
        finally:
            if self._words is words:  # the place could not be looked at
                self._settle("")
        if note is not None:
            told = "It goes with the agent's next answer about this tab."
            self._shell.toasts.tell("Note sent", told, "ok", is_kept=False)
