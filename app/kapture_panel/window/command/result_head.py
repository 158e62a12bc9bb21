"""The line above an answer: how it went, and the tools to see, search and copy it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QSizePolicy, QToolButton

from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.theme import Theme

#: So much of what it answered in a few words is read, and not only begun.
_READABLE_PX = 140

VIEWS = ("Tree", "Table", "Image", "Text", "Raw")
TREE, TABLE, IMAGE, TEXT, RAW = range(len(VIEWS))


class ResultHead(QBoxLayout):
    """One row, or two where one is too narrow for all of it.

    Args:
        search: what the search button does.
    """

    def __init__(self, theme: Theme, search: Callable[[], object]) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self.pill = Label(kind="pill", tone="ok")
        #: Whose answer it is, while the form is that of another command.
        self.whose = Label(kind="strong")
        self.whose.hide()
        self.ms = Label(kind="secondary")
        self.dot = Label("·", kind="secondary")
        self.summary = ElidedLabel()
        self.summary.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.views = Segments(VIEWS, "Show the result as")
        self.search_button = icon_button(theme, "mdi6.magnify", "Search in the result (Ctrl+F)", search)
        self.copy_button = icon_button(theme, "mdi6.content-copy", "Copy as")
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_menu = QMenu(self.copy_button)
        self.copy_button.setMenu(self.copy_menu)
        said, tools = QHBoxLayout(), QHBoxLayout()
        for widget in (self.whose, self.pill, self.ms, self.dot, self.summary):
            said.addWidget(widget)
        for tool in (self.search_button, self.copy_button, self.views):
            tools.addWidget(tool)
        tools.addStretch()
        self._parts = (said, tools)
        self.setContentsMargins(16, 8, 16, 6)
        for row in (self, said, tools):
            row.setSpacing(8)
        self.addLayout(said, 1)
        self.addLayout(tools)

    def say(self, words: str, tone: str, ms: float, said: str) -> None:
        """Tell how a command went, how long it took, and in a few words what it answered."""
        self.pill.setText(words)
        self.pill.set_tone(tone)
        self.ms.setText(figures.duration(ms))
        self.dot.setVisible(bool(said))
        self.summary.show_line(said)

    def share_room(self, width_px: int) -> bool:
        """Take one row where `width_px` is wide enough to read all, else two; whether it is."""
        margins = self.contentsMargins()
        cut_px = self.summary.minimumSizeHint().width()
        needed = sum(part.minimumSize().width() for part in self._parts)
        needed += max(min(self.summary.sizeHint().width(), _READABLE_PX) - cut_px, 0)
        fits = needed + margins.left() + margins.right() + self.spacing() <= width_px
        self.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)
        return fits
