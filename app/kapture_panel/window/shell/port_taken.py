"""The window that is shown instead of the panel's while another program has its port."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label

_WIDTH_PX = 520
_LAST_PORT = 65_535


class PortTaken(QWidget):
    """Says who has the port, and lets the person try it again or choose another one.

    `chosen` carries a port that is free now; None when the person gives up.

    Args:
        port: the one that is wanted.
        why: who has it.
        proposed: another one that is free.
        check: raises a KaptureError for a port that is taken, naming who has it.
    """

    chosen = Signal(object)

    def __init__(self, port: int, why: str, proposed: int, check: Callable[[int], None]) -> None:
        super().__init__()
        self._port = port
        self._check = check
        self._is_over = False
        self.setProperty("kind", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle("Kapture Panel")
        self.setFixedWidth(_WIDTH_PX)
        self.why = Label()
        self.why.setWordWrap(True)
        what = Label(
            "End that program and try again, or choose another port. The panel's own browser finds the new port. "
            f"A browser that you paired still looks for the panel at {port}: unpair it in its popup, then pair again.",
            kind="secondary",
        )
        what.setWordWrap(True)
        self.edit = QLineEdit(str(proposed))
        self.edit.setValidator(QIntValidator(1, _LAST_PORT, self))
        self.edit.setFixedWidth(80)
        self.edit.setAccessibleName("Another port")
        self.edit.returnPressed.connect(self._on_other)
        self.other = _button("Use this port", self._on_other)
        self.again = _button("Try again", lambda: self._try(self._port))
        self.again.setProperty("kind", "primary")
        self.quit = _button("Quit", self.close)
        first, second = QHBoxLayout(), QHBoxLayout()
        for widget in (Label("Another port"), self.edit, self.other):
            first.addWidget(widget)
        first.addStretch(1)
        second.addWidget(self.again)
        second.addStretch(1)
        second.addWidget(self.quit)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addWidget(Label(f"Port {port} is taken", kind="headline"))
        for part in (self.why, what):
            column.addWidget(part)
        column.addLayout(first)
        column.addLayout(second)
        self._say(why)
        self.again.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._end(None)
        super().closeEvent(event)

    def _on_other(self) -> None:
        if self.edit.hasAcceptableInput():
            self._try(int(self.edit.text()))

    def _try(self, port: int) -> None:
        try:
            self._check(port)
        except KaptureError as error:
            self._say(error.what)
        except OSError as error:
            self._say(f"the panel is not allowed to use port {port}: {error.strerror}")
        else:
            self._end(port)
            self.close()

    def _say(self, why: str) -> None:
        words = safe_text.line(why, 400)
        self.why.setText(f"{words[:1].upper()}{words[1:]}.")
        self.setAccessibleName(self.why.text())

    def _end(self, port: int | None) -> None:
        if not self._is_over:
            self._is_over = True
            self.chosen.emit(port)


def _button(words: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(words)
    button.setAccessibleName(words)
    button.clicked.connect(lambda: act())
    return button
