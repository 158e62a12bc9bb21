"""The middle of the window: choose a command, fill it in, run it, see what it answered."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from kapture_panel.core import tasks
from kapture_panel.core.catalogue import Catalogue, Command
from kapture_panel.core.clients import Client
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.router import Router
from kapture_panel.core.tabs import Tab
from kapture_panel.window import plain
from kapture_panel.window.forms.params_json import ParamsError
from kapture_panel.window.forms.segments import Segments
from kapture_panel.window.pictures import Pictures
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.command_list import CommandList
from kapture_panel.window.views.dock import TitleBar
from kapture_panel.window.views.params_view import ParamsView
from kapture_panel.window.views.result_view import ResultView
from kapture_panel.window.views.run_bar import RunBar

log = logging.getLogger(__name__)

_LIST_WIDTH_PX = 180
_FIRST_COMMAND = "kapturemcp_navigate"


class CommandView(QWidget):
    """Runs commands as the person, one at a time.

    `answered` carries every answer of a run begun here.
    """

    answered = Signal(object)

    def __init__(self, catalogue: Catalogue, router: Router, person: Client, theme: Theme, pictures: Pictures):
        super().__init__()
        self._router = router
        self._person = person
        self._tab: Tab | None = None
        self._command = catalogue.get(_FIRST_COMMAND)
        self._task: asyncio.Task[None] | None = None
        self.title_bar = TitleBar("Command", theme)
        self.mode = Segments(("Form", "JSON"), "Edit parameters as")
        self.mode.choose([0])
        self.mode.picked.connect(self._on_mode)
        self.title_bar.add(self.mode)
        self.list = CommandList(catalogue, theme)
        self.params = ParamsView()
        self.run_bar = RunBar(theme)
        self.result = ResultView(theme, pictures)
        self.list.chosen.connect(self._on_chosen)
        self.params.edited.connect(self.params.updateGeometry)
        self.params.left_changed.connect(self.run_bar.indent)
        self.run_bar.run.connect(self.run)
        self.run_bar.cancel.connect(self.cancel)
        self._lay_out()
        for keys, slot in ((("Ctrl+Return", "Ctrl+Enter"), self.run), (("Escape",), self.cancel)):
            for key in keys:
                shortcut = QShortcut(QKeySequence(key), self)
                shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                shortcut.activated.connect(slot)
        self.list.choose(_FIRST_COMMAND)

    @property
    def command(self) -> Command:
        """The command in the form."""
        return self._command

    @property
    def task(self) -> asyncio.Task[None] | None:
        """The run under way."""
        return self._task

    @property
    def reading_order(self) -> list[QWidget]:
        """The parts, first the one a person begins with."""
        return [self.list, self.title_bar, self.params, self.run_bar, self.result]

    def set_tab(self, tab: Tab | None) -> None:
        """Make `tab` the one commands are for."""
        self._tab = tab
        self._say_where()

    def open(self, name: str, params: dict[str, Any]) -> None:
        """Put a command of the past into the form, to edit and run it."""
        self._show_form()
        self.list.choose(self._router.catalogue.get(name).name)
        if self.params.form is not None:
            self.params.form.open_again(params)

    def run(self) -> None:
        """Validate what is in the form and run it."""
        if self._task is not None:
            return
        self.params.clear_errors()
        try:
            params = self.params.read()
            if self._command.scope == "tab" and self._tab is not None:
                params = {"tabId": self._tab.tab_id, **params}
            self._command.validate(params)
        except ParamsError:
            return  # shown under the JSON
        except KaptureError as error:
            param = str(error.details.get("param", ""))
            message = error.message.removeprefix(f"{self._command.short_name}: ")
            if not self.params.is_json:
                message = message.removeprefix(f"{param} ")  # it stands under the field
            self.params.show_error(param, message)
            return
        self.run_bar.begin()
        self.result.clear()
        self._task = tasks.spawn(self._run(self._command, params), f"person runs {self._command.short_name}")

    def cancel(self) -> None:
        """Take the running command back."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, command: Command, params: dict[str, Any]) -> None:
        try:
            answer = await self._router.run(self._person, command.name, params)
        except KaptureError as error:
            self.result.show_error(error, self.run_bar.elapsed_ms)
        except asyncio.CancelledError:
            self.result.show_cancelled(self.run_bar.elapsed_ms)
        except Exception as error:  # the outermost door of a person's command
            log.exception("%s failed", command.short_name)
            self.result.show_error(KaptureError("INTERNAL", f"{error}; see the log"), self.run_bar.elapsed_ms)
        else:
            self.result.show_answer(answer)
            self.answered.emit(answer)
        finally:
            self._task = None
            self.run_bar.end()

    def _on_chosen(self, command: Command) -> None:
        self._command = command
        self.params.show_command(command)
        self._say_where()

    def _say_where(self) -> None:
        tab = self._tab
        where = f"on “{plain.line(tab.title or tab.url, 200)}”" if tab else "no tab chosen"
        self.title_bar.say(where if self._command.scope == "tab" else "")

    def _on_mode(self, number: int) -> None:
        if not self.params.show_json(number == 1):
            self.mode.choose([1])

    def _show_form(self) -> None:
        """Leave the JSON, whatever is in it, because something else is to be shown in the form."""
        if self.params.is_json and not self.params.show_json(False):
            self.params.json.show_text("{}")
            self.params.show_json(False)
        self.mode.choose([0])

    def _lay_out(self) -> None:
        rule = QFrame()
        rule.setProperty("kind", "ruled")
        rule.setFixedHeight(1)
        work = QWidget()
        work.setMinimumWidth(300)
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.params)
        column.addWidget(self.run_bar)
        column.addWidget(rule)
        column.addWidget(self.result, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(work)
        split.setStretchFactor(1, 1)
        split.setSizes([_LIST_WIDTH_PX, 800])
        body = QHBoxLayout()
        body.addWidget(split)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.title_bar)
        whole.addLayout(body, 1)
