"""A search field; its button that clears it has an accessible name, too."""

from __future__ import annotations

from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from kapture_panel.window.widgets.theme import Theme

#: What the style sheet puts around the words, and what Qt puts around them inside of that.
_PADDING_PX, _INNER_PX = 8, 2
#: What the magnifying glass takes.
_LENS_PX = 24


class SearchField(QLineEdit):
    """A `QLineEdit` with a button that empties it.

    Args:
        name: what a screen reader says.
        lens: the theme that colours a magnifying glass, None for a field without.
    """

    def __init__(self, name: str, lens: Theme | None = None) -> None:
        super().__init__()
        self._hints: tuple[str, ...] = ()
        self._hint_margins_px = 2 * (_PADDING_PX + _INNER_PX) + (_LENS_PX if lens is not None else 0)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName("Clear")
        if lens is not None:
            action = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
            action.setText("Search")
            lens.tint(action, "mdi6.magnify")

    def offer_hints(self, *hints: str) -> None:
        """Show the first of these, while nothing is written, that there is room for."""
        self._hints = hints
        self._show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_hint()

    def _show_hint(self) -> None:
        if self._hints:
            room_px = self.contentsRect().width() - self._hint_margins_px
            fitting = (hint for hint in self._hints if self.fontMetrics().horizontalAdvance(hint) <= room_px)
            self.setPlaceholderText(next(fitting, self._hints[-1]))
