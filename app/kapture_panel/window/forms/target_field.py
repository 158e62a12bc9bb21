"""The element a command is about: by selector, XPath, ref or position."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QStackedLayout, QWidget

from kapture_panel.window import plain
from kapture_panel.window.forms.field import Field, Schema
from kapture_panel.window.forms.number_edit import NumberEdit
from kapture_panel.window.forms.segments import Segments
from kapture_panel.window.views.flow_layout import FlowLayout
from kapture_panel.window.views.label import Label

_WAYS = ("selector", "xpath", "ref", "x, y")
_POSITION = 3
_EXAMPLES = {"selector": "#place-order", "xpath": "//button[.='Pay']", "ref": "e5"}

_LEAST_WIDTH_PX = 210


class TargetField(Field):
    """Exactly one way is read, the one whose button is chosen; each way keeps its own text."""

    def __init__(self, properties: dict[str, Schema], *, is_required: bool = False) -> None:
        super().__init__(tuple(properties), "Target", is_required=is_required)
        self._ways = Segments(_WAYS, "Target by")
        self._ways.choose([0])
        self._ways.picked.connect(self._on_way)
        self._edits = {way: QLineEdit() for way in _WAYS[:_POSITION]}
        self._x = NumberEdit(properties["x"], "Target x")
        self._y = NumberEdit(properties["y"], "Target y")
        self._stack = QStackedLayout()
        self._stack.setContentsMargins(0, 0, 0, 0)
        for number, (way, edit) in enumerate(self._edits.items()):
            self._ways.buttons[number].setToolTip(plain.tooltip(properties[way]["description"]))
            edit.setProperty("mono", True)
            edit.setAccessibleName(f"Target {way}")
            edit.setPlaceholderText(f"like {_EXAMPLES[way]}")
            self._stack.addWidget(edit)
        self._ways.buttons[_POSITION].setToolTip("CSS pixels from the upper left corner of the viewport")
        self._stack.addWidget(self._position())
        for line in (*self._edits.values(), self._x, self._y):
            line.textEdited.connect(lambda _text: self.edited.emit())
        values = QWidget()
        values.setLayout(self._stack)
        values.setMinimumWidth(_LEAST_WIDTH_PX)
        values.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        flow = FlowLayout(8, 6)
        flow.addWidget(self._ways)
        flow.addWidget(values)
        box = QWidget()
        box.setLayout(flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        box.setSizePolicy(policy)
        self._hold(box)
        self.setFocusProxy(self._edits["selector"])

    def read(self) -> dict[str, Any]:
        way = self._ways.chosen[0]
        if way == _POSITION:
            values = {"x": self._x.value(), "y": self._y.value()}
            return {name: value for name, value in values.items() if value is not None}
        text = self._edits[_WAYS[way]].text()
        return {_WAYS[way]: text} if text else {}

    def write(self, params: dict[str, Any]) -> None:
        for way, edit in self._edits.items():
            value = params.get(way)
            edit.setText(value if isinstance(value, str) else "")
        self._x.show_value(params.get("x"))
        self._y.show_value(params.get("y"))
        given = [number for number, way in enumerate(_WAYS[:_POSITION]) if way in params]
        if "x" in params or "y" in params:
            given.append(_POSITION)
        self._show(given[0] if given else self._ways.chosen[0])

    def _position(self) -> QWidget:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for name, edit in (("x", self._x), ("y", self._y)):
            edit.setFixedWidth(84)
            row.addWidget(Label(name, kind="secondary"))
            row.addWidget(edit)
        row.addStretch()
        box = QWidget()
        box.setLayout(row)
        return box

    def _show(self, way: int) -> None:
        self._ways.choose([way])
        self._stack.setCurrentIndex(way)
        self.setFocusProxy(self._x if way == _POSITION else self._edits[_WAYS[way]])

    def _on_way(self, way: int) -> None:
        self._show(way)
        self.edited.emit()

    def _marked(self) -> list[QWidget]:
        return [*self._edits.values(), self._x, self._y]
