"""The Qt application, before there is a window."""

from __future__ import annotations

import logging

from PySide6.QtCore import QCoreApplication, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from kapture_panel import __version__, paths

log = logging.getLogger(__name__)

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
}
ICON_SIZES_PX = (16, 32, 48, 128, 256)


def app_icon() -> QIcon:
    """The program's icon in every size it was drawn for."""
    icon = QIcon()
    for size_px in ICON_SIZES_PX:
        icon.addFile(str(paths.resources() / "icons" / f"kapture-{size_px}.png"))
    return icon


def _to_log(kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
    log.log(_LEVELS.get(kind, logging.ERROR), "%s", message)


def make_application(argv: list[str]) -> QApplication:
    """The one QApplication: its name, icon and style; it lives on in the tray without a window.

    What Qt has to say goes to the log, not to the terminal.
    """
    qInstallMessageHandler(_to_log)
    QCoreApplication.setApplicationName("kapture-panel")
    QCoreApplication.setApplicationVersion(__version__)
    QGuiApplication.setApplicationDisplayName("Kapture Panel")
    QGuiApplication.setDesktopFileName("kapture-panel")
    app = QApplication(argv)
    app.setStyle("Fusion")
    app.setWindowIcon(app_icon())
    app.setQuitOnLastWindowClosed(False)
    return app
