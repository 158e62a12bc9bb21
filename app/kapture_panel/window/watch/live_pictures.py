"""The pictures of one tab, decoded off the window's thread; the newest wins."""

from __future__ import annotations

import base64
from functools import partial

from PySide6.QtCore import QObject, QSize, QSizeF, Signal
from PySide6.QtGui import QImage

from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.window.watch.looking import Watching
from kapture_panel.window.widgets.pictures import Pictures


class LivePictures(QObject):
    """`came` carries an image and the size of its viewport in CSS pixels; whoever has painted it calls `painted`.

    One picture is decoded at a time. Of those that come meanwhile only the newest is decoded after it.
    """

    came = Signal(QImage, QSizeF)

    def __init__(self, watching: Watching, pictures: Pictures, parent: QObject) -> None:
        super().__init__(parent)
        self._watching = watching
        self._pictures = pictures
        self._tab_id = ""
        self._decoding: LivePicture | None = None
        self._waiting: LivePicture | None = None
        self._shown = 0

    @property
    def tab_id(self) -> str:
        """The tab that is looked at; empty for none."""
        return self._tab_id

    def look(self, tab_id: str, room: QSize, every_ms: int = 0) -> None:
        """Look at a tab, in pictures that fit into so many pixels of the screen."""
        if tab_id != self._tab_id:
            self.look_away()
        self._tab_id = tab_id
        self._watching.watch(tab_id, max(room.width(), 1), max(room.height(), 1), every_ms)

    def look_away(self) -> None:
        """Look at nothing."""
        if self._tab_id:
            self._watching.unwatch(self._tab_id)
        self._tab_id = ""
        self._decoding = self._waiting = None

    def on_picture(self, tab_id: str, picture: LivePicture) -> None:
        """Take a picture, if it is of this tab."""
        if tab_id != self._tab_id:
            return
        if self._decoding is None:
            self._decode(picture)
        else:
            self._waiting = picture

    def painted(self) -> None:
        """The image that came last is on the screen."""
        if self._shown and self._tab_id:
            self._watching.painted(self._tab_id, self._shown)
            self._shown = 0

    def _decode(self, picture: LivePicture) -> None:
        self._decoding = picture
        self._pictures.load(base64.b64decode(picture.data), None, self, partial(self._on_decoded, picture))

    def _on_decoded(self, picture: LivePicture, image: QImage) -> None:
        if picture is not self._decoding:
            return  # of a tab that nobody looks at any more
        self._decoding, waiting, self._waiting = None, self._waiting, None
        self._shown = picture.number
        if image.isNull():
            self.painted()  # what cannot be shown must not stop those after it
        else:
            self.came.emit(image, QSizeF(picture.width, picture.height))
        if waiting is not None and self._tab_id:
            self._decode(waiting)
