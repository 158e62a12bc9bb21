"""Asks for the name of a template."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from kapture_panel.window.command.forms.kept_values import MAX_NAME_CHARS
from kapture_panel.window.widgets.check_box import CheckBox
from kapture_panel.window.widgets.label import Label

_WIDTH_PX = 380
_KEEP_ALL = "Also keep typed text and code: anyone who can open your files can read them"


class TemplateDialog(QDialog):
    """Not blocking: `named` carries the name and whether everything is to be kept.

    Args:
        name: what it is called so far.
        taken: names that another template has.
        has_private: whether to offer to keep typed text and code, which is not done unasked.
    """

    named = Signal(str, bool)

    def __init__(self, parent: QWidget, title: str, name: str, taken: set[str], *, has_private: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._own_name = name
        self._taken = taken
        self.name = QLineEdit(name)
        self.name.setMaxLength(MAX_NAME_CHARS)
        self.name.setAccessibleName("Name of the template")
        self.name.selectAll()
        self.name.textChanged.connect(self._look)
        self.message = Label(kind="small")
        self.message.setWordWrap(True)
        self.keep_all = CheckBox()
        self.keep_all.setAccessibleName(_KEEP_ALL)
        said = Label(_KEEP_ALL)
        said.setWordWrap(True)
        said.setBuddy(self.keep_all)
        self._offer = QWidget()
        row = QHBoxLayout(self._offer)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.keep_all)
        row.addWidget(said, 1)
        self._offer.setVisible(has_private)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        for widget in (Label("Name"), self.name, self.message, self._offer):
            column.addWidget(widget)
        column.addSpacing(8)
        column.addWidget(self.buttons)
        self.setMinimumWidth(_WIDTH_PX)
        self.name.setFocus()
        self._look()

    def _look(self) -> None:
        name = self.name.text().strip()
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(bool(name))
        is_taken = name in self._taken and name != self._own_name
        self.message.setText(f"“{name}” exists already and will be replaced" if is_taken else "")
        self.message.setVisible(is_taken)

    def _on_accepted(self) -> None:
        self.named.emit(self.name.text().strip(), self.keep_all.isChecked())
        self.accept()
