"""The toolbar's way into the palette: looks like the field it opens."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.entries import Entry
from kapture_panel.window.widgets.label import ElidedLabel, Label

_WIDTH_PX = 360
_LEAST_PX = 128
_KEYS_PX = 17
#: Margins with the frame, and the gap between words and shortcut.
_AROUND_PX, _GAP_PX = 18, 6
#: What it says where there is less room.
_SHORTER = ("Find a command", "Find …")


class FinderButton(QPushButton):
    """The words and the shortcut of an entry; it gives way where there is little room."""

    def __init__(self, one: Entry) -> None:
        super().__init__()
        self.setProperty("kind", "finder")
        self.setAccessibleName(one.title)
        self.setToolTip(safe_text.tooltip(f"{one.title} ({one.shown_keys})"))
        self._hints = (one.title, *_SHORTER)
        self.words = words = ElidedLabel(kind="secondary")
        words.show_line(one.title)
        self._keys = keys = Label(one.shown_keys, kind="keys")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 6, 0)
        row.setSpacing(_GAP_PX)
        row.addWidget(words, 1)
        row.addWidget(keys, 0, Qt.AlignmentFlag.AlignVCenter)
        keys.setFixedHeight(_KEYS_PX)
        self.setMaximumWidth(_WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for label in (words, keys):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for: the shortcut goes before the words."""
        super().resizeEvent(event)
        room_px, keys_px = self.width() - _AROUND_PX, self._keys.sizeHint().width()
        metrics = self.words.fontMetrics()
        words = next((one for one in self._hints if metrics.horizontalAdvance(one) <= room_px), "")
        self._keys.setVisible(metrics.horizontalAdvance(words) + _GAP_PX + keys_px <= room_px)
        self.words.show_line(words)

    def sizeHint(self) -> QSize:
        return QSize(_LEAST_PX, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_PX, super().minimumSizeHint().height())
