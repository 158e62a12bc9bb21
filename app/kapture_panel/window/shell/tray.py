"""The icon in the system's tray: what goes on, and the few things one does without the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.agents.activity import Activity
from kapture_panel.window.widgets import figures, safe_text, tab_names
from kapture_panel.window.widgets.actions import Actions
from kapture_panel.window.widgets.app import ICON_SIZES_PX, app_icon
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.throttle import Throttle

_DOT_SHARE = 0.52
#: The menu names the tabs used last.
MAX_RECENT = 8
_RECENT_CHARS = 48


@dataclass(frozen=True)
class Mark:
    """How a state is drawn: the dot's token, and the sign in it: left, top, width, height in its sides."""

    tone: str
    bars: tuple[tuple[float, float, float, float], ...] = ()


#: What is shown of each state; the first state that holds, in this order, is the one.
MARKS: dict[str, Mark | None] = {
    "asking": Mark("warn", ((0.42, 0.16, 0.16, 0.42), (0.42, 0.68, 0.16, 0.16))),
    "paused": Mark("text_secondary", ((0.28, 0.25, 0.16, 0.5), (0.56, 0.25, 0.16, 0.5))),
    "driving": Mark("driving"),
    "idle": None,
}


class Tray(QObject):
    """Shown where the system has a tray; elsewhere it stays away and nothing else changes.

    `tab_chosen` carries the tabId of a recent tab.
    """

    show_panel = Signal()
    tab_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        activity: Activity,
        actions: Actions,
        gates: Gates,
        tabs: Tabs,
        subscriptions: Subscriptions,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._approvals = gates.approvals
        self._pause = gates.pause
        self._theme = theme
        self._activity = activity
        self._tabs = tabs
        self._used: list[str] = []
        self._look: tuple[str, bool] | None = None
        self._menu = QMenu(parent)
        actions.fill(self._menu, "tray")
        self._shoot = actions["shoot"]
        self._recent = QMenu("Recent tabs", parent)
        shown = self._menu.actions()
        self._menu.insertMenu(shown[shown.index(self._shoot) + 1], self._recent)
        self._recent.triggered.connect(lambda action: self.tab_chosen.emit(action.data()))
        #: What a person may be about to click stays. A desktop that draws the menu itself leaves it invisible to Qt.
        self._is_open = False
        self._recent.aboutToShow.connect(self._on_opened)
        self._recent.aboutToHide.connect(self._on_closed)
        self._throttle = Throttle(self, self._show_tabs)
        for signal in (tabs.added, tabs.changed, tabs.removed):
            subscriptions.connect(signal, self._on_tab)
        self._icon = QSystemTrayIcon(self)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._on_activated)
        subscriptions.connect(gates.pause.changed, self._show_state)
        for asks in (gates.approvals.added, gates.approvals.settled):
            subscriptions.connect(asks, lambda _ask: self._show_state())
        activity.changed.connect(self._show_state)
        theme.changed.connect(self._show_state)
        self._show_tabs()
        self._show_state()

    @property
    def menu(self) -> QMenu:
        """The menu of the icon."""
        return self._menu

    @property
    def recent(self) -> QMenu:
        """The part of it that names tabs."""
        return self._recent

    @property
    def is_available(self) -> bool:
        """Whether there is a tray the window can hide in."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    @property
    def tooltip(self) -> str:
        """The state in words."""
        return self._icon.toolTip()

    @property
    def state(self) -> str:
        """A key of `MARKS`."""
        if len(self._approvals):
            return "asking"
        if self._pause.is_on:
            return "paused"
        return "driving" if self._activity.drivers() else "idle"

    def show(self) -> None:
        """Put the icon in the tray, if there is one."""
        if self.is_available:
            self._icon.show()

    def hide(self) -> None:
        """Take the icon away."""
        self._icon.hide()

    def notify(self, title: str, text: str) -> None:
        """Have the desktop show a message: `title` is ours, `text` may be of a page or an agent."""
        if self._icon.isVisible():
            self._icon.showMessage(title, safe_text.unmarked(text), app_icon())

    def _show_state(self) -> None:
        state = self.state
        # Painted in every size it takes a while, and who drives changes more often than whether somebody does.
        if (look := (state, self._theme.is_dark)) != self._look:
            self._look = look
            self._icon.setIcon(state_icon(app_icon(), state, self._theme))
        names = ", ".join(
            safe_text.unmarked(safe_text.line(client.name, 40)) for client, _tab in self._activity.drivers()[:3]
        )
        words = {
            "asking": f"{figures.count(len(self._approvals), 'question')} for you",
            "paused": "agents are paused",
            "driving": f"driven by {names}",
        }
        tooltip = f"Kapture Panel: {words[state]}" if state in words else "Kapture Panel"
        if tooltip != self.tooltip:  # the desktop is told each time
            self._icon.setToolTip(tooltip)

    def _on_tab(self, tab: Tab) -> None:
        """A tab that came, or that somebody works in, is the latest."""
        known = tab.tab_id in self._used
        if self._tabs.find(tab.tab_id) is None:
            if known:
                self._used.remove(tab.tab_id)
        elif not known or tab.state == "executing":
            if known:
                self._used.remove(tab.tab_id)
            self._used.insert(0, tab.tab_id)
        self._throttle.ask()

    def _show_tabs(self) -> None:
        self._shoot.setEnabled(len(self._tabs) > 0)
        if not self._is_open:
            self._name_recent()

    def _name_recent(self) -> None:
        tabs = [tab for tab_id in self._used[:MAX_RECENT] if (tab := self._tabs.find(tab_id)) is not None]
        # An ampersand would be taken for the mark of a key.
        named = [(tab.tab_id, tab_names.name(tab, _RECENT_CHARS).replace("&", "&&")) for tab in tabs]
        if named != [(action.data(), action.text()) for action in self._recent.actions()]:
            self._recent.clear()
            for tab_id, words in named:
                self._recent.addAction(words).setData(tab_id)
        self._recent.setEnabled(bool(named))

    def _on_opened(self) -> None:
        self._name_recent()
        self._is_open = True

    def _on_closed(self) -> None:
        self._is_open = False
        self._throttle.ask()  # not at once: what was clicked is told after this

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.show_panel.emit()


def state_icon(icon: QIcon, state: str, theme: Theme) -> QIcon:
    """`icon` with the mark of `state` at its lower right, in every size it has."""
    mark = MARKS[state]
    if mark is None:
        return icon
    marked = QIcon()
    for size_px in ICON_SIZES_PX:
        marked.addPixmap(_marked(icon.pixmap(size_px, size_px), theme.vivid(mark.tone), theme.vivid("on_accent"), mark))
    return marked


def _marked(plain_pixmap: QPixmap, color: QColor, ink: QColor, mark: Mark) -> QPixmap:
    pixmap = QPixmap(plain_pixmap)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ratio = pixmap.devicePixelRatio()
    width, height = pixmap.width() / ratio, pixmap.height() / ratio
    side = width * _DOT_SHARE
    spot = QRectF(width - side, height - side, side, side)
    # A ring is cut out around it, so that it stands off on any ground.
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(spot.adjusted(-side * 0.15, -side * 0.15, side * 0.15, side * 0.15))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.drawEllipse(spot)
    painter.setBrush(ink)
    for x, y, wide, high in mark.bars:
        painter.drawRect(QRectF(spot.x() + side * x, spot.y() + side * y, side * wide, side * high))
    painter.end()
    return pixmap
