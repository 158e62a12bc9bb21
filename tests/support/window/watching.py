"""What is seen of a tab, and what is done in it."""

from __future__ import annotations

import time

from PySide6.QtGui import QColor, QImage

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history_row import Row


def picture(color: str = "#aa3300") -> QImage:
    """A page of one colour."""
    image = QImage(320, 180, QImage.Format.Format_RGB32)
    image.fill(QColor(color))
    return image


def row_of(tab: Tab, command: str = "fill", kind: str = "agent") -> Row:
    """A command that is under way."""
    return Row(
        id=0, at=time.time(), client="claude-code", kind=kind, tab_id=tab.tab_id, site="", url="", command=command,
        params={}, frame="m.1",
    )  # fmt: skip
