"""A field for a list of objects: a row for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.window.command.forms.field import Field
from kapture_panel.window.command.forms.row import Row
from kapture_panel.window.widgets import tab_order
from kapture_panel.window.widgets.theme import Theme


class RowsField(Field):
    """Rows that can be added, moved up and taken away. The row that is offered at first counts once it is edited."""

    is_whole = True
    pick_asked = Signal(object)
    selector_typed = Signal(object)

    def __init__(self, name: str, schema: Schema, make_row: Callable[[], Row], *, is_required: bool = False) -> None:
        super().__init__((name,), schema["title"], is_required=is_required)
        self._make_row = make_row
        self._most = schema.get("maxItems", 1000)
        self._theme: Theme | None = None
        self._rows: list[Row] = []
        self._offered: Row | None = None
        self._is_set_empty = False
        self._is_narrow = False
        box = QWidget()
        self._lines = QVBoxLayout(box)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self._add_button = QPushButton("Add")
        self._add_button.clicked.connect(self._on_add)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(box)
        column.addWidget(self._add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._hold(whole)
        self._offer()
        words = f"Add a {self._rows[0].title}"
        self._add_button.setText(words)
        self._add_button.setAccessibleName(words)

    @property
    def rows(self) -> list[Row]:
        """The rows in their order."""
        return self._rows

    @property
    def targets(self) -> list[Field]:
        return [target for row in self._rows for target in row.targets]

    def wear(self, theme: Theme) -> None:
        self._theme = theme
        theme.tint(self._add_button, "mdi6.plus", "text")
        for row in self._rows:
            row.wear(theme)
        self._place()

    def set_narrow(self, is_narrow: bool) -> None:
        self._is_narrow = is_narrow
        for row in self._rows:
            row.set_narrow(is_narrow)

    def read(self) -> Params:
        items = [row.read() for row in self._rows if row is not self._offered]
        return {self.names[0]: items} if items or self._is_set_empty else {}

    def write(self, params: Params) -> None:
        value = params.get(self.names[0])
        items = value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else []
        self._clear()
        for item in items:
            self._add().write(item)
        self._is_set_empty = value == []
        self._offer()

    def open_emptied(self, value: Any) -> None:
        """Show the list, what was not kept of it empty; the first such place gets the focus."""
        items = value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else []
        self._clear()
        asking = [place for item in items if (place := self._add().open_emptied(item)) is not None]
        self._offer()
        if asking:
            self._say_why()
            self.setFocusProxy(asking[0])

    def _add(self) -> Row:
        row = self._make_row()
        row.edited.connect(lambda: self._on_edited(row))
        row.raise_asked.connect(self._on_raise)
        row.remove_asked.connect(self._on_remove)
        row.pick_asked.connect(self.pick_asked)
        row.selector_typed.connect(self.selector_typed)
        if self._theme is not None:
            row.wear(self._theme)
        row.set_narrow(self._is_narrow)
        self._rows.append(row)
        self._lines.addWidget(row)
        row.show()
        self._place()
        return row

    def _offer(self) -> None:
        """Show a row where there is none."""
        if not self._rows:
            self._offered = self._add()

    def _clear(self) -> None:
        for row in list(self._rows):
            self._drop(row)
        self._offered = None

    def _drop(self, row: Row) -> None:
        self._rows.remove(row)
        self._lines.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _place(self) -> None:
        """Number the rows, and let Tab go through them in their order."""
        for number, row in enumerate(self._rows):
            row.place(number)
        self._add_button.setEnabled(len(self._rows) < self._most)
        if self._rows:
            self.setFocusProxy(self._rows[0])
            before: QWidget | None = self._add_button.previousInFocusChain()
            while before is not None and before is not self._add_button and self.isAncestorOf(before):
                before = before.previousInFocusChain()
            first = tab_order.stops(self._rows[0])
            if before is not None and before is not self._add_button and first:
                QWidget.setTabOrder(before, first[0])
            tab_order.chain([*self._rows, self._add_button])

    def _on_edited(self, row: Row) -> None:
        if row is self._offered:
            self._offered = None
        self._is_set_empty = False
        self._place()
        self.edited.emit()

    def _on_add(self) -> None:
        self._offered = None
        row = self._add()
        row.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()

    def _on_raise(self, row: Row) -> None:
        at = self._rows.index(row)
        if at > 0:
            self._rows.insert(at - 1, self._rows.pop(at))
            self._lines.insertWidget(at - 1, row)
            self._offered = None
            self._place()
            self.edited.emit()

    def _on_remove(self, row: Row) -> None:
        at = self._rows.index(row)
        self._drop(row)
        self._offered = None
        self._offer()
        self._place()
        self._rows[min(at, len(self._rows) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()
