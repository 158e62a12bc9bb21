"""Small fields that share a line."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget

from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import Label

_BETWEEN_PAIRS_PX = 16
_IN_PAIR_PX = 8
_BETWEEN_LINES_PX = 8
#: Between the line and a wide field before it, which is less apart from its own label.
_TOP_PX = 4


class FieldLine(QWidget):
    """Fields with their labels side by side, in further lines where one is too narrow.

    Args:
        label: of the first field; the form may have it before the line.
    """

    def __init__(self, label: Label, field: Field) -> None:
        super().__init__()
        self._flow = FlowLayout(_BETWEEN_PAIRS_PX, _BETWEEN_LINES_PX)
        _hold(self, self._flow, QSizePolicy.Policy.Preferred)
        self._label, self._field = label, field
        #: The first field, with its label if that is in the line.
        self.first = self.add(label, field)

    def add(self, label: Label, field: Field) -> QWidget:
        """Add a field with its label beside it or, where that is too narrow, above."""
        pair, flow = QWidget(), FlowLayout(_IN_PAIR_PX, 0)
        _hold(pair, flow, QSizePolicy.Policy.Maximum)
        for widget in (label, field):
            flow.addWidget(widget)
        self._flow.addWidget(pair)
        return pair

    def hold_label(self, is_held: bool) -> None:
        """Have the label of the first field in the line, or let go of it."""
        self.setContentsMargins(0, _TOP_PX if is_held else 0, 0, 0)
        flow = self.first.layout()
        assert flow is not None
        for widget in (self._label, self._field):
            flow.removeWidget(widget)
        for widget in (self._label, self._field) if is_held else (self._field,):
            flow.addWidget(widget)


def _hold(holder: QWidget, flow: FlowLayout, horizontal: QSizePolicy.Policy) -> None:
    """Let the lines of `flow` make `holder` as high as they are."""
    holder.setLayout(flow)
    policy = QSizePolicy(horizontal, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    holder.setSizePolicy(policy)
