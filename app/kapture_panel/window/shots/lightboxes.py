"""Pictures in windows of their own, and what a click in one of them means."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.window.shots.lightbox import Lightbox
from kapture_panel.window.shots.shot_commands import ShotCommands
from kapture_panel.window.widgets.desktop_opening import open_path
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.toasts import Toasts


class Lightboxes(QObject):
    """They close with the window `host`.

    `aimed` carries the screenshot that was clicked and the place meant, x and y in its tab's viewport in CSS pixels as
    it is scrolled by then. What a lightbox said of saving goes to the notices of `toasts`, to be read again.
    """

    aimed = Signal(object, float, float)

    def __init__(
        self,
        host: QWidget,
        shots: Shots,
        subscriptions: Subscriptions,
        commands: ShotCommands,
        toasts: Toasts,
        pictures: Pictures,
        theme: Theme,
    ) -> None:
        super().__init__(host)
        self._host = host
        subscriptions.connect(shots.removed, lambda shot: self.let_go([shot.file]))
        self._shots = shots
        self._commands = commands
        commands.out_of_sight.connect(self._on_out_of_sight)
        self._toasts = toasts
        self._pictures = pictures
        self._theme = theme

    def open(self, shot: Shot) -> Lightbox:
        """Show a screenshot."""
        box = self._shown(Lightbox(shot, self._theme, self._pictures, self._host))
        box.aimed.connect(lambda x, y: self._commands.find_place(shot, x, y, lambda at: self.aimed.emit(shot, *at)))
        box.open_asked.connect(lambda: self._commands.open(shot))
        box.remove_asked.connect(lambda: self._shots.remove(shot))
        return box

    def open_data(self, name: str, data: bytes) -> Lightbox:
        """Show a picture that is in no store."""
        shot = Shot(Path(), name, name, "", time.time(), len(data))
        return self._shown(Lightbox(shot, self._theme, self._pictures, self._host, data))

    def let_go(self, names: Collection[str]) -> None:
        """Look no more at pictures that are deleted or forgotten; they are named by their files."""
        for box in self._host.findChildren(Lightbox):
            if box.shot.file in names:
                box.close()

    def _on_out_of_sight(self, shot: Shot, place: str, scroll_there: Callable[[], None]) -> None:
        words = "The page is scrolled to another place. It stays there until you scroll it."
        for box in self._host.findChildren(Lightbox):
            if box.shot is shot:
                box.toasts.tell(place, words, "warn", is_kept=False, action=("Scroll there", scroll_there))

    def _on_saved(self, path: str) -> None:
        way = ("Show in folder", lambda: open_path(Path(path).parent, self._toasts))
        self._toasts.notices.add("Picture saved", path, "ok", [way])

    def _shown(self, box: Lightbox) -> Lightbox:
        box.failed.connect(lambda why: self._toasts.notices.add("Saving failed", why, "error"))
        box.saved.connect(self._on_saved)
        box.show()
        return box
