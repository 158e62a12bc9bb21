"""The middle of the window: choose a command, fill it in, run it, see what it answered."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.services import Services
from kapture_panel.window.command.command_list import CommandList
from kapture_panel.window.command.forms.kept_values import KeptValues
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.command.forms.template_dialog import TemplateDialog
from kapture_panel.window.command.forms.templates_menu import TemplatesMenu
from kapture_panel.window.command.match_counter import MatchCounter
from kapture_panel.window.command.params_view import ParamsView
from kapture_panel.window.command.result_view import ResultView
from kapture_panel.window.command.run_bar import RunBar
from kapture_panel.window.widgets import plain
from kapture_panel.window.widgets.actions import bind
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.params_json import ParamsError
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.theme import Theme

log = logging.getLogger(__name__)

_LIST_WIDTH_PX = 180
_FIRST_COMMAND = "kapturemcp_navigate"


def _page_name(tab: Tab | None) -> str:
    """What the page of a tab may be called in a file's name: the end of its path, or its host; empty for neither."""
    parts = urlsplit(tab.url if tab is not None else "")
    last = PurePosixPath(parts.path).stem
    return last if re.fullmatch(r"[\w-]{1,40}", last) else parts.hostname or ""


class _Rest(QWidget):
    """What the form leaves of a small window: the form has its height first, whatever words come into the answer."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        content.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(content)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        # Lines that wrap have one, and a layout takes it for the least.
        return False


class CommandView(QWidget):
    """Runs commands as the person, one at a time.

    `answered` carries every answer of a run begun here; `began` comes with the command when one begins, `ended` when
    it is over, however it went.
    """

    answered = Signal(object)
    began = Signal(object)
    ended = Signal()
    #: The person has chosen an element in the page, or given that up there.
    picked = Signal()

    def __init__(self, services: Services, theme: Theme, pictures: Pictures) -> None:
        super().__init__()
        catalogue = services.catalogue
        self._services = services
        self._kept = KeptValues(services.settings)
        self._picking: asyncio.Task[None] | None = None
        self._tab: Tab | None = None
        self._url = ""
        self._command = catalogue.get(_FIRST_COMMAND)
        self._task: asyncio.Task[None] | None = None
        self.title_bar = TitleBar("Command", theme)
        self.mode = Segments(("Form", "JSON"), "Edit parameters as")
        self.mode.choose([0])
        self.mode.picked.connect(self._on_mode)
        self.title_bar.add(self.mode)
        self.list = CommandList(catalogue, theme)
        self.params = ParamsView(theme, self._kept)
        self.run_bar = RunBar(theme)
        self.result = ResultView(theme, pictures, services.mcp_config)
        self.templates = TemplatesMenu(self._kept, self)
        self.run_bar.templates_button.setMenu(self.templates)
        self.templates.chosen.connect(self._on_template)
        self.templates.save_asked.connect(self.save_template)
        self.params.pick_asked.connect(self._on_pick_asked)
        self._matches = MatchCounter(services.count, lambda: self._tab, self)
        self.params.selector_typed.connect(self._matches.on_typed)
        self.list.chosen.connect(self._on_chosen)
        self.list.entered.connect(self.params.focus_first)
        self.params.edited.connect(self.params.updateGeometry)
        self.params.left_changed.connect(self.run_bar.indent)
        self.run_bar.run.connect(self.run)
        self.run_bar.cancel.connect(self.cancel)
        self._lay_out()
        bind("run", self, self.run)
        bind("cancel", self, self.cancel)
        self.list.choose(_FIRST_COMMAND)

    @property
    def deeds(self) -> dict[str, Callable[[], object]]:
        """What can be done here from elsewhere, by the names of the table of actions."""
        return {
            "run": self.run,
            "cancel": self.cancel,
            "pick": self.pick,
            "save_template": self.save_template,
            "search_result": self.result.search,
            "copy_as": self.result.show_copy_menu,
        }

    @property
    def possible(self) -> dict[str, bool]:
        """Which of `deeds` would do something now."""
        is_picking = self._picking is not None
        return {
            "run": self._task is None,
            "cancel": self._task is not None or is_picking,
            "pick": self._target is not None and not self.params.is_json and not is_picking,
            "search_result": self.result.search_button.isVisibleTo(self) and self.result.search_button.isEnabled(),
            "copy_as": self.result.copy_button.isVisibleTo(self),
        }

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
        if tab is not self._tab:
            self.end_pick()
            self._forget_picked()
        self._tab = tab
        self._url = tab.url if tab is not None else ""
        self._say_where()
        self._propose()

    def on_tab_changed(self, tab: Tab) -> None:
        """Another page in the tab has not what was picked in the one before."""
        if tab is self._tab and tab.url != self._url:
            self._url = tab.url
            self._forget_picked()
            self._propose()

    def on_navigated(self, tab: Tab) -> None:
        """Another document in the tab has not what was found in the one before, under the same address either."""
        if tab is self._tab:
            self._forget_picked()

    def open(self, name: str, params: dict[str, Any]) -> None:
        """Put a command of the past into the form; a value that was not kept gets the focus."""
        self._show_form()
        self.list.choose(self._services.catalogue.get(name).name)
        self._forget_picked()
        if self.params.form is not None:
            asking = self.params.form.open_again(params)
            if asking is not None:
                asking.setFocus(Qt.FocusReason.OtherFocusReason)

    def run(self) -> None:
        """Validate what is in the form and run it."""
        if self._task is not None:
            return
        self.params.clear_errors()
        try:
            params = self.params.read()
        except ParamsError:
            return  # shown under the JSON
        if self._command.scope == "tab" and self._tab is not None:
            params = {"tabId": self._tab.tab_id, **params}
        try:
            self._command.validate(params)
        except KaptureError as error:
            param = str(error.details.get("param", ""))
            message = error.message.removeprefix(f"{self._command.short_name}: ")
            form = self.params.form
            if form is not None and not self.params.is_json:
                # It stands under the field.
                short = self._command.problem(params) or form.missing(params)
                param, message = short or (param, message.removeprefix(f"{param} "))
            self.params.show_error(param, message)
            if form is not None and not self.params.is_json and any(param in field.names for field in form.fields):
                form.field(param).setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._kept.keep_last(self._command, params)
        # The answer that goes would take the focus out of reach of Escape with it.
        if self.result.isAncestorOf(self.window().focusWidget()):
            self.run_bar.run_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.run_bar.begin()
        self.result.begin(self._command, params)
        self.began.emit(self._command)
        self._task = tasks.spawn(self._run(self._command, params), f"person runs {self._command.short_name}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a field of one line runs, as it does in an address bar."""
        focused = QApplication.focusWidget()
        is_line = isinstance(focused, QLineEdit | QAbstractSpinBox) and self.params.isAncestorOf(focused)
        if is_line and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.run()
        else:
            super().keyPressEvent(event)

    def toggle_json(self) -> None:
        """Edit the parameters the other way."""
        wanted = 0 if self.params.is_json else 1
        self.mode.choose([wanted])
        self._on_mode(wanted)

    def cancel(self) -> None:
        """Take the running command back; with none, end choosing in the page, then what that offers."""
        target = self._target
        if self._task is not None:
            self._task.cancel()
        elif self._picking is not None:
            self.end_pick()
        elif target is not None:
            target.close_picks()

    def pick(self) -> None:
        """Let the person choose the target in the page."""
        if self._target is not None:
            self._on_pick_asked(self._target)

    def end_pick(self) -> None:
        """End choosing an element in the page, if that goes on."""
        if self._picking is not None:
            self._picking.cancel()

    def put_position(self, x: float, y: float) -> bool:
        """Aim the command in the form at a point of the viewport.

        Returns:
            Whether it has a target, and can be read if it is JSON.
        """
        target = self._target
        if target is None:
            return False
        if not self.params.is_json:
            target.put_position(x, y)
            return True
        try:
            others = {name: value for name, value in self.params.read().items() if name not in target.names}
        except ParamsError:
            return False  # shown under the JSON
        self.params.fill({**others, "x": round(x), "y": round(y)})
        return True

    def save_template(self) -> TemplateDialog | None:
        """Ask for a name and keep what is in the form under it."""
        try:
            return self.templates.ask_name(self.params.read())
        except ParamsError:
            return None  # shown under the JSON

    @property
    def _target(self) -> TargetField | None:
        return self.params.form.target if self.params.form is not None else None

    def _on_template(self, params: dict[str, Any]) -> None:
        self._forget_picked()
        self.params.clear_errors()
        self.params.fill(params)
        self._propose()

    def _on_pick_asked(self, target: TargetField) -> None:
        if self._picking is not None:
            self.end_pick()
        elif self._tab is None:
            target.show_error("no tab is chosen; choose or start one under Tabs")
        else:
            self._picking = tasks.spawn(self._pick(target, self._tab), "person picks an element")

    async def _pick(self, target: TargetField, tab: Tab) -> None:
        target.show_picking(True)
        picked: dict[str, Any] = {"ended": "escape"}
        problem = ""
        try:
            picked = await self._services.pick(tab)
        except KaptureError as error:
            problem = error.message
        except Exception as error:  # the outermost door of what the person began
            log.exception("picking an element failed")
            problem = f"{error}; see the log"
        finally:
            self._picking = None
            # The window may have gone, which ends the choosing.
            if isValid(target):
                target.show_picking(False)
                target.show_picked(picked)
                target.show_error(problem)
                if self._target is target and (picked.get("candidates") or picked.get("ended") == "escape"):
                    self.picked.emit()
                    self._go_on_after(target)

    def _go_on_after(self, target: TargetField) -> None:
        """The next thing to type: what is still needed, or else what was chosen, where Enter runs."""
        form = self.params.form
        ((form and form.next_needed()) or target).setFocus(Qt.FocusReason.OtherFocusReason)

    def _propose(self) -> None:
        """Fill in what need not be thought of."""
        if self.params.form is not None and not self.params.is_json:
            self.params.form.propose({"page": _page_name(self._tab) or self._command.short_name})

    def _forget_picked(self) -> None:
        self._matches.cancel()
        if self._target is not None:
            self._target.forget_picked()

    async def _run(self, command: Command, params: dict[str, Any]) -> None:
        try:
            answer = await self._services.router.run(self._services.person, command.name, params)
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
            self.ended.emit()

    def _on_chosen(self, command: Command) -> None:
        self.end_pick()
        self._command = command
        self.result.name_beside(command)
        self.params.show_command(command)
        self._forget_picked()
        self._propose()
        self.templates.show_command(command)
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
        column.addWidget(_Rest(self.result), 1)
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
