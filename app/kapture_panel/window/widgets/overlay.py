"""A sheet over the window: it blocks nothing, and the focus goes back to where it was."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QMainWindow, QToolBar, QWidget

from kapture_panel.window.widgets import tab_order
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.focus_ring import LIES_OVER
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme

_MARGIN_PX = 12
#: Sent to the host when a popup over it comes, goes or moves.
POPUP_MOVED = QEvent.Type(QEvent.registerEventType())


def bars_apart(host: QWidget) -> QRect:
    """The part of `host` between its toolbar, if it is a window with one, and its status bar."""
    room = host.rect()
    if isinstance(host, QMainWindow):
        own = host.findChildren(QToolBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        bars = [bar for bar in own if bar.isVisibleTo(host) and not bar.isFloating()]
        room.setTop(max((bar.mapTo(host, QPoint(0, bar.height())).y() for bar in bars), default=0))
        room.setBottom(room.bottom() - host.statusBar().height())
    return room


class Overlay(QFrame):
    """Shown inside `host`; Escape, or the focus going elsewhere, closes it.

    Args:
        name: what a screen reader says of it.
    """

    def __init__(self, host: QWidget, name: str) -> None:
        super().__init__(host)
        self._host = host
        self._before: QWidget | None = None
        self.setProperty("kind", "overlay")
        self.setProperty(LIES_OVER, True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
        self.hide()

    def first(self) -> QWidget:
        """The widget that gets the focus."""
        raise NotImplementedError

    def wanted(self, room: QRect) -> QRect:
        """Where to be in `room`, what is left of the host without its bars and margins."""
        raise NotImplementedError

    def head(self, title: str, theme: Theme) -> QHBoxLayout:
        """What stands at the top of a sheet: its title, and `close_button`."""
        self.close_button = icon_button(theme, "mdi6.close", f"Close {self.accessibleName()} (Esc)", self.dismiss)
        head = QHBoxLayout()
        head.addWidget(Label(title, kind="strong"), 1)
        head.addWidget(self.close_button)
        return head

    def open(self) -> None:
        """Show it and give it the focus; when it is open, close it."""
        if self.isVisible():
            self.dismiss()
            return
        self._before = QApplication.focusWidget()
        self.place()
        self.show()
        self.raise_()
        self.first().setFocus(Qt.FocusReason.PopupFocusReason)
        QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]

    def dismiss(self) -> None:
        """Hide it and give the focus back to what had it."""
        if self.isHidden():
            return
        before = self._before if self._has_focus() else None
        self._close()
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._host.installEventFilter(self)  # as long as it is in sight: a window has hundreds of events
        self._tell_host()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._host.removeEventFilter(self)
        self._tell_host()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_host()

    def _tell_host(self) -> None:
        QApplication.sendEvent(self._host, QEvent(POPUP_MOVED))

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab stays inside; what is behind is another place."""
        tab_order.step([self], is_next)
        return True

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self.place()
        return is_done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Go to where it wants to be now."""
        room = bars_apart(self._host)
        # Right under the bars: what is below shows no slice of itself, and they can be pressed.
        self.setGeometry(self.wanted(room.adjusted(_MARGIN_PX, 0, -_MARGIN_PX, -_MARGIN_PX)))

    def _has_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is None or focused is self or self.isAncestorOf(focused)

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        # None: another program is in front, or a menu is open.
        if now is not None and not self._has_focus() and now.window() is self.window():
            self._close()

    def _close(self) -> None:
        QApplication.instance().focusChanged.disconnect(self._on_focus_changed)  # type: ignore[union-attr]
        self._before = None
        self.hide()


class CornerOverlay(Overlay):
    """One at the lower right, above the status bar.

    Args:
        size: its width where there is room, and how high what is in it may make it, in pixels.
    """

    def __init__(self, host: QWidget, name: str, size: QSize) -> None:
        super().__init__(host, name)
        self._size = size

    def wanted(self, room: QRect) -> QRect:
        """At the lower right."""
        size = self._size.boundedTo(room.size())
        layout = self.layout()
        if layout is not None:
            layout.activate()
            needed = layout.heightForWidth(size.width()) if layout.hasHeightForWidth() else layout.sizeHint().height()
            size.setHeight(min(size.height(), needed))
        return QRect(room.bottomRight() - QPoint(size.width() - 1, size.height() - 1), size)
