"""A field for what no other field can show: a list of objects, as JSON."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtWidgets import QWidget

from kapture_panel.window.forms.field import Field, Schema
from kapture_panel.window.forms.text_edit import TextEdit


class JsonField(Field):
    """One JSON value. Text that is no JSON is read as it is, so that validation tells what was expected."""

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._edit = TextEdit(min_lines=4, max_lines=14, is_mono=True)
        self._edit.setPlaceholderText(_example(schema))
        self._edit.textChanged.connect(self.edited.emit)
        self._hold(self._edit)

    def read(self) -> dict[str, Any]:
        text = self._edit.text().strip()
        if not text:
            return {}
        try:
            return {self.names[0]: json.loads(text)}
        except ValueError:
            return {self.names[0]: text}

    def write(self, params: dict[str, Any]) -> None:
        value = params.get(self.names[0])
        self._edit.show_text("" if value is None else json.dumps(value, indent=1, ensure_ascii=False))

    def _marked(self) -> list[QWidget]:
        return [self._edit]


def _example(schema: Schema) -> str:
    """What one item looks like: [{"command": "…", "params": {…}}]."""
    shown = {"string": "\u2026", "object": {}, "array": [], "integer": 1, "number": 1, "boolean": True}
    item = {name: shown[part["type"]] for name, part in schema["items"]["properties"].items()}
    return json.dumps([item], ensure_ascii=False)
