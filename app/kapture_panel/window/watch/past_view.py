"""How the page was before and after a command, as the recorder has it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.theme import Theme

_MARGIN_PX = 8
_CAPTION_PX = 20
_GONE = "Not kept any more"


class PastView(QWidget):
    """Up to two pictures, beside each other or one below the other: as they are larger."""

    def __init__(self, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self._pictures = pictures
        self._theme = theme
        self._words = ""
        self._shown: list[tuple[str, Path]] = []
        self._images: dict[Path, QImage] = {}
        self.setAccessibleName("How the page was")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 80)

    @property
    def images(self) -> list[QImage]:
        """The pictures that were read."""
        return [self._images[path] for _words, path in self._shown if path in self._images]

    def show_pictures(self, shown: list[tuple[str, Path]], words: str) -> None:
        """Show pictures under their captions, or why there are none."""
        self._shown, self._words = shown, words
        self._images = {path: image for path, image in self._images.items() if path in [one for _, one in shown]}
        for _caption, path in shown:
            if path not in self._images:
                self._pictures.load(path, None, self, partial(self._on_read, path))
        self.setAccessibleDescription(", ".join(caption for caption, _ in shown) or words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 360)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), self._theme.color("bg"))
        painter.setPen(self._theme.color("text_secondary"))
        if not self._shown:
            whole = self.rect().adjusted(_MARGIN_PX, 0, -_MARGIN_PX, 0)
            painter.drawText(whole, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self._words)
        for (caption, path), room in zip(self._shown, self._rooms(), strict=True):
            self._paint_one(painter, caption, self._images.get(path), room)
        painter.end()

    def _rooms(self) -> list[QRectF]:
        """Where each picture and its caption go."""
        whole, number = QRectF(self.rect()), max(1, len(self._shown))
        across, down = whole.width() / number, whole.height() / number
        beside = [QRectF(at * across, 0, across, whole.height()) for at in range(number)]
        below = [QRectF(0, at * down, whole.width(), down) for at in range(number)]
        area = [_fitted(QSizeF(16, 9), _below_caption(rooms[0])).width() for rooms in (beside, below)]
        return (beside if area[0] >= area[1] else below)[: len(self._shown)]

    def _paint_one(self, painter: QPainter, caption: str, image: QImage | None, room: QRectF) -> None:
        inner = _below_caption(room)
        painter.setPen(self._theme.color("text_secondary"))
        if image is None or image.isNull():
            words = _GONE if image is not None else ""
            painter.drawText(inner, int(Qt.AlignmentFlag.AlignCenter), words)
            target = inner
        else:
            target = _fitted(QSizeF(image.size()) / self.devicePixelRatioF(), inner)
            painter.drawImage(target, image)
            painter.setPen(self._theme.color("border"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(target.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.setPen(self._theme.color("text_secondary"))
        painter.setFont(self._theme.font(small=True))
        line = QRectF(target.left(), room.top(), room.right() - target.left(), _CAPTION_PX)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), caption)

    def _on_read(self, path: Path, image: QImage) -> None:
        if any(path == one for _caption, one in self._shown):
            self._images[path] = image
            self.update()


def _below_caption(room: QRectF) -> QRectF:
    return room.adjusted(_MARGIN_PX, _CAPTION_PX, -_MARGIN_PX, -_MARGIN_PX)


def _fitted(size: QSizeF, room: QRectF) -> QRectF:
    """The largest place of that shape in a room, at its top; a small picture fills it, too."""
    scaled = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
    return QRectF(room.left() + (room.width() - scaled.width()) / 2, room.top(), scaled.width(), scaled.height())
