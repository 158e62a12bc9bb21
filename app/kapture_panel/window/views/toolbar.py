"""The toolbar: the name, the browser, who is driving, the look."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolBar, QToolButton, QWidget

from kapture_panel.window import plain
from kapture_panel.window.activity import Activity
from kapture_panel.window.theme import MODES, Mode, Theme
from kapture_panel.window.views.buttons import icon_button, text_button
from kapture_panel.window.views.label import Label

_MODE_WORDS: dict[Mode, str] = {"system": "Like the system", "light": "Light", "dark": "Dark"}


class Toolbar(QToolBar):
    """Always in its place: it neither moves nor hides."""

    start_browser = Signal()

    def __init__(self, theme: Theme, activity: Activity, view_menu: QMenu) -> None:
        super().__init__("Toolbar")
        self._theme = theme
        self._activity = activity
        self.setObjectName("toolbar")
        self.setAccessibleName("Toolbar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self.start_button: QPushButton = text_button(theme, "mdi6.plus", "Start browser", self.start_browser.emit)
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.driving = Label(kind="pill", tone="driving")
        self.driving.setMaximumWidth(420)
        self.addWidget(Label("Kapture", kind="brand"))
        self.addWidget(self.start_button)
        self.addWidget(gap)
        # A label in a toolbar is hidden by its action.
        self._driving_action = self.addWidget(self.driving)
        self.addWidget(self._theme_button())
        self.addWidget(self._menu_button(theme, view_menu))
        activity.changed.connect(self._show_driver)
        self._show_driver()

    def set_starting(self, is_starting: bool) -> None:
        """Show that the browser is on its way."""
        self.start_button.setEnabled(not is_starting)
        self.start_button.setText("Starting …" if is_starting else "Start browser")

    def _show_driver(self) -> None:
        drivers = self._activity.drivers()
        self._driving_action.setVisible(bool(drivers))
        if drivers:
            client, tab = drivers[0]
            what = f"“{plain.line(tab.title or tab.site, 40)}”" if tab else "a tab"
            more = f" · {len(drivers) - 1} more" if len(drivers) > 1 else ""
            self.driving.setText(f"● {plain.line(client.name, 40)} is driving {what}{more}")

    def _theme_button(self) -> QToolButton:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for mode in MODES:
            action = QAction(_MODE_WORDS[mode], group)
            action.setCheckable(True)
            action.setChecked(mode == self._theme.mode)
            action.triggered.connect(partial(self._on_mode, mode))
            menu.addAction(action)
        button = icon_button(self._theme, "mdi6.circle-half-full", "Light or dark")
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _on_mode(self, mode: Mode, _checked: bool = False) -> None:
        self._theme.set_mode(mode)

    def _menu_button(self, theme: Theme, view_menu: QMenu) -> QToolButton:
        button = icon_button(theme, "mdi6.view-dashboard-outline", "View: parts of the window")
        button.setMenu(view_menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button
