"""A small picture with a word under it, which opens it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from kapture_panel.window.widgets.theme import Theme

_CAPTION_PX = 20
_MAX_WIDTH_PX = 360
_RATIO = 0.62


class HistoryPicture(QAbstractButton):
    """Takes the picture's shape once it is read.

    Args:
        caption: what it shows.
    """

    def __init__(self, caption: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._image = QImage()
        self._scaled = QImage()
        self._is_missing = False
        self.setText(caption)
        self.setAccessibleName(f"{caption}: open the picture")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMaximumWidth(_MAX_WIDTH_PX)

    @property
    def image(self) -> QImage:
        """The picture; null until it is read."""
        return self._image

    def show_image(self, image: QImage) -> None:
        """Show a picture that was read, or that there is none any more."""
        self._image, self._scaled = image, QImage()
        self._is_missing = image.isNull()
        self.setEnabled(not self._is_missing)
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        size = self._image.size()
        ratio = size.height() / size.width() if not size.isEmpty() else _RATIO
        return int(width * ratio) + _CAPTION_PX

    def sizeHint(self) -> QSize:
        return QSize(180, self.heightForWidth(180))

    def minimumSizeHint(self) -> QSize:
        return QSize(90, self.heightForWidth(90))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font(small=True))
        painter.setPen(self._theme.color("text_secondary"))
        caption = QRectF(0, 0, self.width(), _CAPTION_PX)
        painter.drawText(caption, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        room = QRectF(0.5, _CAPTION_PX + 0.5, self.width() - 1, self.height() - _CAPTION_PX - 1)
        painter.fillRect(room, self._theme.color("sunken"))
        if self._is_missing:
            painter.drawText(room.adjusted(8, 0, -8, 0), _CENTRED, "No longer kept")
        elif not self._image.isNull():
            painter.drawImage(room, self._fitting(room.size().toSize()))
        painter.setPen(QPen(self._theme.color("accent" if self.hasFocus() or self.underMouse() else "border"), 1))
        painter.drawRect(room)
        painter.end()

    def _fitting(self, size: QSize) -> QImage:
        """The picture at `size`, scaled with all its pixels."""
        wanted = size * self.devicePixelRatioF()
        if self._scaled.size() != wanted:
            aspect, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._scaled = self._image.scaled(wanted, aspect, smooth)
        return self._scaled


_CENTRED = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
