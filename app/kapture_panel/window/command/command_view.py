"""The middle of the window: choose a command, fill it in, run it, see what it answered."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import PurePosixPath

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
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

from kapture_panel.core.basics import addresses, tasks
from kapture_panel.core.basics.errors import KaptureError, in_one_line
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.catalogue.problems import Problem
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.command.command_list import CommandList
from kapture_panel.window.command.entries import ENTRIES
from kapture_panel.window.command.forms.kept_values import KeptValues
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.command.forms.template_dialog import TemplateDialog
from kapture_panel.window.command.forms.templates_menu import TemplatesMenu
from kapture_panel.window.command.match_counter import MatchCounter
from kapture_panel.window.command.params_view import ParamsView
from kapture_panel.window.command.picking import Picking
from kapture_panel.window.command.result_view import ResultView
from kapture_panel.window.command.run_bar import RunBar
from kapture_panel.window.command.ways import Ways
from kapture_panel.window.widgets import tab_names
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.params_json import ParamsError
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.theme import Theme

log = logging.getLogger(__name__)

_LIST_WIDTH_PX = 180
_FIRST_COMMAND = "kapturemcp_navigate"


def _page_name(tab: Tab | None) -> str:
    """What the page of a tab may be called in a file's name: the end of its path, or its host; empty for neither."""
    parts = addresses.parts_of(tab.url if tab is not None else "")
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

    `answered` carries every answer of a run begun here.
    """

    answered = Signal(object)
    #: The person has chosen an element in the page, or given that up there.
    picked = Signal()

    def __init__(
        self, catalogue: Catalogue, settings: Settings, mcp_config: str, ways: Ways, theme: Theme, pictures: Pictures
    ) -> None:
        super().__init__()
        self._catalogue = catalogue
        self._ways = ways
        self._kept = KeptValues(settings)
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
        self.params = ParamsView(list(catalogue), theme, self._kept)
        self.run_bar = RunBar(theme)
        self.result = ResultView(theme, pictures, mcp_config)
        self.templates = TemplatesMenu(self._kept, self)
        self.run_bar.templates_button.setMenu(self.templates)
        self.templates.chosen.connect(self._on_template)
        self.templates.save_asked.connect(self.save_template)
        self.params.pick_asked.connect(self._on_pick_asked)
        self._picking = Picking(ways.pick, lambda: self.params.targets, self)
        self._picking.picked.connect(self._on_picked)
        self._matches = MatchCounter(ways.count, lambda: self._tab, self)
        self.params.selector_typed.connect(self._matches.on_typed)
        self.list.chosen.connect(self._on_chosen)
        self.list.entered.connect(self.params.focus_first)
        self.params.edited.connect(self.params.updateGeometry)
        self.params.left_changed.connect(self.run_bar.indent)
        self.params.cut.connect(self.run_bar.show_edge)
        self.run_bar.run.connect(self.run)
        self.run_bar.cancel.connect(self.cancel)
        self._lay_out()
        bind(ENTRIES["run"], self, self.run)
        bind(ENTRIES["cancel"], self, self.cancel)
        self.list.choose(_FIRST_COMMAND)

    @property
    def form_actions(self) -> dict[str, tuple[Callable[[], object], Callable[[], bool]]]:
        """What can be done here from elsewhere, by the names of the table, and whether it would do something now."""
        result = self.result
        return {
            "run": (self.run, lambda: self._task is None),
            "cancel": (self.cancel, lambda: self._task is not None or self._picking.is_on),
            "pick": (self.pick, self._can_pick),
            "save_template": (self.save_template, lambda: True),
            "search_result": (
                result.search,
                lambda: result.head.search_button.isVisibleTo(self) and result.head.search_button.isEnabled(),
            ),
            "copy_as": (result.show_copy_menu, lambda: result.head.copy_button.isVisibleTo(self)),
        }

    def _can_pick(self) -> bool:
        return bool(self.params.targets) and not self.params.is_json and not self._picking.is_on

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

    def open(self, name: str, params: Params) -> None:
        """Put a command of the history into the form; a value that was not kept gets the focus."""
        self._show_form()
        self.list.choose(self._catalogue.get(name).name)
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
        problem = self._command.problem(params)
        if problem is not None:
            self._show_problem(problem, params)
            return
        self._kept.keep_last(self._command, params)
        # The answer that goes would take the focus out of reach of Escape with it.
        if self.result.isAncestorOf(self.window().focusWidget()):
            self.run_bar.run_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.run_bar.begin()
        self.result.begin(self._command, params)
        self._task = tasks.spawn(self._run(self._command, params), f"person runs {self._command.short_name}")

    def _show_problem(self, problem: Problem, params: Params) -> None:
        """Say what is wrong: under its field, else below all of them."""
        form = self.params.form
        if form is None or self.params.is_json:
            self.params.show_error(problem.param, in_one_line(problem.words, problem.next_step))
            return
        wrong = self._command.wrong_value(params)
        missing = form.missing(params) if wrong is None else None
        param, words = missing or ((wrong or problem).param, (wrong or problem).beside)
        self.params.show_error(param, words)
        if any(param in field.names for field in form.fields):
            form.field(param).setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.result.fit(self.height())

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
        if self._task is not None:
            self._task.cancel()
        elif self._picking.is_on:
            self.end_pick()
        else:
            for target in self.params.targets:
                target.close_picks()

    def pick(self) -> None:
        """Let the person choose the target in the page, or the place whose field has the focus."""
        if (target := self.params.nearest_target()) is not None:
            self._on_pick_asked(target)

    def end_pick(self) -> None:
        """End choosing an element in the page, if that goes on."""
        self._picking.end()

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

    def _on_template(self, params: Params) -> None:
        self._forget_picked()
        self.params.clear_errors()
        self.params.fill(params)
        self._propose()

    def _on_pick_asked(self, target: TargetField) -> None:
        self._picking.toggle(target, self._tab)

    def _on_picked(self, target: TargetField) -> None:
        """Let the person go on: with what is still needed, or else with what was chosen, where Enter runs."""
        self.picked.emit()
        form = self.params.form
        ((form and form.next_needed()) or target).setFocus(Qt.FocusReason.OtherFocusReason)

    def _propose(self) -> None:
        """Fill in what need not be thought of."""
        if self.params.form is not None and not self.params.is_json:
            self.params.form.propose({"page": _page_name(self._tab) or self._command.short_name})

    def _forget_picked(self) -> None:
        self._matches.cancel()
        for target in self.params.targets:
            target.forget_picked()

    async def _run(self, command: Command, params: Params) -> None:
        try:
            answer = await self._ways.run(command.name, params)
        except KaptureError as error:
            self.result.show_error(error, self.run_bar.elapsed_ms if error.ms is None else error.ms)
        except asyncio.CancelledError:
            self.result.show_cancelled(self.run_bar.elapsed_ms)
        except Exception as error:  # the outermost door of a person's command
            log.exception("%s failed", command.short_name)
            self.result.show_error(KaptureError("INTERNAL", str(error), "see the log"), self.run_bar.elapsed_ms)
        else:
            self.result.show_answer(answer)
            self.answered.emit(answer)
        finally:
            self._task = None
            self.run_bar.end()

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
        where = f" on “{tab_names.name(tab)}”" if tab else ", no tab chosen"
        self.title_bar.say(f"{self._command.title}{where if self._command.scope == 'tab' else ''}")

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
