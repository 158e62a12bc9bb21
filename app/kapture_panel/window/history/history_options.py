"""The menu of what is recorded beside rows, and of what can be forgotten."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from kapture_panel.core.basics.settings import RECORD_PICTURES, RECORD_TYPED, Settings
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.theme import Theme

_RECORD_TIP = (
    "Keeps a small picture of the page before and after each action, for a day. Pictures show what the page shows: "
    "passwords are dots there, card numbers and one-time codes can be read."
)
_TYPED_TIP = (
    "Keeps the text that is typed into fields, so that you can run rows again and export them whole. Of passwords, "
    "card numbers and one-time codes, only the length is ever kept."
)


class HistoryOptions(QMenu):
    """Opened by its `button`; `recording` stands beside it while pictures are recorded. The history's room fills
    `forget`; `told` carries a title, words and their tone."""

    told = Signal(str, str, str)

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self.button = icon_button(theme, "mdi6.dots-vertical", "History options", self._open)
        self.recording = QPushButton("● rec")
        self.recording.setProperty("kind", "flat-small")
        self.recording.setAccessibleName("Pictures are recorded; end that")
        self.recording.setToolTip(
            safe_text.tooltip("A picture is kept before and after each action. Press to end that")
        )
        self.recording.clicked.connect(self._stop_recording)
        self.recording.hide()
        self.setToolTipsVisible(True)
        self.record = self.addAction("Record pictures")
        self.record.setCheckable(True)
        self.record.setToolTip(safe_text.tooltip(_RECORD_TIP))
        self.record.toggled.connect(self._on_record)
        self.record_typed = self.addAction("Keep what is typed")
        self.record_typed.setCheckable(True)
        self.record_typed.setToolTip(safe_text.tooltip(_TYPED_TIP))
        self.record_typed.setChecked(self._is_on(RECORD_TYPED))
        self.record_typed.toggled.connect(lambda is_on: self._keep(RECORD_TYPED, self.record_typed, is_on))
        self.forget = QMenu("Forget", self)
        self.forget.setAccessibleName("Forget")
        self.addSeparator()
        self.addMenu(self.forget)
        self.record.setChecked(self._is_on(RECORD_PICTURES))

    def _open(self) -> None:
        self.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 2)))

    def _stop_recording(self) -> None:
        self.record.setChecked(False)

    def _is_on(self, name: str) -> bool:
        return self._settings.get(name, False) is True

    def _keep(self, name: str, shown: QAction, is_on: bool) -> None:
        """Keep a choice; one that cannot be kept does not hold, and is shown as it was."""
        if is_on == self._is_on(name):
            return
        try:
            self._settings.keep(name, is_on)
        except OSError as error:
            self.told.emit("The choice could not be saved", f"It stays as it was: {error.strerror}", "error")
            shown.setChecked(self._is_on(name))

    def _on_record(self, is_on: bool) -> None:
        self._keep(RECORD_PICTURES, self.record, is_on)
        is_on = self._is_on(RECORD_PICTURES)
        self.recording.setVisible(is_on)
        name = "History options; pictures are recorded" if is_on else "History options"
        self.button.setAccessibleName(name)
        self.button.setToolTip(safe_text.tooltip(name))
