"""The status bar: address, tabs, agents, the last command's time, and the buttons of rooms."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStatusBar, QToolButton

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.actions import Actions
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import ICON_GAP_PX, Theme
from kapture_panel.window.widgets.throttle import Throttle

_ADDRESS_TIP = "Here the extension in your browsers reaches this panel. Other machines cannot"
#: Around each part.
_GAP_PX = 10


class StatusLine(QStatusBar):
    """Follows the stores by itself; rooms put their buttons at its right."""

    def __init__(self, actions: Actions, theme: Theme) -> None:
        super().__init__()
        self._actions = actions
        self._theme = theme
        self._count: Callable[[], tuple[int, int, int]] = lambda: (0, 0, 0)
        self._last_ms: float | None = None
        self._buttons: list[QToolButton] = []
        self.setSizeGripEnabled(False)
        self.setFixedHeight(theme.px("statusbar"))
        self.setAccessibleName("Status")
        self._dot = Label("●", tone="listening")
        self._address = Label(kind="small")
        self._tabs = Label(kind="small")
        self._agents = Label(kind="small")
        self._last = Label(kind="small")
        for label, tip in (
            (self._dot, _ADDRESS_TIP),
            (self._address, _ADDRESS_TIP),
            (self._tabs, "The tabs that are connected: agents see no others"),
            (self._agents, "The agents that are connected, and the terminals in which `kapture` was used just now"),
            (self._last, "How long the last command took"),
        ):
            label.setToolTip(safe_text.tooltip(tip))
            label.setAccessibleDescription(tip)
            self.addWidget(label)
        self._throttle = Throttle(self, self._show)

    def follow(
        self,
        address: str,
        tabs: Tabs,
        clients: Clients,
        answered: Signal[Client, Answer],
        subscriptions: Subscriptions,
    ) -> None:
        """Show how many there are of both from now on.

        Args:
            address: where the extension connects, in words.
            answered: tells every answer, of which the time is shown.
        """
        self._address.setText(address)
        self._count = lambda: (len(tabs), len(clients.agents()), len(clients.all_but_the_person()))
        subscriptions.connect(tabs.added, self._on_changed)
        subscriptions.connect(tabs.removed, self._on_changed)
        subscriptions.connect(clients.added, self._on_changed)
        subscriptions.connect(clients.removed, self._on_changed)
        subscriptions.connect(answered, self._on_answered)
        self._show()

    @property
    def words(self) -> str:
        """All that is said, as one line."""
        labels = (self._address, self._tabs, self._agents, self._last)
        return " · ".join(label.text() for label in labels if label.text())

    def add_button(self, name: str, words: str, tip: str) -> QToolButton:
        """A button that does the action called `name`; its tooltip is `tip` and the keys of that."""
        one = self._actions.entry(name)
        button = icon_button(self._theme, one.icon, words, lambda: self._actions[name].trigger())
        button.setText(words)
        button.setProperty("kind", "bell")
        button.setToolTip(safe_text.tooltip(f"{tip} ({one.shown_keys})"))
        button.setIconSize(button.iconSize() + QSize(ICON_GAP_PX, 0))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addPermanentWidget(button)
        self._buttons.append(button)
        return button

    def _on_changed(self, _what: Tab | Client) -> None:
        self._throttle.ask()

    def _on_answered(self, _client: Client, answer: Answer) -> None:
        if answer.row_id:  # what the panel asks for itself is in no history
            self._last_ms = answer.ms
            self._throttle.ask()

    def _show(self) -> None:
        tabs, agents, all_clients = self._count()
        self._tabs.setText(figures.count(tabs, "tab"))
        terminals = f" · {figures.count(all_clients - agents, 'terminal')}" if all_clients > agents else ""
        self._agents.setText(figures.count(agents, "agent") + terminals)
        self._last.setText(f"last command {figures.duration(self._last_ms)}" if self._last_ms is not None else "")
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a button says something else
            self._share_room()
        return super().event(event)

    def _share_room(self) -> None:
        """Leave out how long the last command took before anything is cut."""
        parts = [self._dot, self._address, self._tabs, self._agents, self._last, *self._buttons]
        needed_px = sum(part.sizeHint().width() + _GAP_PX for part in parts)
        self._last.setVisible(bool(self._last.text()) and needed_px <= self.width())
