"""The icon in the system's tray: what goes on, and the few things one does without the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from kapture_panel.window import plain
from kapture_panel.window.activity import Activity
from kapture_panel.window.app import app_icon
from kapture_panel.window.theme import Theme

_ICON_PX = 64
_DOT_SHARE = 0.44


class Tray(QObject):
    """Shown where the system has a tray; elsewhere it stays away and nothing else changes."""

    show_panel = Signal()
    start_browser = Signal()
    copy_config = Signal()
    quit = Signal()

    def __init__(self, theme: Theme, activity: Activity, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._activity = activity
        # Without a parent widget the menu must be kept here.
        self._menu = QMenu()
        actions = (
            ("Show panel", self.show_panel),
            ("Start browser", self.start_browser),
            ("Copy MCP config", self.copy_config),
            (None, None),
            ("Quit", self.quit),
        )
        for words, signal in actions:
            if words is None or signal is None:
                self._menu.addSeparator()
            else:
                self._menu.addAction(words).triggered.connect(signal)
        self._icon = QSystemTrayIcon(self)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._on_activated)
        activity.changed.connect(self._show_state)
        theme.changed.connect(self._show_state)
        self._show_state()

    @property
    def menu(self) -> QMenu:
        """The menu of the icon."""
        return self._menu

    @property
    def is_available(self) -> bool:
        """Whether there is a tray the window can hide in."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def tooltip(self) -> str:
        """The state in words."""
        return self._icon.toolTip()

    def show(self) -> None:
        """Put the icon in the tray, if there is one."""
        if self.is_available:
            self._icon.show()

    def hide(self) -> None:
        """Take the icon away."""
        self._icon.hide()

    def notify(self, title: str, text: str) -> None:
        """Have the desktop show a message."""
        if self._icon.isVisible():
            self._icon.showMessage(title, text, app_icon())

    def _show_state(self) -> None:
        drivers = self._activity.drivers()
        self._icon.setIcon(with_dot(app_icon(), self._theme.color("driving")) if drivers else app_icon())
        names = ", ".join(plain.line(client.name, 40) for client, _tab in drivers[:3])
        self._icon.setToolTip(f"Kapture Panel: driven by {names}" if drivers else "Kapture Panel")

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.show_panel.emit()


def with_dot(icon: QIcon, color: QColor) -> QIcon:
    """`icon` with a dot at its lower right."""
    pixmap = QPixmap(icon.pixmap(_ICON_PX, _ICON_PX))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = pixmap.width() * _DOT_SHARE
    spot = QRectF(pixmap.width() - side, pixmap.height() - side, side, side)
    # A ring is cut out around it, so that it stands off on any ground.
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(spot.adjusted(-side * 0.15, -side * 0.15, side * 0.15, side * 0.15))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setBrush(color)
    painter.drawEllipse(spot)
    painter.end()
    return QIcon(pixmap)
