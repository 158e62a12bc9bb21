"""A row of joined buttons: one of them is chosen, or some of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QSizePolicy, QWidget

from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.theme import mark

_PADDING_PX = 16
_LINE_GAP_PX = 4


class Segments(QWidget):
    """Buttons side by side; arrow keys go along them.

    Args:
        labels: what the buttons say.
        is_exclusive: choosing one leaves the others.
        can_unset: pressing the chosen one again leaves it.
        can_wrap: where they are too wide together, some stand in a line below.
    """

    picked = Signal(int)

    def __init__(
        self,
        labels: Sequence[str],
        name: str,
        *,
        is_exclusive: bool = True,
        can_unset: bool = False,
        can_wrap: bool = False,
    ) -> None:
        super().__init__()
        self._is_exclusive = is_exclusive
        self._can_unset = can_unset
        self.setAccessibleName(name)
        row: QLayout
        if can_wrap:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)
            row = FlowLayout(0, _LINE_GAP_PX)
            self.setLayout(row)
        else:
            self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row = QHBoxLayout(self)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(0)
        self.buttons: list[QPushButton] = []
        for number, label in enumerate(labels):
            button = QPushButton(label)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {label}")
            button.installEventFilter(self)
            # The chosen one is bold, and must not push the others aside for it.
            bold = QFont(button.font())
            bold.setWeight(QFont.Weight.DemiBold)
            button.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(label) + _PADDING_PX)
            button.clicked.connect(lambda _checked, at=number: self._on_clicked(at))
            row.addWidget(button)
            self.buttons.append(button)
        self._place()
        self.setFocusProxy(self.buttons[0])

    @property
    def chosen(self) -> list[int]:
        """The numbers of the chosen buttons."""
        return [number for number, button in enumerate(self.buttons) if button.isChecked()]

    def choose(self, numbers: Sequence[int]) -> None:
        """Choose these and no others, telling nobody."""
        for number, button in enumerate(self.buttons):
            button.setChecked(number in numbers)

    def imply(self, number: int | None) -> None:
        """Mark the button that holds while none is chosen."""
        for at, button in enumerate(self.buttons):
            mark(button, implied=at == number)

    def show_only(self, numbers: Sequence[int]) -> None:
        """Hide the other buttons."""
        for number, button in enumerate(self.buttons):
            button.setVisible(number in numbers)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
            shown = [button for button in self.buttons if not button.isHidden()]
            if step is not None and watched in shown:
                at = next(number for number, button in enumerate(shown) if button is watched)
                shown[(at + step) % len(shown)].setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().eventFilter(watched, event)

    def _on_clicked(self, number: int) -> None:
        button = self.buttons[number]
        if self._is_exclusive:
            if not button.isChecked() and not self._can_unset:
                button.setChecked(True)
            elif button.isChecked():
                self.choose([number])
        self.picked.emit(number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Round the ends of each line."""
        lines: dict[int, list[QPushButton]] = {}
        for button in self.buttons:
            if not button.isHidden():
                lines.setdefault(button.y(), []).append(button)
        for line in lines.values():
            for button in line:
                place = "first" if button is line[0] else "last" if button is line[-1] else "middle"
                place = place if len(line) > 1 else "only"
                if button.property("segment") != place:
                    mark(button, segment=place)
