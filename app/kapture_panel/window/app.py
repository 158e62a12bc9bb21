"""The Qt application, before there is a window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from kapture_panel import __version__, paths

ICON_SIZES_PX = (16, 32, 48, 128, 256)


def app_icon() -> QIcon:
    """The program's icon in every size it was drawn for."""
    icon = QIcon()
    for size_px in ICON_SIZES_PX:
        icon.addFile(str(paths.resources() / "icons" / f"kapture-{size_px}.png"))
    return icon


def make_application(argv: list[str]) -> QApplication:
    """The one QApplication: its name, icon and style; it lives on in the tray without a window."""
    QCoreApplication.setApplicationName("kapture-panel")
    QCoreApplication.setApplicationVersion(__version__)
    QGuiApplication.setApplicationDisplayName("Kapture Panel")
    QGuiApplication.setDesktopFileName("kapture-panel")
    app = QApplication(argv)
    app.setStyle("Fusion")
    app.setWindowIcon(app_icon())
    app.setQuitOnLastWindowClosed(False)
    return app
