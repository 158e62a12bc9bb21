"""A picture scaled to fit the room there is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_MARGIN_PX = 12


class PictureView(QWidget):
    """Never larger than the picture's own size; a double click opens it."""

    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._scaled = QImage()
        self.setAccessibleName("Result as a picture")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    @property
    def image(self) -> QImage:
        """The picture."""
        return self._image

    def show_image(self, image: QImage) -> None:
        """Show another picture."""
        self._image = image
        self._scaled = QImage()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 200)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit()

    def _fitting(self, size: QSize) -> QImage:
        """The picture at `size`, scaled with all its pixels: the painter alone looks at four neighbours."""
        wanted = size * self.devicePixelRatioF()
        if self._scaled.size() != wanted:
            aspect, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._scaled = self._image.scaled(wanted, aspect, smooth)
        return self._scaled

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image.isNull():
            return
        room = QRectF(self.rect()).adjusted(_MARGIN_PX, 4, -_MARGIN_PX, -_MARGIN_PX)
        size = QSizeF(self._image.size())
        if size.width() > room.width() or size.height() > room.height():
            size.scale(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        target = QRectF(room.topLeft(), size)
        painter.drawImage(target, self._fitting(size.toSize()))
        painter.setPen(self.palette().mid().color())
        painter.drawRect(target.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.end()
