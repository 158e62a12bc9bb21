"""One accent ring around what has the focus, outside of it: the same for every widget of every window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from kapture_panel.window.widgets.theme import Theme

#: Between the ring and what it is around, and how thick it is.
_GAP_PX = 1
_WIDTH_PX = 2
#: The property of what lies over the rest of its window: its ring lies over it, the ring of what it covers does not.
LIES_OVER = "lies-over"


class Ring(QWidget):
    """Lies over a window and takes no click."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def go_around(self, widget: QWidget) -> None:
        """Stand around what is seen of `widget`; nothing is drawn where that is nothing."""
        seen = _seen(widget)
        if seen.isEmpty():
            self.hide()
            return
        outside = _GAP_PX + _WIDTH_PX
        around = seen.adjusted(-outside, -outside, outside, outside).intersected(_part(widget))
        if self.isVisible() and self.geometry() == around:
            return  # to do more would have the window paint again, and so on
        self.setGeometry(around)
        self.show()
        self._stack(widget)

    def _stack(self, widget: QWidget) -> None:
        """Lie over `widget`, and under what lies over that."""
        self.raise_()
        window, holder = widget.window(), widget
        while (parent := holder.parentWidget()) is not None and parent is not window:
            holder = parent
        parts = window.children()  # the lowest first
        above = (part for part in parts[parts.index(holder) + 1 :] if part.property(LIES_OVER))
        cover = next((part for part in above if isinstance(part, QWidget)), None)
        if cover is not None:
            self.stackUnder(cover)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), _WIDTH_PX))
        inset = _WIDTH_PX / 2
        radius = self._theme.px("radius") + _GAP_PX
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
        painter.end()


class FocusRing(QObject):
    """Follows the focus through the windows of the program as long as `host` lives.

    Whatever moves in a window makes it paint, so it is enough to look then.
    """

    def __init__(self, host: QWidget, theme: Theme) -> None:
        super().__init__(host)
        self._theme = theme
        self._window: QWidget | None = None
        QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]

    def release(self) -> None:
        """Follow no more."""
        QApplication.instance().focusChanged.disconnect(self._on_focus_changed)  # type: ignore[union-attr]
        self._leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            self._place()
        return super().eventFilter(watched, event)

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        window = now.window() if now is not None else None
        if window is not self._window:
            self._leave()
            if window is not None and window.windowType() != Qt.WindowType.Popup:  # the list of a choice
                self._window = window
                window.installEventFilter(self)
        self._place()

    def _leave(self) -> None:
        window, self._window = self._window, None
        if window is not None and isValid(window):
            window.removeEventFilter(self)
            for ring in _rings(window):
                ring.hide()

    def _place(self) -> None:
        focused, window = QApplication.focusWidget(), self._window
        if window is None or focused is None or not isValid(window) or focused.window() is not window:
            return
        rings = _rings(window)
        if focused is window:
            for ring in rings:
                ring.hide()
            return
        (rings[0] if rings else Ring(window, self._theme)).go_around(focused)


def _rings(window: QWidget) -> list[Ring]:
    return window.findChildren(Ring, options=Qt.FindChildOption.FindDirectChildrenOnly)


def _part(widget: QWidget) -> QRect:
    """The part of its window that a widget stands in: a ring over the next part, or over the title of this one, would
    look like that one's."""
    window, part, top = widget.window(), widget, 0
    while (parent := part.parentWidget()) is not None and parent is not window:
        beside = parent.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        titles = [one for one in beside if one is not part and one.isVisible() and one.property("kind") == "title-bar"]
        bottoms = [one.mapTo(window, one.rect().bottomLeft()).y() for one in titles]
        top = max([top, *(bottom + 1 for bottom in bottoms if bottom < widget.mapTo(window, QPoint()).y())])
        part = parent
    whole = part.geometry() if part is not window else window.rect()
    return whole.intersected(window.rect().adjusted(0, top, 0, 0))


def _seen(widget: QWidget) -> QRect:
    """What is seen of a widget, in its window: a list that is scrolled hides the rest."""
    window = widget.window()
    rect, parent = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size()), widget.parentWidget()
    while parent is not None and parent is not window:
        rect &= QRect(parent.mapTo(window, parent.rect().topLeft()), parent.size())
        parent = parent.parentWidget()
    return rect if widget.isVisible() else QRect()
