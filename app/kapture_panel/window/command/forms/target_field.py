"""An element a command is about, or where something is dropped: by selector, XPath, ref or position."""

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
from kapture_panel.window.widgets.theme import Theme

_WAYS = ("selector", "xpath", "ref", "x, y")
_POSITION = 3
_ASKS = ("Enter a selector", "Enter an XPath", "Enter a ref", "Enter x and y")
_EXAMPLES = {"selector": "#place-order", "xpath": "//button[.='Pay']", "ref": "e5"}

_LEAST_WIDTH_PX, _NARROW_WIDTH_PX = 230, 160
_NUMBER_LEAST_PX, _NUMBER_PX = 44, 84
#: What the numbers get before the space behind them.
_FIRST = 1000

_PICK_WORDS = "Pick"
_PICKING_WORDS = "Picking …"
_HOW = "Click an element in the page. Esc stops picking."
_LEFT = "The page has changed. Pick again."
_OUT_OF_REACH = "The element is in a frame of another site, which no selector reaches. Use a ref from a snapshot."


def parameter(prefix: str, way: str) -> str:
    """The parameter of a way of a target: "toXpath" of "to" and "xpath"."""
    return f"{prefix}{way.capitalize()}" if prefix else way


def ways_behind(prefix: str) -> set[str]:
    """All parameters of a target whose names begin with `prefix`."""
    return {parameter(prefix, way) for way in (*_WAYS[:_POSITION], "x", "y")}


class TargetField(Field):
    """Exactly one way is read, the one whose button is chosen; each way keeps its own text.

    `pick_asked` tells that the person pressed Pick: to begin choosing in the page, or to end it. `selector_typed`
    tells that the selector is being typed: how many elements it matches can be shown with `show_matches`.
    """

    #: Both carry the field.
    pick_asked = Signal(object)
    selector_typed = Signal(object)

    def __init__(self, properties: dict[str, Schema], *, prefix: str = "", is_required: bool = False) -> None:
        title = prefix.capitalize() or "Target"
        super().__init__(tuple(properties), title, is_required=is_required)
        #: The parameter of each way, of x and of y.
        self._params = {way: parameter(prefix, way) for way in (*_WAYS[:_POSITION], "x", "y")}
        self._ways = Segments(_WAYS, f"{title} by", can_wrap=True)
        self._ways.choose([0])
        self._ways.picked.connect(self._on_way)
        self._edits = {way: MatchEdit() for way in _WAYS[:_POSITION]}
        number: Schema = {"type": "number"}
        self._x = NumberEdit(properties.get(self._params["x"], number), f"{title} x")
        self._y = NumberEdit(properties.get(self._params["y"], number), f"{title} y")
        if self._params["x"] not in properties:
            self._ways.show_only(range(_POSITION))
        values = self._values({way: properties[self._params[way]]["description"] for way in self._edits})
        for line in (*self._edits.values(), self._x, self._y):
            line.textEdited.connect(self._on_typed)
        self._edits["selector"].textEdited.connect(lambda _text: self.selector_typed.emit(self))
        self.pick_button = QPushButton(_PICK_WORDS)
        self.pick_button.setCheckable(True)
        where = "where to drop" if prefix else "an element"
        self.pick_button.setAccessibleName(f"Pick {where} in the page")
        self.pick_button.setToolTip(f"Click an element in the page to fill in “{title}”")
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
            edit.setAccessibleName(f"{self.title} {way}")
            edit.setPlaceholderText(f"like {_EXAMPLES[way]}")
            self._stack.addWidget(edit)
        self._ways.buttons[_POSITION].setToolTip("CSS pixels from the upper left corner of the viewport")
        self._stack.addWidget(self._position())
        return values

    def _flow(self, values: QWidget) -> QWidget:
        """The ways, with the values and Pick beside them or, where that is too narrow, below."""
        right = self._right = QWidget()
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
    def targets(self) -> list[Field]:
        return [self]

    def set_narrow(self, is_narrow: bool) -> None:
        self._right.setMinimumWidth(_NARROW_WIDTH_PX if is_narrow else _LEAST_WIDTH_PX)

    def wear(self, theme: Theme) -> None:
        theme.tint(self.pick_button, "mdi6.crosshairs", "text")

    @property
    def asks(self) -> str:
        return f"{_ASKS[self._ways.chosen[0]]}, or press Pick and click the element in the page"

    @property
    def selector(self) -> str:
        """The selector, where that is what is read; else empty."""
        return self._edits["selector"].text() if self._ways.chosen == [0] else ""

    def read(self) -> Params:
        way = self._ways.chosen[0]
        if way == _POSITION:
            values = {self._params["x"]: self._x.value(), self._params["y"]: self._y.value()}
            return {name: value for name, value in values.items() if value is not None}
        text = self._edits[_WAYS[way]].text()
        return {self._params[_WAYS[way]]: text} if text else {}

    def write(self, params: Params) -> None:
        for way, edit in self._edits.items():
            value = params.get(self._params[way])
            edit.setText(value if isinstance(value, str) else "")
        x, y = self._params["x"], self._params["y"]
        self._x.show_value(params.get(x))
        self._y.show_value(params.get(y))
        given = [number for number, way in enumerate(_WAYS[:_POSITION]) if self._params[way] in params]
        if x in params or y in params:
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
        self.write({self._params["x"]: round(x), self._params["y"]: round(y)})
        self.edited.emit()

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _on_pick_clicked(self, is_checked: bool) -> None:
        # What is shown follows what happens, not the click.
        self.pick_button.setChecked(not is_checked)
        self.pick_asked.emit(self)

    def _on_candidate(self, candidate: Candidate) -> None:
        self.write({self._params[candidate.way]: candidate.value})
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
            edit.setMinimumWidth(_NUMBER_LEAST_PX)
            edit.setMaximumWidth(_NUMBER_PX)
            row.addWidget(Label(name, kind="secondary"))
            row.addWidget(edit, _FIRST)
        row.addStretch(1)
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
