"""A field for what no other field can show: a list of objects, as JSON."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics.free_json import JsonObject, Params, Schema
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.widgets.text_edit import TextEdit


class JsonField(Field):
    """One JSON value. Text that is no JSON is read as it is, so that validation tells what was expected."""

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._edit = TextEdit(min_lines=4, max_lines=14, is_mono=True)
        self._edit.setPlaceholderText(_example(schema))
        #: Where a value is asked for again: the item's number and the key.
        self._asked: list[tuple[int, str]] = []
        self._edit.textChanged.connect(self.edited.emit)
        self._hold(self._edit)

    def read(self) -> Params:
        text = self._edit.text().strip()
        if not text:
            return {}
        try:
            value = json.loads(text)
        except ValueError:
            return {self.names[0]: text}
        return {self.names[0]: self._without_asked(value)}

    def open_emptied(self, value: Any) -> None:
        """Show the list with an empty text for each value that was not kept, the cursor in the first."""
        items = value if isinstance(value, list) else []
        shown = [_emptied(item) if isinstance(item, dict) else item for item in items]
        self.write({self.names[0]: shown})
        self._asked = [
            (number, key)
            for number, item in enumerate(items)
            if isinstance(item, dict)
            for key, part in item.items()
            if part != shown[number][key]
        ]
        if self._asked:
            _, key = self._asked[0]
            cursor = self._edit.textCursor()
            cursor.setPosition(self._edit.text().find(f'"{key}": ""') + len(key) + 5)
            self._edit.setTextCursor(cursor)
            # The cursor was made visible before the editor took the height of its text.
            self._edit.verticalScrollBar().setValue(0)
            self._say_why()

    def _without_asked(self, value: Any) -> Any:
        """`value` without what was asked for and is still empty: the check then says that it is missing."""
        if not self._asked or not isinstance(value, list):
            return value
        return [
            {key: part for key, part in item.items() if part != "" or (number, key) not in self._asked}
            if isinstance(item, dict)
            else item
            for number, item in enumerate(value)
        ]

    def write(self, params: Params) -> None:
        self._asked = []
        value = params.get(self.names[0])
        self._edit.show_text("" if value is None else json.dumps(value, indent=1, ensure_ascii=False))

    def _marked(self) -> list[QWidget]:
        return [self._edit]


def _emptied(item: JsonObject) -> Params:
    return {key: "" if is_redacted(part) else part for key, part in item.items()}


def _example(schema: Schema) -> str:
    """What one item looks like: [{"command": "…", "params": {…}}]."""
    shown = {"string": "\u2026", "object": {}, "array": [], "integer": 1, "number": 1, "boolean": True}
    item = {name: shown[part["type"]] for name, part in schema["items"]["properties"].items()}
    return json.dumps([item], ensure_ascii=False)
