"""Where the focus goes on to by Tab, and when what has it goes."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.widgets import tab_order


class Row(QWidget):
    """Four buttons side by side."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons = [QPushButton(name) for name in "abcd"]
        row = QHBoxLayout(self)
        for button in self.buttons:
            row.addWidget(button)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        return tab_order.step([self], is_next)


def test_the_focus_goes_on_from_what_goes(qtbot: QtBot) -> None:
    row = Row()
    qtbot.addWidget(row)
    with qtbot.waitActive(row):
        row.show()
    _, second, third, fourth = row.buttons
    second.setFocus()
    second.hide()
    assert third.hasFocus()
    third.setEnabled(False)
    assert fourth.hasFocus()
