"""Add to your agent: choose a client, let the panel change its file, or copy the text for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QStackedLayout, QVBoxLayout, QWidget

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.installing import plans
from kapture_panel.installing.clients import CLIENTS, NAME, AgentClient, Server, Surroundings
from kapture_panel.installing.plans import Added, Plan
from kapture_panel.window.agents.change_card import ChangeCard
from kapture_panel.window.widgets.buttons import text_button
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.off_thread import OffThread
from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import Theme

_LIST_WIDTH_PX = 132
_ROW_PX = 24

#: Whose entry a client has → what is said of it.
_ADDED: dict[Added, str] = {
    "no": "Press Add, or do it by hand.",
    "another": "Another installation of Kapture is added here. Press Add to put this one in its place.",
    "this": "Kapture is added here. There is nothing left to do by hand.",
}

_NOT_HERE = "Not found on this computer. You can add Kapture to it all the same"

Start = Callable[[Coroutine[Any, Any, None], str], object]


def _names_here() -> set[str]:
    """Which clients have been on this computer."""
    surroundings = Surroundings.of_user()
    names = set()
    for client in CLIENTS:
        with suppress(KaptureError):  # where its file would be is not known on this system
            if client.is_here(surroundings):
                names.add(client.name)
    return names


class AgentSetup(QWidget):
    """`copied` carries the name of the client and what was shown for it.

    Args:
        start: runs a coroutine, see `Background.start`: files are read and written off the window's thread.
        off_thread: looks there where Kapture is added already, which the window may want before a loop runs.
    """

    copied = Signal(str, str)
    #: Kapture was written into the file of the client of this name.
    added = Signal(str)

    def __init__(self, mcp_config: str, start: Start, off_thread: OffThread, theme: Theme) -> None:
        super().__init__()
        self._off_thread = off_thread
        self._theme = theme
        self._was_chosen = False
        #: Names of the clients that are on this computer, once that is known.
        self._here: set[str] | None = None
        self._server = Server.of(mcp_config)
        self._start = start
        self.list = QListWidget()
        self.list.setProperty("kind", "boxed")
        self.list.addItems([client.name for client in CLIENTS])
        self.list.setUniformItemSizes(True)
        self.list.setFixedSize(_LIST_WIDTH_PX, len(CLIENTS) * _ROW_PX + 2)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("MCP clients")
        self.list.currentRowChanged.connect(self._show)
        theme.changed.connect(self._mark_here)
        self.add = text_button(theme, "mdi6.plus", "Add", lambda: self._look(self._adding))
        self.remove = text_button(theme, "mdi6.minus", "Remove", lambda: self._look(self._removing))
        self.where = Label(kind="secondary")
        self.where.setWordWrap(True)
        self.snippet = TextEdit(min_lines=1, max_lines=14, is_mono=True)
        self.snippet.setReadOnly(True)
        self.snippet.is_whole = True
        self.snippet.setAccessibleName("What to paste")
        self.copy = text_button(theme, "mdi6.content-copy", "Copy", self._on_copy)
        self.card = ChangeCard(theme)
        self.card.applied.connect(lambda plan: self._start(self._apply(plan), "Change the file"))
        self.card.closed.connect(self._close_card)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._page())
        self._pages.addWidget(self.card)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.list, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._pages, 1)
        self.list.setCurrentRow(0)
        self._was_chosen = False

    @property
    def client(self) -> AgentClient:
        """The chosen one."""
        return CLIENTS[self.list.currentRow()]

    def choose(self, name: str) -> None:
        """Show what the client called `name` wants."""
        self.list.setCurrentRow([client.name for client in CLIENTS].index(name))

    def offer(self, title: str, plan: Plan) -> None:
        """Show a change in place of what to copy, and ask whether it is wanted."""
        self._pages.setCurrentWidget(self.card)
        self.card.offer(title, plan)

    def tell(self, title: str, words: str) -> None:
        """Say there what came of it."""
        self._pages.setCurrentWidget(self.card)
        self.card.tell(title, words)

    def _page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        buttons = QHBoxLayout()
        for button in (self.add, self.copy, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addWidget(self.where)
        column.addWidget(self.snippet)
        # At the bottom, so that they stay where they are whichever client is chosen.
        column.addStretch(1)
        column.addLayout(buttons)
        return page

    def _show(self, _row: int) -> None:
        client = self.client
        self._was_chosen = True
        self._pages.setCurrentIndex(0)
        self._show_added(client, "no")
        self._look_up()
        snippet = client.snippet(self._server)
        # A line for a terminal is seen whole; in a file, a path that breaks cannot be read.
        is_line = "\n" not in snippet.strip()
        self.snippet.setLineWrapMode(TextEdit.LineWrapMode.WidgetWidth if is_line else TextEdit.LineWrapMode.NoWrap)
        self.snippet.setPlainText(snippet)
        for button, verb in ((self.add, "Add to"), (self.remove, "Remove from"), (self.copy, "Copy for")):
            button.setAccessibleName(f"{verb} {client.name}")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_up()
        self._off_thread.do(_names_here, self, self._show_here)

    def _show_here(self, names: set[str]) -> None:
        """Tell the clients that are on this computer from the others, and begin with one of them."""
        self._here = names
        self._mark_here()
        found = [client.name for client in CLIENTS if client.name in names]
        if found and not self._was_chosen and self.client.name not in names:
            self.choose(found[0])
            self._was_chosen = False
        self._look_up()

    def _mark_here(self) -> None:
        for row, client in enumerate(CLIENTS):
            is_here = not client.key or self._here is None or client.name in self._here
            item = self.list.item(row)
            item.setForeground(self._theme.color("text" if is_here else "text_secondary"))
            item.setToolTip("" if is_here else _NOT_HERE)

    def _look_up(self) -> None:
        """Find out whether Kapture is added to the chosen client: its file may have megabytes."""
        client = self.client
        if client.key and self.isVisible():
            self._off_thread.do(lambda: self._added(client), self, lambda added: self._show_added(client, added))

    def _added(self, client: AgentClient) -> Added:
        try:
            return plans.added(client, client.file(Surroundings.of_user()), self._server, NAME)
        except KaptureError:
            return "no"  # what keeps the file from being read is told once it is to be changed

    def _show_added(self, client: AgentClient, added: Added) -> None:
        """Offer what can be done there; an answer about a client that was left is dropped."""
        if client is not self.client:
            return
        focused = next((button for button in (self.add, self.remove) if button.hasFocus()), None)
        self.add.setVisible(bool(client.key) and added != "this")
        self.remove.setVisible(added != "no")
        if focused is not None and focused.isHidden():
            self.copy.setFocus(Qt.FocusReason.OtherFocusReason)
        said = [_ADDED[added]] if client.key else []
        if client.key and added == "no" and self._here is not None and client.name not in self._here:
            said.insert(0, f"{client.name} was not found on this computer.")
        self.where.setText(" ".join([*said, client.where] if added != "this" else said))

    def _on_copy(self) -> None:
        self.copied.emit(self.client.name, self.client.snippet(self._server))

    def _look(self, planned: Callable[[AgentClient], Plan]) -> None:
        self._start(self._offer(self.client, planned), f"Look at the file of {self.client.name}")

    def _adding(self, client: AgentClient) -> Plan:
        surroundings = Surroundings.of_user()
        # The person sees the whole file before it is written: it may well be the first of a client that is to come.
        return plans.adding(client, client.file(surroundings), self._server, NAME, surroundings, create=True)

    def _removing(self, client: AgentClient) -> Plan:
        return plans.removing(client, client.file(Surroundings.of_user()), NAME)

    async def _offer(self, client: AgentClient, planned: Callable[[AgentClient], Plan]) -> None:
        is_adding = planned == self._adding
        title = f"Add to {client.name}" if is_adding else f"Remove from {client.name}"
        try:
            plan = await asyncio.to_thread(planned, client)
        except KaptureError as error:
            if client is self.client:
                self.tell(f"{title}: nothing was changed", error.message)
            return
        if client is not self.client:
            return  # the person has gone on
        if not plan.has_changes:
            said = "It is already there" if is_adding else "There is nothing to remove"
            self.tell(title, f"{said}: {plan.path}")
            return
        if is_adding and plan.before is None and not client.is_here(Surroundings.of_user()):
            title += ", which does not seem to be installed. You can add it all the same"
        self.offer(title, plan)

    async def _apply(self, plan: Plan) -> None:
        try:
            done = await asyncio.to_thread(plans.carry_out, plan)
        except KaptureError as error:
            self.tell(f"{plan.client.name}: nothing was changed", error.message)
            return
        lines = [plan.client.then] if plan.adds else []
        verb = "Removed" if plan.after is None else "Made" if plan.before is None else "Changed"
        lines.append(f"{verb}: {done.path}")
        lines += [f"Copy of the old file: {done.backup}"] if done.backup else []
        self.tell(f"{plan.client.name}: done", "\n".join(lines))
        self._look_up()
        if plan.adds:
            self.added.emit(plan.client.name)

    def _close_card(self) -> None:
        is_declined = self.card.is_asking
        self._pages.setCurrentIndex(0)
        # Once something is done, not to Remove: two more presses of Enter would undo it.
        asking = self.remove if self.add.isHidden() else self.add
        (asking if is_declined else self.list).setFocus(Qt.FocusReason.OtherFocusReason)
