"""Every link from the agent's program to the page, tried while one looks, each with what to do about it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kapture_panel.core.doctor import Check
from kapture_panel.window.doctor.doctor_model import DoctorModel
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.buttons import text_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.overlay import CornerOverlay
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.rows_list import RowsList
from kapture_panel.window.widgets.theme import Theme

_SIZE_PX = QSize(460, 700)


class DoctorView(CornerOverlay):
    """`run_asked` comes when it opens and with "Run again"; whoever runs the doctor calls `begin`, `take` and `end`.
    `judged` carries what was found, in a few words, and their tone; `copied` the report.
    """

    run_asked = Signal()
    judged = Signal(str, str)
    copied = Signal(str)

    def __init__(self, host: QWidget, theme: Theme) -> None:
        super().__init__(host, "Doctor", _SIZE_PX)
        self._is_running = False
        head = self.head("Doctor", theme)
        self.model = DoctorModel(self)
        self.list = RowsList(self.model, theme, "Links, from the agent's program to the page")
        self.list.selectionModel().currentChanged.connect(self._show)
        self.model.dataChanged.connect(lambda *_: self._show(self.list.currentIndex()))
        self.whole = Label()
        self.whole.setWordWrap(True)
        self.whole.setMinimumHeight(2 * self.whole.fontMetrics().lineSpacing())
        self.whole.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.again = text_button(theme, "mdi6.refresh", "Run again", self.run_asked.emit)
        self.copy = text_button(theme, "mdi6.content-copy", "Copy report", lambda: self.copied.emit(self.model.report))
        self.said = Label(kind="secondary")
        row = QHBoxLayout()
        row.addWidget(self.said, 1)
        row.addWidget(self.copy)
        row.addWidget(self.again)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addSpacing(2)
        column.addWidget(self.whole)
        column.addLayout(row)

    def first(self) -> QWidget:
        """The list."""
        return self.list

    def open(self) -> None:
        """Show it and have everything tried."""
        if self.isHidden() and not self._is_running:
            self.run_asked.emit()
        super().open()

    def begin(self) -> None:
        """The doctor begins."""
        self._is_running = True
        self.model.begin()
        self.again.setEnabled(False)
        self.copy.setEnabled(False)
        self.said.setText("Checking …")
        self.judged.emit("checking …", "")

    def take(self, check: Check) -> None:
        """A link was tried."""
        self.model.take(check)

    def end(self) -> None:
        """The doctor is done, or was ended."""
        self._is_running = False
        self.model.end()
        self.again.setEnabled(True)
        self.copy.setEnabled(True)
        self.said.setText("Nothing is broken" if self.model.is_well else self.model.verdict[0])
        self.list.setCurrentIndex(self.model.index(self.model.row_to_look_at()))
        self.judged.emit(*self.model.verdict)

    def _show(self, index: QModelIndex) -> None:
        check: Check | None = index.data(ITEM)
        words = f"{check.words}\n→ {check.fix}" if check and check.fix else check.words if check else ""
        self.whole.setText(safe_text.text(f"{words[:1].upper()}{words[1:]}"))
