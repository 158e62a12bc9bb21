"""Where the window and its docks were, kept in the settings."""

from __future__ import annotations

import base64
import binascii

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from kapture_panel.core.basics.settings import Settings

#: Goes up when docks are added or renamed, so that an old layout is not half restored.
VERSION = 2
DEFAULT_SIZE = QSize(1440, 900)
#: So much a desktop may put around a window; Qt knows it only once the window is shown.
_FRAME = QSize(16, 48)
#: So much of a window's upper edge must be on a screen that a person can take hold of it.
_GRIP = QSize(120, 24)


def save(window: QMainWindow, settings: Settings, docks: QByteArray | None = None) -> None:
    """Keep geometry and docks.

    Args:
        docks: kept in place of how the docks are now, which is only for a while.
    """
    settings.set("window.geometry", _pack(window.saveGeometry()))
    settings.set("window.state", _pack(window.saveState(VERSION) if docks is None else docks))


def restore(window: QMainWindow, settings: Settings) -> bool:
    """Bring back what was kept, on a screen that is there.

    Returns:
        Whether the docks came back; if not they are as they were.
    """
    geometry, state = (_unpack(settings.get(f"window.{name}", "")) for name in ("geometry", "state"))
    if geometry.isEmpty() or not window.restoreGeometry(geometry):
        window.resize(DEFAULT_SIZE.boundedTo(_screens()[0].size() - _FRAME))
    is_restored = not state.isEmpty() and window.restoreState(state, VERSION)
    bring_back(window)
    for dock in window.findChildren(QDockWidget):
        if dock.isFloating():
            bring_back(dock)
    return is_restored


def bring_back(window: QWidget) -> None:
    """Move a top-level window whose upper edge is on no screen onto the first one; too large a one is made to fit."""
    if window.windowState() & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
        return  # the system's own doing
    frame = window.frameGeometry()
    grip = QRect(frame.topLeft(), QSize(frame.width(), _GRIP.height()))
    screens = _screens()
    for screen in screens:
        seen = screen.intersected(grip)
        if seen.width() >= min(_GRIP.width(), frame.width()) and seen.height() >= _GRIP.height() // 2:
            if not _exceeds(frame.size(), screen.size()):
                return
            break
    else:
        screen = screens[0]
    borders = frame.size() - window.size()
    size = frame.size().boundedTo(screen.size())
    window.resize(size - borders)
    window.move(screen.topLeft() + QPoint((screen.width() - size.width()) // 2, (screen.height() - size.height()) // 2))


def _exceeds(size: QSize, room: QSize) -> bool:
    return size.width() > room.width() or size.height() > room.height()


def _screens() -> list[QRect]:
    first = QGuiApplication.primaryScreen()
    others = [screen for screen in QGuiApplication.screens() if screen is not first]
    return [screen.availableGeometry() for screen in [first, *others]]


def _pack(data: QByteArray) -> str:
    return base64.b64encode(bytes(data.data())).decode()


def _unpack(text: object) -> QByteArray:
    try:
        return QByteArray(base64.b64decode(str(text), validate=True))
    except (binascii.Error, ValueError):
        return QByteArray()
