"""Who is connected and how it goes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QListView, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.window.models.agents_model import AgentsModel
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.buttons import text_button
from kapture_panel.window.views.dock import TitleBar
from kapture_panel.window.views.label import Label
from kapture_panel.window.views.row_delegate import RowDelegate


class AgentsView(QWidget):
    """The agents, or while there is none how to bring one here: `add_asked` wants it done."""

    copy_config = Signal()
    add_asked = Signal()

    def __init__(self, model: AgentsModel, mcp_config: str, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.title_bar = TitleBar("Agents", theme)
        agents = QListView()
        agents.setModel(model)
        agents.setItemDelegate(RowDelegate(theme, agents))
        agents.setUniformItemSizes(True)
        agents.setAccessibleName("Connected agents")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty(mcp_config, theme))
        self._stack.addWidget(agents)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        model.rowsInserted.connect(self._on_rows)
        model.rowsRemoved.connect(self._on_rows)
        self._on_rows()

    def _empty(self, mcp_config: str, theme: Theme) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(Label("No agent is connected", kind="strong"))
        self.add = text_button(theme, "mdi6.plus", "Add to your agent …", self.add_asked.emit)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        hint = Label("Or put this into its MCP configuration:", kind="secondary")
        hint.setWordWrap(True)
        column.addWidget(hint)
        config = QPlainTextEdit(mcp_config)
        config.setReadOnly(True)
        config.setProperty("mono", True)
        config.setTabChangesFocus(True)
        config.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        config.setAccessibleName("MCP configuration")
        config.setMaximumHeight(160)
        column.addWidget(config)
        copy = text_button(theme, "mdi6.content-copy", "Copy configuration", self.copy_config.emit)
        column.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        return page

    def _on_rows(self) -> None:
        number = self._model.rowCount()
        self.title_bar.say(str(number) if number else "")
        self._stack.setCurrentIndex(1 if number else 0)
