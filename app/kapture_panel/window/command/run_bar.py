"""The Run button with its time, Cancel, and the templates."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kapture_panel.window.command.entries import ENTRIES
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme, mark

#: Shorter work shows neither time nor Cancel: they would only flicker.
PATIENCE_MS = 300
_TICK_MS = 100
_MARGIN_PX = 16
#: What the button of the templates takes with its word.
_TEMPLATES_PX = 124
_RUN_WORDS = f"Run  {ENTRIES['run'].shown_keys}"
#: Where there is little room; the tooltip names the keys.
_SHORT_RUN_WORDS = "Run"


class RunBar(QWidget):
    """The Run button; while a command takes its time, how long and a Cancel."""

    run = Signal()
    cancel = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "run-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._started = 0.0
        self.run_button = QPushButton(_RUN_WORDS)
        self.run_button.setProperty("kind", "primary")
        self.run_button.setAccessibleName("Run the command")
        self.run_button.setToolTip("Run the command (Ctrl+Enter)")
        theme.tint(self.run_button, "mdi6.play", "on_accent", 17)
        self.run_button.clicked.connect(self.run)
        self.cancel_button = QPushButton("Cancel  Esc")
        self.cancel_button.setAccessibleName("Cancel the running command")
        self.cancel_button.clicked.connect(self.cancel)
        self.elapsed = Label(kind="secondary")
        self.templates_button = QPushButton("Templates")
        self.templates_button.setAccessibleName("Templates of the command")
        self.templates_button.setToolTip("Save the values in the form under a name, or fill them in again")
        theme.tint(self.templates_button, "mdi6.star-outline", "text")
        row = QHBoxLayout(self)
        row.setSpacing(8)
        row.addWidget(self.run_button)
        row.addWidget(self.cancel_button)
        row.addWidget(self.elapsed)
        row.addWidget(self.templates_button)
        row.addStretch()
        self._row = row
        self.indent(_MARGIN_PX)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def indent(self, left_px: int) -> None:
        """Begin under the fields of a form."""
        self._row.setContentsMargins(left_px, 6, _MARGIN_PX, 12)
        self._share_room()

    def show_edge(self, is_shown: bool) -> None:
        """Rule the bar off from a form that goes on behind it."""
        if bool(self.property("edge")) != is_shown:
            mark(self, edge=is_shown)

    @property
    def elapsed_ms(self) -> float:
        """Time since `begin`."""
        return (time.perf_counter() - self._started) * 1000

    def begin(self) -> None:
        """Show that a command is under way."""
        self._started = time.perf_counter()
        # From a button that is disabled or hidden Qt moves the focus far away, out of reach of Escape.
        if self._has_focus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.run_button.setEnabled(False)
        self.run_button.setText("Running …")
        self._clock.start()

    def end(self) -> None:
        """Show that it is over."""
        self._clock.stop()
        self.run_button.setEnabled(True)
        self.run_button.setText(_RUN_WORDS)
        if self._has_focus():
            self.run_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cancel_button.hide()
        self.elapsed.hide()
        self.templates_button.show()
        self._share_room()

    def _has_focus(self) -> bool:
        focused = self.window().focusWidget()
        return focused is self or self.isAncestorOf(focused)

    def _tick(self) -> None:
        if self.elapsed_ms >= PATIENCE_MS:
            self.elapsed.setText(figures.duration(self.elapsed_ms))
            self.elapsed.show()
            self.cancel_button.show()
            self.templates_button.hide()

    def _share_room(self) -> None:
        margins = self._row.contentsMargins()
        room = self.width() - margins.left() - margins.right() - self._row.spacing()
        if self.run_button.isEnabled():
            self.run_button.setText(_RUN_WORDS)
        is_roomy = room >= self.run_button.sizeHint().width() + _TEMPLATES_PX
        self.templates_button.setText("Templates" if is_roomy else "")
        both = self.run_button.sizeHint().width() + self.templates_button.sizeHint().width()
        if self.run_button.isEnabled() and room < both:
            self.run_button.setText(_SHORT_RUN_WORDS)
