"""Buttons with an icon that follows the theme."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QToolButton

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.theme import Theme


def icon_button(theme: Theme, icon: str, name: str, clicked: Callable[[], object] | None = None) -> QToolButton:
    """A small flat button; `name` is its tooltip and what a screen reader says."""
    button = QToolButton()
    button.setAccessibleName(name)
    button.setToolTip(safe_text.tooltip(name))
    theme.tint(button, icon)
    if clicked is not None:
        button.clicked.connect(lambda: clicked())
    return button


def toggle(words: str, tip: str) -> QPushButton:
    """A button that stays down until it is pressed again."""
    button = QPushButton(words)
    button.setCheckable(True)
    button.setProperty("kind", "toggle")
    button.setAccessibleName(words)
    button.setToolTip(safe_text.tooltip(tip))
    return button


def action_button(words: str, do: Callable[[], object]) -> QPushButton:
    """A small button of a message, without an icon."""
    button = QPushButton(words)
    button.setProperty("kind", "flat-small")
    button.clicked.connect(lambda: do())
    return button


def text_button(theme: Theme, icon: str, text: str, clicked: Callable[[], object] | None = None) -> QPushButton:
    """A button with words."""
    button = QPushButton(text)
    button.setAccessibleName(text)
    theme.tint(button, icon, "text")
    if clicked is not None:
        button.clicked.connect(lambda: clicked())
    return button
