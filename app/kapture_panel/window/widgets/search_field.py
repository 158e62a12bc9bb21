"""A search field; its button that clears it has an accessible name, too."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLineEdit, QToolButton

from kapture_panel.window.widgets.theme import Theme


class SearchField(QLineEdit):
    """A `QLineEdit` with a button that empties it.

    Args:
        name: what a screen reader says.
        lens: the theme that colours a magnifying glass, None for a field without.
    """

    def __init__(self, name: str, lens: Theme | None = None) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName("Clear")
        if lens is not None:
            action = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
            action.setText("Search")
            lens.tint(action, "mdi6.magnify")
