"""The command palette: one field that finds every command, tab and action."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QListView, QVBoxLayout, QWidget

from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.finder.entries import ENTRIES
from kapture_panel.window.finder.finds import Find, Hit
from kapture_panel.window.finder.palette_delegate import ROW_PX, PaletteDelegate
from kapture_panel.window.finder.palette_model import PaletteModel
from kapture_panel.window.widgets.entries import SHARED
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.overlay import Overlay
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.search_field import SearchField
from kapture_panel.window.widgets.theme import Theme

_WIDTH_PX = 620
_ROWS = 12
_AROUND_PX = 68
_RECENT_KEPT = 12
_MOVES = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: _ROWS - 1,
    Qt.Key.Key_PageUp: 1 - _ROWS,
}


class Palette(Overlay):
    """Keys go to the field; the arrows move in the list under it.

    `chosen` carries the `Find` to open, `run_chosen` the command to run at once; both come after the focus went
    back to where it was.

    Args:
        gather: everything that can be found, asked for at every opening.
    """

    chosen = Signal(object)
    run_chosen = Signal(object)

    def __init__(self, host: QWidget, theme: Theme, settings: Settings, gather: Callable[[], Sequence[Find]]) -> None:
        super().__init__(host, "Find a command, tab or action")
        self._settings = settings
        self._gather = gather
        self._model = PaletteModel(self)
        self.edit = SearchField("Find a command, tab or action", theme)
        self.edit.setPlaceholderText("Find a command, tab or action")
        self.edit.textChanged.connect(self._on_typed)
        self.edit.installEventFilter(self)
        self.list = QListView()
        self.list.setModel(self._model)
        self._delegate = PaletteDelegate(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("What was found")
        self.list.clicked.connect(self._on_clicked)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.nothing = Label("Nothing has that name.", kind="secondary")
        self.nothing.setContentsMargins(12, 6, 12, 6)
        self.hint = Label(kind="small")
        self.hint.setContentsMargins(12, 0, 12, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(6)
        column.addWidget(self.edit)
        column.addWidget(self.list, 1)
        column.addWidget(self.nothing)
        column.addStretch()
        column.addWidget(self.hint)

    def first(self) -> QWidget:
        """The field."""
        return self.edit

    def wanted(self, room: QRect) -> QRect:
        """In the middle, under the toolbar."""
        width = min(_WIDTH_PX, room.width())
        rows = min(max(self._model.rowCount(), 1), _ROWS)
        height = min(rows * ROW_PX + _AROUND_PX, room.height())
        return QRect(room.center().x() - width // 2, room.top(), width, height)

    def open(self) -> None:
        """Show everything, the latest first."""
        if self.isHidden():
            self._model.show(self._gather(), self.recent)
            self.edit.clear()
            self._on_typed("")
        super().open()

    @property
    def recent(self) -> list[str]:
        """Keys of what was used, the latest first."""
        kept = self._settings.get("palette.recent", [])
        return [key for key in kept if isinstance(key, str)] if isinstance(kept, list) else []

    @property
    def current(self) -> Find | None:
        """The row Enter takes."""
        hit: Hit | None = self.list.currentIndex().data(ITEM)
        return hit.find if hit else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.current, at_once=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif key in _MOVES:
            last = self._model.rowCount() - 1
            row = self.list.currentIndex().row() + _MOVES[key]
            if abs(_MOVES[key]) == 1:
                row = 0 if row > last else last if row < 0 else row
            self._go_to(min(max(row, 0), last))
        else:
            return False
        return True

    def _take(self, find: Find | None, *, at_once: bool) -> None:
        if find is None or (at_once and not find.can_run and find.key.startswith("command:")):
            return
        # What a page is called stays out of the settings.
        if not find.key.startswith("tab:"):
            others = [key for key in self.recent if key != find.key]
            self._settings.set("palette.recent", [find.key, *others][:_RECENT_KEPT])
        self.dismiss()
        (self.run_chosen if at_once and find.can_run else self.chosen).emit(find)

    def _on_typed(self, text: str) -> None:
        self._model.search(text)
        rows = range(self._model.rowCount())
        self._delegate.measure(self._model.index(row).data(ITEM) for row in rows)
        is_empty = not rows
        self.list.setVisible(not is_empty)
        self.nothing.setVisible(is_empty)
        self.place()
        self._go_to(0)

    def _go_to(self, row: int) -> None:
        index = self._model.index(row)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        self._on_current(index)

    def _on_current(self, index: QModelIndex) -> None:
        find = self.current
        self.edit.setAccessibleDescription(str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "nothing found"))
        words = [f"{ENTRIES['open_chosen'].shown_keys} opens it"] if find else []
        if find and find.can_run:
            words.append(f"{ENTRIES['run_chosen'].shown_keys} runs it at once, with the values in its form")
        self.hint.setText(" · ".join([*words, f"{SHARED['close_overlay'].shown_keys} closes this"]))

    def _on_clicked(self, index: QModelIndex) -> None:
        modifiers = QApplication.keyboardModifiers()
        self._take(index.data(ITEM).find, at_once=bool(modifiers & Qt.KeyboardModifier.ControlModifier))
