"""Add to your agent: choose a client, copy what it wants."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPlainTextEdit, QVBoxLayout, QWidget

from kapture_panel.window.agent_clients import clients
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.buttons import text_button
from kapture_panel.window.views.label import Label

_LIST_WIDTH_PX = 132
_ROW_PX = 24


class AgentSetup(QWidget):
    """`copied` carries the name of the client and what was shown for it."""

    copied = Signal(str, str)

    def __init__(self, mcp_config: str, theme: Theme) -> None:
        super().__init__()
        self._clients = clients(mcp_config)
        self.list = QListWidget()
        self.list.setProperty("kind", "boxed")
        self.list.addItems([client.name for client in self._clients])
        self.list.setUniformItemSizes(True)
        self.list.setFixedSize(_LIST_WIDTH_PX, len(self._clients) * _ROW_PX + 2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("MCP clients")
        self.list.currentRowChanged.connect(self._show)
        self.where = Label(kind="secondary")
        self.where.setWordWrap(True)
        self.snippet = QPlainTextEdit()
        self.snippet.setReadOnly(True)
        self.snippet.setProperty("mono", True)
        self.snippet.setTabChangesFocus(True)
        self.snippet.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.snippet.setMinimumHeight(96)
        self.snippet.setAccessibleName("What to paste")
        self.copy = text_button(theme, "mdi6.content-copy", "Copy", self._on_copy)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.where)
        right.addWidget(self.snippet, 1)
        right.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.list, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(right, 1)
        self.list.setCurrentRow(0)

    def choose(self, name: str) -> None:
        """Show what the client called `name` wants."""
        self.list.setCurrentRow([client.name for client in self._clients].index(name))

    def _show(self, row: int) -> None:
        client = self._clients[row]
        self.where.setText(client.where)
        self.snippet.setPlainText(client.snippet)
        self.copy.setAccessibleName(f"Copy for {client.name}")

    def _on_copy(self) -> None:
        client = self._clients[self.list.currentRow()]
        self.copied.emit(client.name, client.snippet)
