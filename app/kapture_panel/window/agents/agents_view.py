"""Who is connected and how it goes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextOption
from PySide6.QtWidgets import QListView, QMenu, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.core.registry.clients import Client
from kapture_panel.window.agents.agent_delegate import AgentDelegate
from kapture_panel.window.agents.agents_model import AgentsModel
from kapture_panel.window.widgets.buttons import icon_button, text_button
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.empty_state import EmptyState
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.theme import Theme

_CONFIG_FRAME_PX = 18
#: What stands above and below the configuration.
_CONFIG_AROUND_PX = 150


class AgentsView(QWidget):
    """The agents, or while there is none how to bring one here: `add_asked` wants it done.

    `disconnect_asked` carries the client to show out, `policy_asked` the one whose rules are to be seen.
    """

    copy_config = Signal()
    add_asked = Signal()
    disconnect_asked = Signal(object)
    policy_asked = Signal(object)

    def __init__(self, model: AgentsModel, mcp_config: str, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._in_sight: Client | None = None
        self.title_bar = TitleBar("Agents", theme)
        self._theme = theme
        self.list = agents = QListView()
        agents.setModel(model)
        agents.setItemDelegate(AgentDelegate(theme, agents))
        agents.setResizeMode(QListView.ResizeMode.Adjust)
        agents.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)  # a row may be as high as the list
        model.dataChanged.connect(agents.scheduleDelayedItemsLayout)
        model.dataChanged.connect(self._keep_a_row)
        agents.setAccessibleName("Connected agents and terminals")
        agents.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        agents.customContextMenuRequested.connect(self._on_menu)
        self.may_button = icon_button(theme, "mdi6.shield-check-outline", "What the chosen agent may do")
        self.may_button.clicked.connect(lambda: self.policy_asked.emit(self.chosen))
        self.disconnect_button = icon_button(theme, "mdi6.link-off", "Disconnect the chosen agent")
        self.disconnect_button.clicked.connect(lambda: self.disconnect_asked.emit(self.chosen))
        for button in (self.may_button, self.disconnect_button):
            self.title_bar.add(button)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty(mcp_config, theme))
        self._stack.addWidget(agents)
        #: The page that is shown while there is no agent.
        self._none = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        model.rowsInserted.connect(self._on_rows)
        model.rowsRemoved.connect(self._on_rows)
        self._on_rows()

    @property
    def chosen(self) -> Client | None:
        """The agent the buttons are about."""
        found: Client | None = self.list.currentIndex().data(ITEM)
        return found

    def keep_in_sight(self, client: Client | None) -> None:
        """Have the agent whose question is shown in sight, whichever is chosen, also when the list becomes smaller."""
        self._in_sight = client
        self._scroll()

    def menu_for(self, client: Client) -> QMenu:
        """What can be done with an agent."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        may = menu.addAction(self._theme.icon("mdi6.shield-check-outline"), "What it may do …")
        may.triggered.connect(lambda: self.policy_asked.emit(client))
        action = menu.addAction(self._theme.icon("mdi6.link-off"), "Disconnect")
        action.triggered.connect(lambda: self.disconnect_asked.emit(client))
        return menu

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_a_row()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The configuration is shown whole or not at all: it can be copied either way."""
        super().resizeEvent(event)
        config = self.config
        lines = config.document().documentLayout().documentSize().height()
        config.setFixedHeight(int(lines * config.fontMetrics().lineSpacing()) + _CONFIG_FRAME_PX)
        # The hint's words are about the configuration; the button that copies it says enough.
        for part in (self.hint, config):
            part.setVisible(config.height() + _CONFIG_AROUND_PX <= self.height())
        self._keep_a_row()
        self._scroll()

    def _keep_a_row(self) -> None:
        """A question needs the room more than a list that scrolls, which is left with its highest row."""
        if not self.isVisible():
            return  # rows change many times a second, and each is measured
        rows_px = [self.list.sizeHintForIndex(self._model.index(row)).height() for row in range(self._model.rowCount())]
        self._stack.setMinimumHeight(max(rows_px, default=0) + 2 * self.list.frameWidth())

    def _scroll(self) -> None:
        for row in range(self._model.rowCount()):
            index = self._model.index(row)
            if index.data(ITEM) is self._in_sight:
                self.list.scrollTo(index)

    def _on_menu(self, at: QPoint) -> None:
        index = self.list.indexAt(at)
        if index.isValid():
            self.menu_for(index.data(ITEM)).popup(self.list.viewport().mapToGlobal(at))

    def offer_nothing(self, what: str, how: str) -> None:
        """Say this while there is no agent, in place of the ways to bring one here."""
        self._none = self._stack.addWidget(EmptyState(what, how))
        self._on_rows()

    def _empty(self, mcp_config: str, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(Label("No agent is connected", kind="strong"))
        self.add = text_button(theme, "mdi6.plus", "Add to your agent …", self.add_asked.emit)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        self.hint = Label("Or put this into its MCP configuration:", kind="secondary")
        self.hint.setWordWrap(True)
        column.addWidget(self.hint)
        self.config = config = QPlainTextEdit(mcp_config)
        config.setReadOnly(True)
        config.setProperty("mono", True)
        config.setTabChangesFocus(True)
        config.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        config.setAccessibleName("MCP configuration")
        config.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(config)
        copy = text_button(theme, "mdi6.content-copy", "Copy MCP config", self.copy_config.emit)
        column.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        return page

    def _on_rows(self) -> None:
        number = self._model.rowCount()
        self.title_bar.say(str(number) if number else "")
        self._stack.setCurrentIndex(1 if number else self._none)
        if number and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._model.index(0))
        for button in (self.may_button, self.disconnect_button):
            button.setVisible(number > 0)
        self._keep_a_row()
