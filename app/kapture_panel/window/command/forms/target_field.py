"""The element a command is about: by selector, XPath, ref or position."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedLayout, QWidget

from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.core.wire.results import Candidate, Picked
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.command.forms.match_edit import MatchEdit
from kapture_panel.window.command.forms.number_edit import NumberEdit
from kapture_panel.window.command.forms.picks_list import PicksList, matches
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.segments import Segments

_WAYS = ("selector", "xpath", "ref", "x, y")
_POSITION = 3
_ASKS = ("Enter a selector", "Enter an XPath", "Enter a ref", "Enter x and y")
_EXAMPLES = {"selector": "#place-order", "xpath": "//button[.='Pay']", "ref": "e5"}

_LEAST_WIDTH_PX = 230

_PICK_WORDS = "Pick"
_PICKING_WORDS = "Picking …"
_HOW = "Click an element in the page; Esc ends it."
_LEFT = "The page went elsewhere; pick again."
_OUT_OF_REACH = "It lies inside a frame of another site that cannot be named from here: use a snapshot's ref."


class TargetField(Field):
    """Exactly one way is read, the one whose button is chosen; each way keeps its own text.

    `pick_asked` tells that the person pressed Pick: to begin choosing in the page, or to end it. `selector_typed`
    tells that the selector is being typed: how many elements it matches can be shown with `show_matches`.
    """

    pick_asked = Signal()
    selector_typed = Signal()

    def __init__(self, properties: dict[str, Schema], *, is_required: bool = False) -> None:
        super().__init__(tuple(properties), "Target", is_required=is_required)
        self._ways = Segments(_WAYS, "Target by")
        self._ways.choose([0])
        self._ways.picked.connect(self._on_way)
        self._edits = {way: MatchEdit() for way in _WAYS[:_POSITION]}
        self._x = NumberEdit(properties["x"], "Target x")
        self._y = NumberEdit(properties["y"], "Target y")
        values = self._values({way: properties[way]["description"] for way in self._edits})
        for line in (*self._edits.values(), self._x, self._y):
            line.textEdited.connect(self._on_typed)
        self._edits["selector"].textEdited.connect(lambda _text: self.selector_typed.emit())
        self.pick_button = QPushButton(_PICK_WORDS)
        self.pick_button.setCheckable(True)
        self.pick_button.setAccessibleName("Pick an element in the page")
        self.pick_button.setToolTip("Click an element in the page to fill in the target")
        self.pick_button.clicked.connect(self._on_pick_clicked)
        self._hold(self._flow(values))
        self.note = Label(kind="small")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(0, 4, 0, 4)
        self.note.hide()
        self.picks = PicksList()
        self.picks.chosen.connect(self._on_candidate)
        self.picks.closed.connect(self.close_picks)
        self.picks.hide()
        for widget in (self.note, self.picks):
            self._column.insertWidget(self._column.count() - 1, widget)
        self.setFocusProxy(self._edits["selector"])

    def _values(self, descriptions: dict[str, str]) -> QWidget:
        """What is entered for each way, the chosen one in sight."""
        values = QWidget()
        # A stack shows its first part at once; without a parent that would be a window, and take the focus.
        self._stack = QStackedLayout(values)
        self._stack.setContentsMargins(0, 0, 0, 0)
        for number, (way, edit) in enumerate(self._edits.items()):
            self._ways.buttons[number].setToolTip(safe_text.tooltip(descriptions[way]))
            edit.setProperty("mono", True)
            edit.setAccessibleName(f"Target {way}")
            edit.setPlaceholderText(f"like {_EXAMPLES[way]}")
            self._stack.addWidget(edit)
        self._ways.buttons[_POSITION].setToolTip("CSS pixels from the upper left corner of the viewport")
        self._stack.addWidget(self._position())
        return values

    def _flow(self, values: QWidget) -> QWidget:
        """The ways, with the values and Pick beside them or, where that is too narrow, below."""
        right = QWidget()
        right.setMinimumWidth(_LEAST_WIDTH_PX)
        right.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line_row = QHBoxLayout(right)
        line_row.setContentsMargins(0, 0, 0, 0)
        line_row.setSpacing(8)
        line_row.addWidget(values, 1)
        line_row.addWidget(self.pick_button)
        flow = FlowLayout(8, 6)
        flow.addWidget(self._ways)
        flow.addWidget(right)
        box = QWidget()
        box.setLayout(flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        box.setSizePolicy(policy)
        return box

    @property
    def asks(self) -> str:
        return f"{_ASKS[self._ways.chosen[0]]}, or press Pick and click the element in the page"

    def read(self) -> Params:
        way = self._ways.chosen[0]
        if way == _POSITION:
            values = {"x": self._x.value(), "y": self._y.value()}
            return {name: value for name, value in values.items() if value is not None}
        text = self._edits[_WAYS[way]].text()
        return {_WAYS[way]: text} if text else {}

    def write(self, params: Params) -> None:
        for way, edit in self._edits.items():
            value = params.get(way)
            edit.setText(value if isinstance(value, str) else "")
        self._x.show_value(params.get("x"))
        self._y.show_value(params.get("y"))
        given = [number for number, way in enumerate(_WAYS[:_POSITION]) if way in params]
        if "x" in params or "y" in params:
            given.append(_POSITION)
        self._show(given[0] if given else self._ways.chosen[0])

    def show_picking(self, is_picking: bool) -> None:
        """Say that the page waits for a click, or no more."""
        self.close_picks()
        self.pick_button.setChecked(is_picking)
        self.pick_button.setText(_PICKING_WORDS if is_picking else _PICK_WORDS)
        self._say(_HOW if is_picking else "")

    def show_picked(self, picked: Picked) -> None:
        """Fill in the best name of the element that was chosen and offer the others, or say why there is none."""
        element = picked.element
        if element is None:
            self._say(_LEFT if picked.ended == "left" else "")
        elif not picked.candidates:
            self._say(_OUT_OF_REACH)
        else:
            name = f" “{safe_text.line(element.name, 60)}”" if element.name else ""
            self._say(f"{safe_text.line(element.role or element.tag, 40)}{name} can be named in these ways:")
            self.picks.show()
            self.picks.show_candidates(picked.candidates)

    def show_matches(self, number: int) -> None:
        """Say beside the selector how many elements it matches."""
        words = f"{figures.number(number)} matches" if number > 1 else "1 match" if number else "no match"
        self._edits["selector"].say(words, "ok-text" if number == 1 else "warn-text")

    def close_picks(self) -> None:
        """Take the other names away."""
        if self.is_offering:
            had_focus = self.picks.hasFocus()
            self.picks.hide()
            self._say("")
            if had_focus:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def forget_picked(self) -> None:
        """The page is not the one that was picked in any more: what it said of the target does not hold."""
        self.close_picks()
        for edit in self._edits.values():
            edit.say("")

    @property
    def is_offering(self) -> bool:
        """Whether other names are offered."""
        return not self.picks.isHidden()

    def put_position(self, x: float, y: float) -> None:
        """Aim at a point of the viewport, in whole CSS pixels."""
        self.close_picks()
        self.write({"x": round(x), "y": round(y)})
        self.edited.emit()

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _on_pick_clicked(self, is_checked: bool) -> None:
        # What is shown follows what happens, not the click.
        self.pick_button.setChecked(not is_checked)
        self.pick_asked.emit()

    def _on_candidate(self, candidate: Candidate) -> None:
        self.write({candidate.way: candidate.value})
        tone = "ok-text" if candidate.matches == 1 else "warn-text"
        line = self._edits[candidate.way]
        line.setCursorPosition(0)
        line.say(matches(candidate), tone)
        self.edited.emit()

    def _on_typed(self) -> None:
        self.close_picks()
        self.edited.emit()

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
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()

    def _marked(self) -> list[QWidget]:
        return [*self._edits.values(), self._x, self._y]
