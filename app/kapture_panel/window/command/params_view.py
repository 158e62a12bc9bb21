"""The parameters of the chosen command: as a form or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.window.command.forms.command_form import CommandForm
from kapture_panel.window.command.forms.kept_values import KeptValues
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.widgets import safe_text, tab_order
from kapture_panel.window.widgets.code_edit import CodeEdit
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.params_json import ParamsError, dump, load
from kapture_panel.window.widgets.theme import Theme, mark

_MARGIN_PX = 16
#: One whole field with its label.
_LEAST_PX = 94


class ParamsView(QScrollArea):
    """As high as what it holds, and scrolls when there is less room.

    Forms of other commands wait with what was entered until the program ends; what was run last begins the next one.
    """

    edited = Signal()
    left_changed = Signal(int)
    #: Whether there is more below than is in sight.
    cut = Signal(bool)
    #: The person wants to choose the target in the page, or no more; carries the field.
    pick_asked = Signal(object)
    #: A selector is being typed into this field.
    selector_typed = Signal(object)

    def __init__(self, commands: Sequence[Command], theme: Theme, kept: KeptValues) -> None:
        super().__init__()
        self._commands = commands
        self._theme = theme
        self._kept = kept
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("kind", "form")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Parameters")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._forms: dict[str, CommandForm] = {}
        self._form: CommandForm | None = None
        self._is_json = False
        #: How far down the form begins where there is too little room for what the command does.
        self._begin_px = 0
        self.json = CodeEdit(min_lines=6, max_lines=18)
        self.json.wear(theme)
        self.json.setAccessibleName("Parameters as JSON")
        self.json.textChanged.connect(self._on_json_edited)
        self.message = Label(kind="error")
        self.message.setWordWrap(True)
        self.message.hide()
        self.what = Label(kind="secondary")
        self.what.setWordWrap(True)
        self.what.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 8)
        page = QWidget()
        page.setProperty("kind", "page")
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(0, 0, 0, 0)
        self._page.setSpacing(0)
        self._page.addWidget(self.what)
        self._json_box = QWidget()
        box = QVBoxLayout(self._json_box)
        box.setContentsMargins(_MARGIN_PX, 0, _MARGIN_PX, 4)
        box.addWidget(self.json)
        self._json_box.hide()
        self._page.addWidget(self._json_box)
        self._message_box = QVBoxLayout()
        self._message_box.addWidget(self.message)
        self._page.addLayout(self._message_box)
        page.installEventFilter(self)
        self._content = page
        self.setWidget(page)
        bar = self.verticalScrollBar()
        for told in (bar.rangeChanged, bar.valueChanged):
            told.connect(lambda: self.cut.emit(bar.value() < bar.maximum()))
        bar.rangeChanged.connect(self._keep_in_sight)

    @property
    def form(self) -> CommandForm | None:
        """The form of the command that is shown."""
        return self._form

    @property
    def is_json(self) -> bool:
        """Whether the parameters are edited as JSON."""
        return self._is_json

    def show_command(self, command: Command) -> None:
        """Show the parameters of another command."""
        if self._form is not None:
            if self._is_json and self._form.command is not command:
                self._leave_json()
            self._form.hide()
        form = self._forms.get(command.name)
        if form is None:
            form = self._forms[command.name] = self._make_form(command)
            self._page.insertWidget(1, form)
            tab_order.chain([self.json, form])
        self._form = form
        self.what.setText(_sentence(command.help or command.description))
        form.fit(self.viewport().width())
        form.setVisible(not self._is_json)
        if self._is_json:
            self.json.show_text(dump(form.read()))
        self._say("")
        self.verticalScrollBar().setValue(0)
        self._tell_left()
        self.updateGeometry()

    def _make_form(self, command: Command) -> CommandForm:
        form = CommandForm(command, self._commands, is_open=self._kept.are_options_open(command))
        form.folded.connect(partial(self._kept.keep_options_open, command))
        # Parameters that changed since they were kept are left out.
        form.write(self._kept.last(command))
        form.edited.connect(self.edited)
        form.wear(self._theme)
        form.pick_asked.connect(self.pick_asked)
        form.selector_typed.connect(self.selector_typed)
        return form

    @property
    def targets(self) -> list[TargetField]:
        """The fields of the form that is shown that name a place in the page."""
        return self._form.targets if self._form is not None else []

    def nearest_target(self) -> TargetField | None:
        """The one of them that has the focus, else the first, if there is any."""
        focused: QWidget | None = self.window().focusWidget()
        inside = [target for target in self.targets if focused is not None and target.isAncestorOf(focused)]
        return next(iter(inside or self.targets), None)

    def fill(self, params: Params) -> None:
        """Show other parameters, in the way they are edited now, or say why that cannot be."""
        if self._form is None:
            return
        if self._is_json:
            self.json.show_text(dump(params))
        elif problem := self._form.write(params):
            self._say(problem)
        self.edited.emit()

    def show_json(self, is_json: bool) -> bool:
        """Edit as JSON or in the form, with the same parameters.

        Returns:
            Whether it could be done: JSON the form cannot show stays, with the reason under it.
        """
        if self._form is None or is_json == self._is_json:
            return True
        if is_json:
            self.json.show_text(dump(self._form.read()))
        else:
            try:
                problem = self._form.write(load(self.json.text()))
            except ParamsError as error:
                self._say(str(error), error.position)
                return False
            if problem:
                self._say(problem)
                return False
        self._is_json = is_json
        self._json_box.setVisible(is_json)
        self._form.setVisible(not is_json)
        self._say("")
        self._tell_left()
        self.updateGeometry()
        return True

    def focus_first(self) -> None:
        """Let the person type at once, first what is needed."""
        fields = [] if self._form is None or self._is_json else self._form.fields
        begin = next((field for field in fields if field.is_required), self)
        stops = [stop for stop in tab_order.stops(begin) if stop.isVisible() and stop.isEnabled()]
        texts = [stop for stop in stops if isinstance(stop, QLineEdit | QPlainTextEdit)]
        for stop in (texts or stops)[:1]:
            # For this reason Qt chooses all of a line, so that what is typed takes the place of what stood there.
            stop.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def read(self) -> Params:
        """The parameters as they stand.

        Raises:
            ParamsError: the JSON is wrong; that is shown under it too.
        """
        if self._form is None:
            return {}
        if not self._is_json:
            return self._form.read()
        try:
            return load(self.json.text())
        except ParamsError as error:
            self._say(str(error), error.position)
            raise

    def show_error(self, param: str, message: str) -> None:
        """Say what is wrong with the parameters, at the field it is about where there is one."""
        if self._is_json or self._form is None or not self._form.show_error(param, message):
            self._say(message)
        self.updateGeometry()

    def clear_errors(self) -> None:
        """Take all messages away."""
        self._say("")
        if self._form is not None:
            self._form.clear_errors()

    def sizeHint(self) -> QSize:
        page = self._content
        width = max(self.viewport().width(), 200)
        height = page.heightForWidth(width) if page.hasHeightForWidth() else page.sizeHint().height()
        return QSize(480, max(height, 8) + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        return QSize(240, min(self.sizeHint().height(), _LEAST_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._form is not None:
            self._form.fit(self.viewport().width())
            self._tell_left()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _keep_in_sight(self) -> None:
        """Where there is too little room for what the command does and the first field, that field is seen whole, or
        the one that has the focus."""
        if self._form is None or self._is_json:
            return
        top_px, bottom_px = (self._form.y() + edge_px for edge_px in self._form.first_px)
        bar = self.verticalScrollBar()
        if bar.value() <= max(top_px, self._begin_px):  # else the person has gone on to another field
            self._begin_px = top_px if bottom_px > self.viewport().height() else 0
            bar.setValue(self._begin_px)
            focused = self.window().focusWidget()
            if self._form.isAncestorOf(focused):
                self.ensureWidgetVisible(focused, 0, 0)

    def _tell_left(self) -> None:
        left_px = _MARGIN_PX if self._is_json or self._form is None else self._form.field_left_px
        self._message_box.setContentsMargins(left_px, 0, _MARGIN_PX, 2)
        self.left_changed.emit(left_px)

    def _leave_json(self) -> None:
        """Take valid JSON over into the form before another command is shown; what is not valid stays out."""
        try:
            params = load(self.json.text())
        except ParamsError:
            return
        if self._form is not None:
            self._form.write(params)

    def _on_json_edited(self) -> None:
        if self._is_json:
            self._say(self._problem())
            self.edited.emit()

    def _problem(self) -> str:
        """What is wrong with the JSON so far; what is missing is only told at Run."""
        try:
            problem = self._form.command.wrong_value(load(self.json.text())) if self._form is not None else None
        except ParamsError as error:
            return str(error)
        return f"{problem.param}: {problem.beside}" if problem else ""

    def _say(self, message: str, position: int = -1) -> None:
        self.message.setText(safe_text.line(message))
        self.message.setVisible(bool(message))
        mark(self.json, invalid=bool(message) and self._is_json)
        if position >= 0:
            cursor = self.json.textCursor()
            cursor.setPosition(min(position, len(self.json.text())), QTextCursor.MoveMode.MoveAnchor)
            self.json.setTextCursor(cursor)


def _sentence(words: str) -> str:
    """With its full stop: the catalogue's descriptions, which agents read, go without."""
    return words if words.endswith(".") else f"{words}."
