"""One row of a field that is built from rows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import Theme

_NUMBER_PX = 22
_LABEL_HEIGHT_PX = 26


class Row(QWidget):
    """Edits one item of a list, beside its number and the buttons that move it up and take it away, and below them."""

    edited = Signal()
    raise_asked = Signal(object)
    remove_asked = Signal(object)
    #: As a target's; they carry the target.
    pick_asked = Signal(object)
    selector_typed = Signal(object)

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self._number = Label(kind="secondary")
        self._number.setFixedSize(_NUMBER_PX, _LABEL_HEIGHT_PX)
        self.content = QVBoxLayout()
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(4)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._number, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(self.content, 1)
        head.addLayout(self._buttons)
        head.setAlignment(self._buttons, Qt.AlignmentFlag.AlignTop)
        self.below = QVBoxLayout(self)
        self.below.setContentsMargins(0, 0, 0, 6)
        self.below.setSpacing(4)
        self.below.addLayout(head)
        self._up: QToolButton | None = None

    def read(self) -> JsonObject:
        """The item as it stands; what was left alone is missing."""
        raise NotImplementedError

    def write(self, item: JsonObject) -> None:
        """Show an item."""
        raise NotImplementedError

    def open_emptied(self, item: JsonObject) -> QWidget | None:
        """Show what was kept of an item.

        Returns:
            What asks for a value that was not kept, if anything does.
        """
        raise NotImplementedError

    @property
    def targets(self) -> list[TargetField]:
        """Its fields that name a place in the page."""
        return []

    def set_narrow(self, is_narrow: bool) -> None:
        """Make do with less width, or take the usual one."""

    def wear(self, theme: Theme) -> None:
        """Take the icons and colours of a theme."""
        if self._up is None:
            self._up = icon_button(theme, "mdi6.arrow-up", f"Move {self.title} up", lambda: self.raise_asked.emit(self))
            remove = icon_button(theme, "mdi6.close", f"Remove {self.title}", lambda: self.remove_asked.emit(self))
            self._buttons.addWidget(self._up)
            self._buttons.addWidget(remove)

    def place(self, number: int) -> None:
        """Say which row it is, from 0 on; the first cannot go further up."""
        self._number.setText(f"{number + 1}.")
        if self._up is not None:
            self._up.setEnabled(number > 0)

    def _listen(self, target: TargetField) -> None:
        target.pick_asked.connect(lambda: self.pick_asked.emit(target))
        target.selector_typed.connect(lambda: self.selector_typed.emit(target))
