"""The first page: a browser, an agent, a first command; each step ticks itself off when it happens."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.widgets.buttons import text_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.step_card import StepCard
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

_WIDTH_PX = 1120
#: The first step, in a window with room and in a narrower one.
_LEFT_PX, _LEFT_NARROW_PX = 340, 240
_ROOMY_PX = 960
#: What a person can do once something was done.
_NEXT = (
    "What comes next:\n"
    "• Watch (F4) shows the page while agents work in it. Step in there to use your own mouse and keyboard.\n"
    "• Pause agents ({pause_keys}) stops them at once, until you let them go on.\n"
    "• What agents may do (F6) says when you are asked.\n"
    "• History lists all that was done. Export makes a recording or a script of it."
)


class WelcomeView(QScrollArea):
    """Takes the whole window until the person goes on (`left`). `next_wanted` comes when the button that has the focus
    goes: the next step shall have it, not the button that happens to be next.

    Args:
        setup: what brings an agent here.
        pause_keys: the shortcut that pauses agents.
    """

    start_browser = Signal()
    browser_setup = Signal()
    demo = Signal()
    left = Signal()
    next_wanted = Signal()

    def __init__(
        self,
        tabs: Tabs,
        clients: Clients,
        history: History,
        setup: QWidget,
        subscriptions: Subscriptions,
        theme: Theme,
        pause_keys: str,
    ) -> None:
        super().__init__()
        self._clients = clients
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Getting started")
        self._make_steps(setup, theme, _NEXT.format(pause_keys=pause_keys))
        self._lay_out()
        subscriptions.connect(tabs.added, self._on_tab)
        subscriptions.connect(clients.added, self._on_client)
        subscriptions.connect(clients.removed, self._on_client_gone)
        subscriptions.connect(history.settled, self._on_row)
        self._tick_what_is_there(tabs, history)

    def _make_steps(self, setup: QWidget, theme: Theme, what_next: str) -> None:
        self.browser = StepCard(
            1,
            "Connect a browser",
            "Kapture opens a browser with a profile of its own: log in there once and you stay logged in. Or use your "
            "own, with the logins it has.",
            "A tab is connected.",
        )
        self.start_button: QPushButton = text_button(
            theme, "mdi6.application-outline", "Start browser", self.start_browser.emit
        )
        self.start_button.setProperty("kind", "primary")
        theme.tint(self.start_button, "mdi6.application-outline", "on_accent")
        self.setup_button = text_button(theme, "mdi6.web", "Use your own browser", self.browser_setup.emit)
        self.browser.add(self.start_button)
        self.browser.add(self.setup_button)
        self.command = StepCard(
            3,
            "Run a first command",
            "Let your agent do something, try a command in its form yourself, or see the demo's agent at work.",
            "A command was run; it is in the history.",
        )
        self.next = Label(what_next, kind="secondary")
        self.next.setWordWrap(True)
        self.next.hide()
        self.command.add(self.next, 1)
        self.go_button = text_button(theme, "mdi6.arrow-right", "Open the commands", self.left.emit)
        self.demo_button = text_button(theme, "mdi6.play-circle-outline", "See the demo", self.demo.emit)
        self.command.add_beside(self.demo_button)
        self.command.add_beside(self.go_button)
        self.agent = StepCard(
            2,
            "Add to your agent",
            "Choose your agent's program. You see the change first. The program starts Kapture when it needs it.",
            "An agent is connected. You can add another.",
        )
        self.agent.add(setup, 1)

    def _tick_what_is_there(self, tabs: Tabs, history: History) -> None:
        for step, is_done in ((self.browser, tabs), (self.agent, self._clients.agents()), (self.command, history)):
            if len(is_done):
                self._tick(step)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.browser.setFixedWidth(_LEFT_PX if self.width() >= _ROOMY_PX else _LEFT_NARROW_PX)
        super().resizeEvent(event)

    def set_starting(self, is_starting: bool) -> None:
        """Show that the browser is on its way."""
        had_focus = self.start_button.hasFocus()
        self.start_button.setEnabled(not is_starting)
        if had_focus and is_starting:
            self.next_wanted.emit()
        self.start_button.setText("Starting …" if is_starting else "Start browser")

    def tell_added(self, client: str) -> None:
        """An agent's client has Kapture in its file now; it need not be here yet."""
        if not self._clients.agents():
            self._tick(self.agent, f"{client} has Kapture now. Restart {client}. You can add another.")

    def _tick(self, step: StepCard, said: str = "") -> None:
        step.tick(said)
        if step is self.browser:
            had_focus = self.start_button.hasFocus()
            self.start_button.hide()
            if had_focus:
                self.next_wanted.emit()
        if step is self.command:
            self.next.show()
            self.go_button.setText("Show the whole panel")
        if all(one.is_done for one in (self.browser, self.agent, self.command)):
            self.headline.setText("All set")

    def _on_tab(self, _tab: Tab) -> None:
        self._tick(self.browser)

    def _on_client(self, client: Client) -> None:
        if client.kind == "agent":
            self._tick(self.agent)

    def _on_client_gone(self, client: Client) -> None:
        if client.kind == "agent" and not self._clients.agents():
            self._tick(self.agent, "An agent was connected. You can add another.")

    def _on_row(self, row: Row) -> None:
        if row.state == "ok":
            self._tick(self.command)

    def _lay_out(self) -> None:
        first_two = QHBoxLayout()
        first_two.setSpacing(16)
        first_two.addWidget(self.browser)
        first_two.addWidget(self.agent, 1)
        self.browser.setFixedWidth(_LEFT_PX)
        self.browser.finish()
        steps = QVBoxLayout()
        steps.setSpacing(16)
        steps.addLayout(first_two)
        steps.addWidget(self.command)
        body = QWidget()
        body.setMaximumWidth(_WIDTH_PX)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.headline = Label("Welcome to Kapture", kind="headline")
        column.addWidget(self.headline)
        hint = Label(
            "Your agents work in the tabs of a real browser. Here you see what they do, and can act yourself.",
            kind="secondary",
        )
        hint.setWordWrap(True)
        column.addWidget(hint)
        column.addSpacing(14)
        column.addLayout(steps)
        page = QWidget()
        page.setProperty("kind", "page")
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(body, 100)
        across.addStretch(1)
        outer = QVBoxLayout(page)
        outer.setContentsMargins(32, 16, 32, 16)
        # A little above the middle looks like the middle.
        outer.addStretch(2)
        outer.addLayout(across)
        outer.addStretch(3)
        self.setWidget(page)
