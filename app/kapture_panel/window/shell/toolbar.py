"""The toolbar: the name, the browser, the finder, who is driving, the menus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolBar, QToolButton, QWidget

from kapture_panel.core.gates.pause import Pause
from kapture_panel.window.agents.activity import Activity
from kapture_panel.window.widgets import safe_text, tab_names
from kapture_panel.window.widgets.buttons import icon_button, text_button
from kapture_panel.window.widgets.finder_button import FinderButton
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.shell import Shell
from kapture_panel.window.widgets.theme import Theme, mark

#: Between its parts, as the style sheet has it.
_GAP_PX = 8
_RESUME, _STARTING = "Resume agents", "Starting …"
_ROOMY_PX = 1200
#: A narrower bar names who is driving, and its colour says the rest.
_SMALL_PX = 960
_SMALL_NAME_CHARS = 12
#: So much of a page's title stands beside how many wait.
_TITLE_BESIDE_CHARS = 20
#: How wide the finder is in a bar of at least so many pixels.
_FINDER_PX = ((1400, 360), (_ROOMY_PX, 280), (_SMALL_PX, 190), (0, 128))
#: How much of the bar the words about who is driving may take.
_DRIVING_PX, _DRIVING_NARROW_PX = 420, 240


class Toolbar(QToolBar):
    """Always in its place: it neither moves nor hides."""

    def __init__(self, shell: Shell, activity: Activity, pause: Pause, mouse_menu: QMenu, menu: QMenu) -> None:
        super().__init__("Toolbar")
        theme, actions, entry = shell.theme, shell.actions, shell.actions.entry
        self._pause_entry = entry("pause")
        self._activity = activity
        self._pause = pause
        self.setObjectName("toolbar")
        self.setAccessibleName("Toolbar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self.start_button: QPushButton = text_button(
            theme, entry("start_browser").icon, "Start browser", actions["start_browser"].trigger
        )
        self._start_entry = entry("start_browser")
        self._theme = theme
        self.pause_button: QPushButton = text_button(
            theme, entry("pause").icon, entry("pause").words, actions["pause"].trigger
        )
        self.finder = FinderButton(entry("palette"))
        self.finder.clicked.connect(actions["palette"].trigger)
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.driving = Label(kind="pill", tone="driving")
        self.addWidget(Label("Kapture", kind="brand"))
        self.addWidget(self.pause_button)
        self.addWidget(self.start_button)
        self.addWidget(self.finder)
        self.addWidget(gap)
        # A label in a toolbar is hidden by its action.
        self._driving_action = self.addWidget(self.driving)
        themes = QMenu(self)
        actions.fill(themes, "theme")
        self.menu_button = _menu_button(theme, "mdi6.dots-horizontal", "Menu", "Menu", menu)
        self._menu_buttons = (
            _menu_button(theme, "mdi6.circle-half-full", "Theme", "Light or dark", themes),
            _menu_button(theme, "mdi6.cursor-default-outline", "Mouse", "How an agent's mouse moves", mouse_menu),
            self.menu_button,
        )
        for button in self._menu_buttons:
            self.addWidget(button)
        activity.changed.connect(self._show_driver)
        self._start = actions["start_browser"]
        self._start.changed.connect(self._show_start)
        self._show_start()
        shell.subscriptions.connect(pause.changed, self._show_pause)
        self._show_pause()

    def showEvent(self, event: QShowEvent) -> None:
        """What a button says changes its width, which the style sheet knows."""
        super().showEvent(event)
        _keep_width(self.pause_button, (self._pause_entry.words, ""), (_RESUME, "primary"))
        _keep_width(self.start_button, ("Start browser", ""), ("Show browser", ""), (_STARTING, ""))
        self._show_start()
        self._show_pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words beside the icons where there is room; a narrow window has their tooltips."""
        super().resizeEvent(event)
        styles = Qt.ToolButtonStyle
        has_room = self.width() >= _ROOMY_PX
        # It keeps its size whatever is said beside it.
        self.finder.setFixedWidth(next(px for least, px in _FINDER_PX if self.width() >= least))
        self.driving.setMaximumWidth(_DRIVING_PX if has_room else _DRIVING_NARROW_PX)
        for button in self._menu_buttons:
            button.setToolButtonStyle(styles.ToolButtonTextBesideIcon if has_room else styles.ToolButtonIconOnly)
        self._show_driver()

    def _show_start(self) -> None:
        """Say what the action does now; while it cannot be done the browser starts."""
        can_start = self._start.isEnabled()
        words = self._start.text() if can_start else _STARTING
        self.start_button.setEnabled(can_start)
        self.start_button.setText(words)
        self.start_button.setAccessibleName(words)
        self.start_button.setToolTip(safe_text.tooltip(f"{words} ({self._start_entry.shown_keys})"))

    def _show_pause(self) -> None:
        is_paused = self._pause.is_on
        words = _RESUME if is_paused else self._pause_entry.words
        self.pause_button.setText(words)
        self.pause_button.setAccessibleName(words)
        self.pause_button.setToolTip(safe_text.tooltip(f"{words} ({self._pause_entry.shown_keys})"))
        mark(self.pause_button, kind="primary" if is_paused else "")
        icon, role = ("mdi6.play", "on_accent") if is_paused else (self._pause_entry.icon, "text")
        self._theme.tint(self.pause_button, icon, role)
        self._show_driver()

    def _show_driver(self) -> None:
        is_small = self.width() < _SMALL_PX
        if self._pause.is_on:
            self._driving_action.setVisible(True)
            self.driving.set_tone("neutral")
            self._say("❚❚ Paused" if is_small else "❚❚ Agents are paused")
            return
        drivers, waiting = self._activity.drivers(), self._activity.waiting()
        whole = ""
        self._driving_action.setVisible(bool(drivers or waiting))
        self.driving.set_tone("driving" if drivers else "warn")
        if waiting and not drivers:
            more = f" · {len(waiting) - 1} more" if len(waiting) > 1 else ""
            whole = f"● {safe_text.line(waiting[0].name, 40)} waits for your answer{more}"
            self._say(whole)
        if drivers:
            client, tab = drivers[0]
            is_roomy = self.width() >= _ROOMY_PX
            most = _TITLE_BESIDE_CHARS if waiting else 40
            who, what = f"● {safe_text.line(client.name, 40)}", f" “{tab_names.name(tab, most)}”" if tab else ""
            more = f" · {len(drivers) - 1} more" if len(drivers) > 1 else ""
            if waiting:
                more += f" · {len(waiting)} {'waits' if len(waiting) == 1 else 'wait'} for you"
            whole = f"{who} is driving{what}{more}"
            short = f"{who} {'drives' if waiting else 'is driving'}{more}"
            self._say(whole if is_roomy else short)
        self.driving.setToolTip(safe_text.tooltip(whole))
        if is_small and (drivers or waiting):
            name = drivers[0][0].name if drivers else waiting[0].name
            self._say(f"● {safe_text.line(name, _SMALL_NAME_CHARS)}")

    def _say(self, words: str) -> None:
        """Say it in the room that the other parts leave: a toolbar puts out of sight what finds none."""
        before_px = self.finder.x() + self.finder.width() + 2 * _GAP_PX  # the second one beside what stretches
        behind_px = sum(button.sizeHint().width() + _GAP_PX for button in self._menu_buttons) + _GAP_PX
        self.driving.setText(words)
        most_px = min(self.width() - before_px - behind_px, self.driving.maximumWidth())
        too_much_px = self.driving.sizeHint().width() - most_px
        if too_much_px > 0:
            metrics = self.driving.fontMetrics()
            room_px = metrics.horizontalAdvance(words) - too_much_px
            self.driving.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, room_px))


def _keep_width(button: QPushButton, *states: tuple[str, str]) -> None:
    """Make a button as wide as the widest of its (words, kind): what stands beside it never moves."""
    widest_px = 0
    for words, kind in states:
        button.setText(words)
        mark(button, kind=kind)
        widest_px = max(widest_px, button.sizeHint().width())
    button.setMinimumWidth(widest_px)


def _menu_button(theme: Theme, icon: str, words: str, name: str, menu: QMenu) -> QToolButton:
    button = icon_button(theme, icon, name)
    button.setText(words)
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button
