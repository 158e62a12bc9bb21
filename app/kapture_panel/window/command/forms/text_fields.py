"""Fields that are written in: text, numbers, code, lines, four numbers of a clip."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.command.forms.number_edit import NumberEdit
from kapture_panel.window.widgets.code_edit import CodeEdit
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import Theme


class TextField(Field):
    """One line of text."""

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._is_set_empty = False
        self._proposed = ""
        self._edit = QLineEdit()
        self._edit.setPlaceholderText(str(schema.get("default", "")))
        self._edit.textEdited.connect(self._on_edited)
        self._hold(self._edit)

    def read(self) -> Params:
        text = self._edit.text()
        return {self.names[0]: text} if text or self._is_set_empty else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._is_set_empty = value == ""
        self._edit.setText(value if isinstance(value, str) else "")

    def propose(self, value: str) -> None:
        """Fill in `value` where there is nothing, or what was proposed before."""
        if self._edit.text() == self._proposed and not self._is_set_empty:
            self._proposed = value
            self._edit.setText(value)

    def _on_edited(self) -> None:
        self._is_set_empty = False
        self.edited.emit()

    def _marked(self) -> list[QWidget]:
        return [self._edit]


class NumberField(Field):
    """A number with its unit."""

    is_wide = False

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._edit = NumberEdit(schema, self.title)
        self._edit.textEdited.connect(lambda _text: self.edited.emit())
        self._hold(self._edit)

    def read(self) -> Params:
        value = self._edit.value()
        return {} if value is None else {self.names[0]: value}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._edit.show_value(value if isinstance(value, (int, float, str)) else None)

    def _marked(self) -> list[QWidget]:
        return [self._edit]


class LongTextField(Field):
    """Text of any number of lines; code is written in monospace.

    Left empty it reads as nothing, unless the parameter is required and may be empty: then as "".
    """

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._may_be_empty = is_required and not schema.get("minLength")
        self._is_set_empty = False
        self._is_asked_again = False
        self._placeholder = str(schema.get("default", ""))
        is_code = schema.get("format") == "javascript"
        self._edit = CodeEdit(min_lines=4, max_lines=14) if is_code else TextEdit(min_lines=1, max_lines=14)
        self._edit.setPlaceholderText(self._placeholder)
        self._edit.textChanged.connect(self._on_changed)
        self._hold(self._edit)

    def wear(self, theme: Theme) -> None:
        if isinstance(self._edit, CodeEdit):
            self._edit.wear(theme)

    @property
    def is_set(self) -> bool:
        return bool(self._edit.text()) or self._is_set_empty

    def read(self) -> Params:
        text = self._edit.text()
        if text or self._is_set_empty or (self._may_be_empty and not self._is_asked_again):
            return {self.names[0]: text}
        return {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        self._edit.show_text(value if isinstance(value, str) else "")
        self._edit.setPlaceholderText(self._placeholder)
        self._is_asked_again = False
        self._is_set_empty = value == ""

    def open_empty(self, chars: int) -> None:
        self.write({})
        self._is_asked_again = True
        self._edit.setPlaceholderText(f"{chars} characters, not kept: enter them again")
        self._say_why()

    def _on_changed(self) -> None:
        self._is_set_empty = self._is_asked_again = False
        self.edited.emit()

    def _marked(self) -> list[QWidget]:
        return [self._edit]


class LinesField(Field):
    """An array of strings, one per line; `edit` is where they are written."""

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False, edit: TextEdit | None = None) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._is_set_empty = False
        self._edit = edit or TextEdit(min_lines=2, max_lines=8)
        self._edit.setPlaceholderText("one per line")
        self._edit.textChanged.connect(self._on_changed)
        self._hold(self._edit)

    def read(self) -> Params:
        text = self._edit.text().rstrip("\n")
        if text:
            return {self.names[0]: text.split("\n")}
        return {self.names[0]: []} if self._is_set_empty else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        lines = value if isinstance(value, list) and all(isinstance(item, str) for item in value) else []
        self._edit.show_text("\n".join(lines))
        self._is_set_empty = value == []

    def _on_changed(self) -> None:
        self._is_set_empty = False
        self.edited.emit()

    def _marked(self) -> list[QWidget]:
        return [self._edit]


class NumbersField(Field):
    """A flat object of numbers, such as a clip, as one line per number side by side as far as there is room."""

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        flow = FlowLayout(12, 6)
        self._edits: dict[str, NumberEdit] = {}
        for key, part in schema["properties"].items():
            edit = NumberEdit(part, f"{self.title} {key}")
            edit.setFixedWidth(64)
            edit.textEdited.connect(lambda _text: self.edited.emit())
            pair = QWidget()
            row = QHBoxLayout(pair)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(6)
            row.addWidget(Label(key, kind="secondary"))
            row.addWidget(edit)
            pair.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            flow.addWidget(pair)
            self._edits[key] = edit
        box = QWidget()
        box.setLayout(flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        box.setSizePolicy(policy)
        self._hold(box)
        self.setFocusProxy(next(iter(self._edits.values())))

    def read(self) -> Params:
        values = {key: edit.value() for key, edit in self._edits.items()}
        given = {key: value for key, value in values.items() if value is not None}
        return {self.names[0]: given} if given else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        parts = value if isinstance(value, dict) else {}
        for key, edit in self._edits.items():
            edit.show_value(parts.get(key))

    def _marked(self) -> list[QWidget]:
        return list(self._edits.values())
