"""The page of a tab as it is now, and where in it something is done."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kapture_panel.window.watch.acts import Act
from kapture_panel.window.widgets.theme import Theme

_MARGIN_PX = 8
_FRAME_PX = 2
_OUTLINE_PX = 3
_POINTER_PX = 9
_PRESSED_PX = 14


class PageView(QWidget):
    """Paints the newest picture, never larger than it is. `roomed` comes when it is shown, hidden, or has another
    size; `painted` when the newest picture is on the screen; `pointed`, with CSS pixels of the viewport, when the
    person presses a place with Control held, or once `point` has asked for one."""

    roomed = Signal()
    pointed = Signal(QPointF)
    painted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._image = QImage()
        self._viewport = QSizeF()
        self._is_new = False
        self._words = ""
        self._is_outlined = False
        self._is_pointing = False
        self._ring: QPointF | None = None
        self._act: Act | None = None
        self._pointer: tuple[QPointF, bool] | None = None
        self.setAccessibleName("The page as it is now")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 80)

    @property
    def image(self) -> QImage:
        """The picture; a null one while there is none."""
        return self._image

    @property
    def room(self) -> QSize:
        """How many pixels of the screen a picture may have."""
        return (self.size() - QSize(2 * _MARGIN_PX, 2 * _MARGIN_PX)) * self.devicePixelRatioF()

    def show_picture(self, image: QImage, viewport: QSizeF) -> None:
        """Show a picture of a viewport of this size in CSS pixels."""
        self._image, self._viewport, self._is_new = image, viewport, True
        self.update()

    def clear(self, words: str) -> None:
        """Show no picture, but why."""
        self._image, self._words = QImage(), words
        self._act, self._pointer = None, None
        self.update()

    def mark(self, act: Act | None, pointer: tuple[QPointF, bool] | None) -> None:
        """Show where something is done."""
        self._act, self._pointer = act, pointer
        self.update()

    def outline(self, is_outlined: bool) -> None:
        """Show around the page that it is the person's."""
        self._is_outlined = is_outlined
        self.update()

    def point(self, is_pointing: bool) -> None:
        """Take the next press as pointing."""
        self._is_pointing = is_pointing
        self.setCursor(Qt.CursorShape.CrossCursor if is_pointing else Qt.CursorShape.ArrowCursor)

    def ring(self, at: QPointF | None) -> None:
        """Show which place of the viewport the person points at."""
        self._ring = at
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_meant = self._is_pointing or bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if is_meant and event.button() == Qt.MouseButton.LeftButton and self.holds(event.position()):
            self.point(False)
            self.pointed.emit(self.in_page(event.position()))
        else:
            super().mousePressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(640, 360)

    @property
    def target(self) -> QRectF:
        """Where the picture stands."""
        room = QRectF(self.rect()).adjusted(_MARGIN_PX, _MARGIN_PX, -_MARGIN_PX, -_MARGIN_PX)
        size = QSizeF(self._image.size()) / self.devicePixelRatioF()
        if size.width() > room.width() or size.height() > room.height():
            size.scale(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left = room.left() + (room.width() - size.width()) / 2
        return QRectF(QPointF(round(left), room.top()), size)

    def in_page(self, position: QPointF) -> QPointF:
        """The point of the viewport, in CSS pixels, that is shown at a position here."""
        target = self.target
        across = self._viewport.width() / max(target.width(), 1)
        down = self._viewport.height() / max(target.height(), 1)
        return QPointF((position.x() - target.x()) * across, (position.y() - target.y()) * down)

    def shown(self, point: QPointF) -> QPointF:
        """Where a point of the viewport is shown here."""
        target = self.target
        across = target.width() / max(self._viewport.width(), 1)
        down = target.height() / max(self._viewport.height(), 1)
        return QPointF(target.x() + point.x() * across, target.y() + point.y() * down)

    def holds(self, position: QPointF) -> bool:
        """Whether the page is shown at a position here."""
        return not self._image.isNull() and self.target.contains(position)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.roomed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.roomed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.roomed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("bg"))
        if self._image.isNull():
            painter.setPen(self._theme.color("text_secondary"))
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self._words)
        else:
            self._paint_page(painter)
        painter.end()
        if self._is_new:
            self._is_new = False
            self.painted.emit()

    def _paint_page(self, painter: QPainter) -> None:
        target = self.target
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(target, self._image)
        around, by = (QPen(self._theme.color("accent"), _OUTLINE_PX), 1.5) if self._is_outlined else (QPen(), 0.5)
        if not self._is_outlined:
            around.setColor(self._theme.color("border"))
        painter.setPen(around)
        painter.drawRect(target.adjusted(-by, -by, by, by))
        painter.setClipRect(target)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._act is not None and self._act.target is not None:
            box = self._act.target
            shown = QRectF(self.shown(box.topLeft()), self.shown(box.bottomRight())).adjusted(-3, -3, 3, 3)
            _outlined(painter, shown, self._theme.color(_ink(self._act)), self._theme.color("on_accent"))
        if self._pointer is not None:
            at, is_pressed = self._pointer
            radius = _PRESSED_PX if is_pressed else _POINTER_PX
            _ring(painter, self.shown(at), radius, self._theme.color("driving"), self._theme.color("on_accent"))
        if self._ring is not None:
            painter.setClipping(False)
            at = self.shown(self._ring)
            _ring(painter, at, _PRESSED_PX, self._theme.color("accent"), self._theme.color("on_accent"), is_open=True)


def _ink(act: Act) -> str:
    return act.tone if act.tone in ("driving", "ok", "warn", "error") else "text_secondary"


def _outlined(painter: QPainter, box: QRectF, color: QColor, edge: QColor) -> None:
    """A frame that is seen on any ground."""
    for pen in (QPen(edge, _FRAME_PX + 2), QPen(color, _FRAME_PX)):
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 4, 4)


def _ring(painter: QPainter, at: QPointF, radius: float, color: QColor, edge: QColor, *, is_open: bool = False) -> None:
    """A circle that is seen on any ground; an open one covers nothing of what it is around."""
    inner = QColor(color)
    inner.setAlpha(0 if is_open else 70)
    painter.setBrush(inner)
    painter.setPen(QPen(edge, 4))
    painter.drawEllipse(at, radius, radius)
    painter.setPen(QPen(color, 2))
    painter.drawEllipse(at, radius, radius)
