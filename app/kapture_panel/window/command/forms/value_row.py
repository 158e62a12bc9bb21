"""A row that fills one field of a page: which one, and with what."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kapture_panel.core.basics.free_json import JsonObject, Schema
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.window.command.forms.row import Row
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import Theme

_VALUE = "value"


class ValueRow(Row):
    """A target, and below it the value it gets."""

    def __init__(self, properties: dict[str, Schema]) -> None:
        super().__init__("field")
        ways = {name: {"description": "", **schema} for name, schema in properties.items() if name != _VALUE}
        self.target = TargetField(ways)
        self.value = TextEdit(min_lines=1, max_lines=6)
        self.value.setAccessibleName("Value")
        self._is_asked = False
        line = QHBoxLayout()
        line.setSpacing(8)
        self._parts = QWidget()
        parts = QVBoxLayout(self._parts)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(4)
        line.addWidget(Label("Value", kind="secondary"))
        line.addWidget(self.value, 1)
        parts.addWidget(self.target)
        parts.addLayout(line)
        self.content.addWidget(self._parts)
        self.target.edited.connect(self.edited)
        self.value.textChanged.connect(self._on_typed)
        self._listen(self.target)
        self.setFocusProxy(self.target)

    def read(self) -> JsonObject:
        text = self.value.text()
        return {**self.target.read(), **({_VALUE: text} if text or not self._is_asked else {})}

    def write(self, item: JsonObject) -> None:
        self.target.write(item)
        value = item.get(_VALUE, "")
        self.value.show_text(value if isinstance(value, str) else "")
        self._is_asked = _VALUE not in item

    def open_emptied(self, item: JsonObject) -> QWidget | None:
        kept = {name: part for name, part in item.items() if not is_redacted(part)}
        self.write(kept)
        if kept == item:
            return None
        self.value.setPlaceholderText(f"{item[_VALUE]['redacted']} characters, not kept: enter them again")
        return self.value

    @property
    def targets(self) -> list[TargetField]:
        return [self.target]

    def set_narrow(self, is_narrow: bool) -> None:
        self.target.set_narrow(is_narrow)
        # Below the number and the buttons there is more width than between them.
        before, after = (self.content, self.below) if is_narrow else (self.below, self.content)
        before.removeWidget(self._parts)
        after.addWidget(self._parts)

    def wear(self, theme: Theme) -> None:
        super().wear(theme)
        self.target.wear(theme)

    def _on_typed(self) -> None:
        self._is_asked = False
        self.edited.emit()
