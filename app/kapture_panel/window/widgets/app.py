"""The Qt application, before there is a window."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from kapture_panel import __version__, paths
from kapture_panel.window.widgets.garbage import Garbage

log = logging.getLogger(__name__)

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
}
#: The plug-in that tells Qt what the desktop wants.
_THEME = "QT_QPA_PLATFORMTHEME"
ICON_SIZES_PX = (16, 32, 48, 128, 256)


class Application(QApplication):
    """Hands its end to whoever takes care of it.

    `on_quit` is called in place of what Qt does; None lets Qt. An event filter would do, too, but it would take every
    event of every widget through Python, a quarter of the window's time.

    `garbage` collects Python's cycles. `save_folder` is where the person saved last, in whatever window;
    `save_folder_changed` tells of another.
    """

    save_folder_changed = Signal(object)

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        self.garbage = Garbage(self)
        self.on_quit: Callable[[], None] | None = None
        self.save_folder: Path | None = None

    def set_save_folder(self, folder: Path) -> None:
        """Begin there the next time something is saved."""
        self.save_folder = folder
        self.save_folder_changed.emit(folder)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Quit and self.on_quit is not None:
            self.on_quit()
            return True
        return super().event(event)


def app_icon() -> QIcon:
    """The program's icon in every size it was drawn for."""
    icon = QIcon()
    for size_px in ICON_SIZES_PX:
        icon.addFile(str(paths.resources() / "icons" / f"kapture-{size_px}.png"))
    return icon


def _to_log(kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
    log.log(_LEVELS.get(kind, logging.ERROR), "%s", message)


@contextmanager
def _portal_theme() -> Iterator[None]:
    """Under GNOME, have Qt ask the desktop's portal for light and dark.

    Qt's own theme for GNOME hears of the choice, but late, and may show the one before (Qt 6.11).
    """
    if "GNOME" not in os.environ.get("XDG_CURRENT_DESKTOP", "").split(":") or _THEME in os.environ:
        yield
        return
    os.environ[_THEME] = "xdgdesktopportal"
    try:
        yield
    finally:
        del os.environ[_THEME]


def make_application(argv: list[str]) -> Application:
    """The one application: its name, icon and style; it lives on in the tray without a window.

    What Qt has to say goes to the log, not to the terminal.
    """
    qInstallMessageHandler(_to_log)
    QCoreApplication.setApplicationName("kapture-panel")
    QCoreApplication.setApplicationVersion(__version__)
    QGuiApplication.setApplicationDisplayName("Kapture Panel")
    QGuiApplication.setDesktopFileName("kapture-panel")
    with _portal_theme():
        app = Application(argv)
    app.setStyle("Fusion")
    app.setWindowIcon(app_icon())
    app.setQuitOnLastWindowClosed(False)
    return app
