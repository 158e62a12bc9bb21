"""Fields that choose: one of some values, some of them, or yes and no."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.widgets.check_box import CheckBox
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.segments import Segments

#: Up to here all values are in sight side by side, beyond in a list.
MAX_SEGMENTS = 3


class ChoiceField(Field):
    """One of at most three values as joined buttons; the default is marked until one is chosen."""

    is_wide = False

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._values: list[Any] = schema.get("enum", [True, False])
        labels = schema.get("labels") or [{True: "yes", False: "no"}.get(value, str(value)) for value in self._values]
        self._segments = Segments(labels, self.title, can_unset=not is_required, can_wrap=True)
        if "default" in schema:
            self._segments.imply(self._values.index(schema["default"]))
        self._default = self._values.index(schema["default"]) if "default" in schema else None
        self._segments.picked.connect(self._on_picked)
        self._hold(self._segments)

    @property
    def asks(self) -> str:
        return f"Choose {' or '.join(button.text() for button in self._segments.buttons)}"

    def read(self) -> Params:
        chosen = self._segments.chosen
        return {self.names[0]: self._values[chosen[0]]} if chosen else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._segments.choose(
            [number for number, known in enumerate(self._values) if known == value and type(known) is type(value)]
        )
        self._imply()

    def _on_picked(self) -> None:
        self._imply()
        self.edited.emit()

    def _imply(self) -> None:
        self._segments.imply(None if self._segments.chosen else self._default)


class ListField(Field):
    """One of many values from a list; the first entry leaves it to the default."""

    is_wide = False

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._values: list[Any] = schema["enum"]
        self._combo = ComboBox()
        default = schema.get("default")
        self._combo.addItem("any" if default is None else f"{default} (default)")
        self._combo.addItems([str(value) for value in self._values])
        self._combo.view().setAccessibleName(f"{self.title}: values")
        self._combo.activated.connect(lambda _index: self.edited.emit())
        self._hold(self._combo)

    def read(self) -> Params:
        number = self._combo.currentIndex()
        return {self.names[0]: self._values[number - 1]} if number > 0 else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._combo.setCurrentIndex(self._values.index(value) + 1 if value in self._values else 0)

    def _marked(self) -> list[QWidget]:
        return [self._combo]


class CheckField(Field):
    """Yes or no as a check box that shows the default until it is clicked."""

    is_wide = False

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__((name,), schema["title"])
        self._default = bool(schema.get("default", False))
        self._is_set = False
        self._check = CheckBox()
        self._check.clicked.connect(self._on_clicked)
        self._hold(self._check)
        self.write({})

    def read(self) -> Params:
        return {self.names[0]: self._check.isChecked()} if self._is_set else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._is_set = isinstance(value, bool)
        self._check.setChecked(value if isinstance(value, bool) else self._default)

    def _on_clicked(self) -> None:
        self._is_set = True
        self.edited.emit()


class TogglesField(Field):
    """Any number of known values as buttons, each on or off."""

    is_wide = False

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__((name,), schema["title"])
        self._values: list[str] = schema["items"]["enum"]
        self._is_set = False
        short = {"Control": "Ctrl"}
        labels = [short.get(value, value) for value in self._values]
        self._segments = Segments(labels, self.title, is_exclusive=False, can_wrap=True)
        self._segments.picked.connect(self._on_picked)
        self._hold(self._segments)

    def read(self) -> Params:
        chosen = [self._values[number] for number in self._segments.chosen]
        return {self.names[0]: chosen} if self._is_set else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._is_set = isinstance(value, list)
        chosen = value if isinstance(value, list) else []
        self._segments.choose([number for number, known in enumerate(self._values) if known in chosen])

    def _on_picked(self) -> None:
        self._is_set = bool(self._segments.chosen)
        self.edited.emit()
