"""A picture with zoom that tells what is under the cursor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollArea, QWidget

_ZOOM_STEP = 1.25
_MIN_ZOOM, _MAX_ZOOM = 0.05, 8.0


class Canvas(QWidget):
    """Paints the picture over its whole area; `pointed` tells a picture pixel, or None outside."""

    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("Screenshot")

    @property
    def image(self) -> QImage:
        """The picture."""
        return self._image

    def show_image(self, image: QImage) -> None:
        """Show another picture."""
        self._image = image
        self.update()

    def pixel_at(self, position: QPointF) -> QPointF:
        """The picture pixel under a position in the widget."""
        return QPointF(
            position.x() * self._image.width() / max(self.width(), 1),
            position.y() * self._image.height() / max(self.height(), 1),
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        inside = QRectF(self.rect()).contains(event.position())
        self.pointed.emit(self.pixel_at(event.position()) if inside and not self._image.isNull() else None)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.width() < self._image.width() * 2)
        painter.drawImage(QRectF(self.rect()), self._image)
        painter.end()


class ZoomArea(QScrollArea):
    """Scrolls a canvas; `zoom` 1 shows one picture pixel as one screen pixel."""

    zoomed = Signal(float)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._is_fit = True
        self._zoom = 1.0
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName("Screenshot, scrollable")
        self.setWidget(canvas)

    @property
    def is_fit(self) -> bool:
        """Whether the picture follows the size of the window."""
        return self._is_fit

    @property
    def zoom(self) -> float:
        """Screen pixels per picture pixel."""
        return self._zoom

    def fit(self) -> None:
        """Show all of the picture, not larger than it is."""
        self._is_fit = True
        size = QSizeF(self._canvas.image.size()) / self.devicePixelRatioF()
        if size.isEmpty():
            return
        # The whole area, not the viewport: that still has the scroll bars the fit makes needless.
        room = QSizeF(self.contentsRect().size())
        self._apply(min(1.0, room.width() / size.width(), room.height() / size.height()))

    def set_zoom(self, zoom: float) -> None:
        """Show at a fixed scale."""
        self._is_fit = False
        self._apply(min(max(zoom, _MIN_ZOOM), _MAX_ZOOM))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fit:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.angleDelta().y():
            self.set_zoom(self._zoom * (_ZOOM_STEP if event.angleDelta().y() > 0 else 1 / _ZOOM_STEP))
            event.accept()
        else:
            super().wheelEvent(event)

    def _apply(self, zoom: float) -> None:
        self._zoom = zoom
        size = QSizeF(self._canvas.image.size()) / self.devicePixelRatioF() * zoom
        self._canvas.resize(QSize(max(1, int(size.width())), max(1, int(size.height()))))
        self.zoomed.emit(zoom)
