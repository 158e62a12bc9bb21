"""The status bar: address, tabs, agents, the last command's time, what the doctor found."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStatusBar

from kapture_panel.core.answer import Answer
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.services import Services
from kapture_panel.window.widgets import figures, plain
from kapture_panel.window.widgets.actions import entry
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.links import Links
from kapture_panel.window.widgets.notices_model import NoticesModel
from kapture_panel.window.widgets.theme import Theme, mark
from kapture_panel.window.widgets.throttle import Throttle


class StatusLine(QStatusBar):
    """Follows the stores by itself; at its right are the browsers, the doctor and the notices."""

    notices_asked = Signal()
    doctor_asked = Signal()
    browsers_asked = Signal()

    def __init__(self, services: Services, links: Links, theme: Theme, notices: NoticesModel) -> None:
        super().__init__()
        self._services = services
        self._last_ms: float | None = None
        self.setSizeGripEnabled(False)
        self.setFixedHeight(theme.px("statusbar"))
        self.setAccessibleName("Status")
        self._dot = Label("●", tone="listening")
        self._address = Label(services.address, kind="small")
        self._tabs = Label(kind="small")
        self._agents = Label(kind="small")
        self._last = Label(kind="small")
        for label in (self._dot, self._address, self._tabs, self._agents, self._last):
            self.addWidget(label)
        self.browsers = icon_button(theme, "mdi6.monitor-multiple", "Your browsers", self.browsers_asked.emit)
        self.browsers.setText("Browsers")
        self.browsers.setProperty("kind", "bell")
        self.browsers.setToolTip(plain.tooltip(f"Your paired browsers ({entry('browsers').shown_keys})"))
        self.browsers.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.browsers.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addPermanentWidget(self.browsers)
        self.doctor = icon_button(theme, "mdi6.stethoscope", "Doctor", self.doctor_asked.emit)
        self.doctor.setText("Doctor")
        self.doctor.setProperty("kind", "bell")
        self.doctor.setToolTip(plain.tooltip(f"Try every link to the page ({entry('doctor').shown_keys})"))
        self.doctor.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.doctor.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addPermanentWidget(self.doctor)
        self._notices = notices
        self.bell = icon_button(theme, "mdi6.bell-outline", "Notices", self.notices_asked.emit)
        self.bell.setProperty("kind", "bell")
        self.bell.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.bell.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addPermanentWidget(self.bell)
        notices.unread_changed.connect(self._show_unread)
        self._show_unread()
        self._throttle = Throttle(self, self._show)
        links.connect(services.tabs.added, self._on_changed)
        links.connect(services.tabs.removed, self._on_changed)
        links.connect(services.clients.added, self._on_changed)
        links.connect(services.clients.removed, self._on_changed)
        links.connect(services.router.answered, self._on_answered)
        self._show()

    @property
    def words(self) -> str:
        """All that is said, as one line."""
        labels = (self._address, self._tabs, self._agents, self._last)
        return " · ".join(label.text() for label in labels if label.text())

    def show_verdict(self, words: str, tone: str) -> None:
        """Say what the doctor found last; without words nothing is known."""
        self.doctor.setText(f"Doctor: {words}" if words else "Doctor")
        self.doctor.setAccessibleName(self.doctor.text())
        mark(self.doctor, tone=tone)

    def _show_unread(self) -> None:
        unread = self._notices.unread
        self.bell.setText(figures.count(unread, "unread error") if unread else "Notices")
        self.bell.setAccessibleName(f"Notices: {self.bell.text()}" if unread else "Notices")
        self.bell.setToolTip(plain.tooltip(f"Notices ({entry('notices').shown_keys})"))
        mark(self.bell, tone="error" if unread else "")

    def _on_changed(self, _what: Tab | Client) -> None:
        self._throttle.ask()

    def _on_answered(self, _client: Client, answer: Answer) -> None:
        self._last_ms = answer.ms
        self._throttle.ask()

    def _show(self) -> None:
        self._tabs.setText(figures.count(len(self._services.tabs), "tab"))
        self._agents.setText(figures.count(len(self._services.clients.agents()), "agent"))
        self._last.setText(f"last {figures.duration(self._last_ms)}" if self._last_ms is not None else "")
