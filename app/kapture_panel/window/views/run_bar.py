"""Run, what it takes, and the way back."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kapture_panel.window import figures
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.label import Label

#: Shorter work shows neither time nor Cancel: they would only flicker.
PATIENCE_MS = 300
_TICK_MS = 100
_MARGIN_PX = 16


class RunBar(QWidget):
    """The Run button; while a command takes its time, how long and a Cancel."""

    run = Signal()
    cancel = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._started = 0.0
        self.run_button = QPushButton("Run  Ctrl+Enter")
        self.run_button.setProperty("kind", "primary")
        self.run_button.setAccessibleName("Run the command")
        self.run_button.setToolTip("Run the command (Ctrl+Enter)")
        theme.tint(self.run_button, "mdi6.play", "on_accent", 17)
        self.run_button.clicked.connect(self.run)
        self.cancel_button = QPushButton("Cancel  Esc")
        self.cancel_button.setAccessibleName("Cancel the running command")
        self.cancel_button.clicked.connect(self.cancel)
        self.elapsed = Label(kind="secondary")
        row = QHBoxLayout(self)
        row.setSpacing(8)
        row.addWidget(self.run_button)
        row.addWidget(self.cancel_button)
        row.addWidget(self.elapsed)
        row.addStretch()
        self._row = row
        self.indent(_MARGIN_PX)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self.end()

    def indent(self, left_px: int) -> None:
        """Begin under the fields of a form."""
        self._row.setContentsMargins(left_px, 6, _MARGIN_PX, 12)

    @property
    def elapsed_ms(self) -> float:
        """Time since `begin`."""
        return (time.perf_counter() - self._started) * 1000

    def begin(self) -> None:
        """Show that a command is under way."""
        self._started = time.perf_counter()
        self.run_button.setEnabled(False)
        self.run_button.setText("Running …")
        self._clock.start()

    def end(self) -> None:
        """Show that it is over."""
        self._clock.stop()
        self.run_button.setEnabled(True)
        self.run_button.setText("Run  Ctrl+Enter")
        self.cancel_button.hide()
        self.elapsed.hide()

    def _tick(self) -> None:
        if self.elapsed_ms >= PATIENCE_MS:
            self.elapsed.setText(figures.duration(self.elapsed_ms))
            self.elapsed.show()
            self.cancel_button.show()
