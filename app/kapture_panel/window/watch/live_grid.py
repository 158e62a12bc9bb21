"""The newest pictures of several tabs at once, each about one a second."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, QSize, QSizeF, Signal
from PySide6.QtGui import QImage

from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.window.watch.live_pictures import LivePictures
from kapture_panel.window.watch.looking import Watching
from kapture_panel.window.widgets.pictures import Pictures

EVERY_MS = 1000


class LiveGrid(QObject):
    """`came` carries the tabId of a tab that looks different now; whoever has painted it calls `painted`."""

    came = Signal(str)

    def __init__(self, watching: Watching, pictures: Pictures, parent: QObject) -> None:
        super().__init__(parent)
        self._watching = watching
        self._pictures = pictures
        self._looks: dict[str, LivePictures] = {}
        self._images: dict[str, QImage] = {}

    def look(self, tab_ids: Iterable[str], room: QSize) -> None:
        """Look at just these tabs, in pictures that fit into so many pixels of the screen."""
        wanted = set(tab_ids)
        for tab_id in self._looks.keys() - wanted:
            look = self._looks.pop(tab_id)
            look.look_away()
            look.deleteLater()
            self._images.pop(tab_id, None)
            self.came.emit(tab_id)
        for tab_id in wanted:
            if tab_id not in self._looks:
                self._looks[tab_id] = LivePictures(self._watching, self._pictures, self)
                self._looks[tab_id].came.connect(partial(self._on_came, tab_id))
            self._looks[tab_id].look(tab_id, room, EVERY_MS)

    def image(self, tab_id: str) -> QImage | None:
        """How a tab looks; None before that is known."""
        return self._images.get(tab_id)

    def drop(self, tab_id: str) -> None:
        """What was seen of a tab is there no more."""
        if self._images.pop(tab_id, None) is not None:
            self.came.emit(tab_id)

    def on_picture(self, tab_id: str, picture: LivePicture) -> None:
        """Take a picture, if it is of one of these tabs."""
        if (look := self._looks.get(tab_id)) is not None:
            look.on_picture(tab_id, picture)

    def painted(self, tab_id: str) -> None:
        """The newest image of a tab is on the screen."""
        if (look := self._looks.get(tab_id)) is not None:
            look.painted()

    def _on_came(self, tab_id: str, image: QImage, _viewport: QSizeF) -> None:
        self._images[tab_id] = image
        self.came.emit(tab_id)
