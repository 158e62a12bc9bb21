"""A picture with zoom that tells what is under the cursor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

_ZOOM_STEP = 1.25
#: What a wheel tells for one notch.
_NOTCH = 120
_MIN_ZOOM, _MAX_ZOOM = 0.05, 8.0


class Canvas(QWidget):
    """Paints the picture over its whole area; `pointed` tells a picture pixel, or None outside.

    `clicked` tells the pixel of a click; pressing and moving is `dragged` instead, by so many screen pixels.
    """

    pointed = Signal(object)
    clicked = Signal(QPointF)
    dragged = Signal(QPointF)

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._pressed_at: QPointF | None = None
        self._is_dragging = False
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.globalPosition()
            self._is_dragging = False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed_at is None:
            return
        if not self._is_dragging and QRectF(self.rect()).contains(event.position()) and not self._image.isNull():
            self.clicked.emit(self.pixel_at(event.position()))
        self._pressed_at = None
        self.setCursor(Qt.CursorShape.CrossCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is not None:
            moved = event.globalPosition() - self._pressed_at
            if self._is_dragging or moved.manhattanLength() >= QApplication.startDragDistance():
                self._is_dragging = True
                self._pressed_at = event.globalPosition()
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.dragged.emit(moved)
            return
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
    """Scrolls a canvas; `zoom` 1 shows one picture pixel as one screen pixel.

    The wheel zooms around the cursor, with Shift it scrolls; dragging moves the picture.
    """

    zoomed = Signal(float)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._is_fit = True
        self._zoom = 1.0
        canvas.dragged.connect(self._on_dragged)
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

    def set_zoom(self, zoom: float, around: QPointF | None = None) -> None:
        """Show at a fixed scale.

        Args:
            around: what stays where it is, in pixels of the viewport; None for its middle.
        """
        self._is_fit = False
        at = (around or QPointF(self.viewport().rect().center())).toPoint()
        held = self._canvas.pixel_at(QPointF(self._canvas.mapFrom(self.viewport(), at)))
        self._apply(min(max(zoom, _MIN_ZOOM), _MAX_ZOOM))
        factor = self._zoom / self.devicePixelRatioF()
        self.horizontalScrollBar().setValue(round(held.x() * factor - at.x()))
        self.verticalScrollBar().setValue(round(held.y() * factor - at.y()))

    def step(self, direction: int) -> None:
        """Zoom in (1) or out (-1) by one step."""
        self.set_zoom(self._zoom * _ZOOM_STEP**direction)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fit:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.set_zoom(self._zoom * _ZOOM_STEP ** (turned / _NOTCH), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def _on_dragged(self, moved: QPointF) -> None:
        for bar, distance in ((self.horizontalScrollBar(), moved.x()), (self.verticalScrollBar(), moved.y())):
            bar.setValue(bar.value() - round(distance))

    def _apply(self, zoom: float) -> None:
        self._zoom = zoom
        size = QSizeF(self._canvas.image.size()) / self.devicePixelRatioF() * zoom
        self._canvas.resize(QSize(max(1, int(size.width())), max(1, int(size.height()))))
        self.zoomed.emit(zoom)
