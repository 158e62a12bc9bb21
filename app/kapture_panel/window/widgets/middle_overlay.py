"""A sheet in the middle under the toolbar: what is in it scrolls where it has no room, its foot stays in sight."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from kapture_panel.window.widgets.overlay import Overlay
from kapture_panel.window.widgets.theme import Theme

_SIZE_PX = QSize(560, 790)
_MARGIN_PX = 12
#: So much stays around what has the focus when it is scrolled to: its ring, and a sign that there is more.
_AROUND_PX = 12


class MiddleOverlay(Overlay):
    """No higher than what is in it. `body` is what scrolls, `foot` stands below it.

    Args:
        title: what stands at the top, beside the button that closes it.
    """

    def __init__(self, host: QWidget, name: str, title: str, theme: Theme) -> None:
        super().__init__(host, name)
        head = self._head = self.head(title, theme)
        inside = QWidget()
        inside.setProperty("kind", "page")
        self._inside = inside
        self.body = QVBoxLayout(inside)
        # The ring around a field needs its place.
        self.body.setContentsMargins(4, 0, 4, 0)
        self.body.setSpacing(6)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inside)
        inside.installEventFilter(self)
        self.foot = QVBoxLayout()
        self.foot.setContentsMargins(4, 0, 4, 0)
        self.foot.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN_PX - 4, 8, _MARGIN_PX - 4, _MARGIN_PX)
        column.setSpacing(6)
        head.setContentsMargins(4, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self.area, 1)
        column.addLayout(self.foot)

    def add_beside_title(self, widget: QWidget) -> None:
        """Put a widget between the title and the button that closes it."""
        self._head.insertWidget(1, widget)

    def wanted(self, room: QRect) -> QRect:
        """In the middle, under the toolbar."""
        most = _SIZE_PX.boundedTo(room.size())
        size = QSize(most.width(), min(self._needed_px(most.width()), most.height()))
        return QRect(QPoint(room.center().x() - size.width() // 2, room.top()), size)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)

    def _needed_px(self, width_px: int) -> int:
        """How high it is when nothing of it scrolls."""
        layout = self.layout()
        assert layout is not None
        margins, frame_px = layout.contentsMargins(), 2 * self.area.frameWidth()
        inner_px = width_px - margins.left() - margins.right() - 2 * self.frameWidth()
        # As long as there is a scroll bar the lines are shorter and may be more: it goes when all of those have room.
        bar = self.area.verticalScrollBar()
        bar_px = bar.width() if bar.isVisible() else 0
        body_px = self.body.totalHeightForWidth(inner_px - frame_px - bar_px)
        if body_px < 0:
            body_px = self.body.totalSizeHint().height()
        parts = [self._head.sizeHint().height(), body_px + frame_px]
        foot = self.foot
        parts.append(foot.heightForWidth(inner_px) if foot.hasHeightForWidth() else foot.sizeHint().height())
        gaps_px = layout.spacing() * (len(parts) - 1)
        return sum(parts) + gaps_px + margins.top() + margins.bottom() + 2 * self.frameWidth()

    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        super()._on_focus_changed(old, now)
        if now is not None and self.isVisible() and self.area.isAncestorOf(now):
            # Not ensureWidgetVisible: of a field it only asks for the text cursor.
            middle = now.mapTo(self._inside, now.rect().center())
            self.area.ensureVisible(middle.x(), middle.y(), 0, now.height() // 2 + _AROUND_PX)
