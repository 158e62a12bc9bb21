"""A dock with the slim title every part of the window has."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QSizePolicy, QWidget

from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.theme import Theme


class TitleBar(QWidget):
    """A title in capitals, a word beside it, and what else is put in at the right."""

    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "title-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.theme = theme
        self._height_px = theme.px("dock_title")
        self.setFixedHeight(self._height_px)
        name = Label(title, kind="caps")
        name.setHidden(not title)  # it would keep its place
        font = name.font()
        font.setCapitalization(QFont.Capitalization.AllUppercase)
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 0.6)
        name.setFont(font)
        name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._word = ElidedLabel(kind="small")
        self._word.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(10, 0, 8, 0)
        self._row.setSpacing(6)
        self._row.addWidget(name)
        self._row.addWidget(self._word, 1)

    def sizeHint(self) -> QSize:
        # A dock gives its title the hint, whatever its fixed height is.
        return QSize(super().sizeHint().width(), self._height_px)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._height_px)

    def say(self, word: str) -> None:
        """Put a count or a name beside the title."""
        self._word.show_line(word)

    @property
    def word(self) -> str:
        """What stands beside the title."""
        return self._word.text()

    def add(self, widget: QWidget) -> None:
        """Put a widget at the right end."""
        self._row.addWidget(widget)

    def attach(self, dock: QDockWidget) -> None:
        """Be the title of `dock`: once it floats, with what puts it back and what closes it."""
        self._back = icon_button(self.theme, "mdi6.dock-window", f"Put {dock.windowTitle()} back", self._put_back)
        self._close = icon_button(self.theme, "mdi6.close", f"Close {dock.windowTitle()}", dock.close)
        self._dock = dock
        for button in (self._back, self._close):
            button.hide()
            self._row.addWidget(button)
        dock.topLevelChanged.connect(self._show_buttons)
        dock.setTitleBarWidget(self)

    def _put_back(self) -> None:
        self._dock.setFloating(False)

    def _show_buttons(self, is_floating: bool) -> None:
        # What is put in later stands before them.
        for button in (self._back, self._close):
            self._row.addWidget(button)
            button.setVisible(is_floating)


class Dock(QDockWidget):
    """Moves, floats and hides; its title is its handle.

    Args:
        name: a stable object name, under which the layout is kept.
    """

    def __init__(self, name: str, title: str, content: QWidget, title_bar: TitleBar) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setWidget(content)
        title_bar.attach(self)
        self._theme = title_bar.theme

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame around what floats: the desktop gives it none."""
        super().paintEvent(event)
        if self.isFloating():
            painter = QPainter(self)
            painter.setPen(self._theme.color("text_muted"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()
