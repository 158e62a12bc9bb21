"""The places on other machines: which there are, whether they work, and a form for one more."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import Check
from kapture_panel.window.browsers.place_form import PlaceForm
from kapture_panel.window.browsers.places_model import PlacesModel
from kapture_panel.window.browsers.remote_places import RemotePlace, RemotePlaces
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.middle_overlay import MiddleOverlay
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.rows_list import RowsList
from kapture_panel.window.widgets.theme import Theme

#: More places than these scroll in their list.
_MOST_ROWS = 5
#: Between what belongs to the chosen place and the form.
_APART_PX = 12
_WHAT = "Other machines where agents can have a browser of their own: a Selenium Grid, or a service with a CDP address."
_USE = "An agent has its browser there if its program starts Kapture with --isolated --on and the name of the place."


class PlacesView(MiddleOverlay):
    """`test_asked` carries the name of a place."""

    test_asked = Signal(str)

    def __init__(self, host: QWidget, places: RemotePlaces, theme: Theme) -> None:
        super().__init__(host, "Remote places", "Remote places", theme)
        self._places = places
        self._testing = ""
        self.model = PlacesModel(places.named, self)
        self.list = RowsList(self.model, theme, "Remote places", _MOST_ROWS)
        self.list.selectionModel().currentChanged.connect(self._show)
        self.model.modelReset.connect(self._show)
        self.model.dataChanged.connect(self._show)
        self.nothing = _words("There are none yet.")
        self.found = _words("")
        self.test = _button("Test it", self._on_test)
        self.remove = _button("Remove it", self._on_remove)
        self.question = _words("")
        self.yes = _button("Yes, remove it", self._on_yes)
        self.yes.setProperty("kind", "danger")
        self.no = _button("Keep it", self._ask_nothing)
        self.form = PlaceForm()
        self.add = _button("Add the place", self._on_add)
        self.problem = Label(kind="error")
        self.problem.setWordWrap(True)
        self._lay_out()
        self._ask_nothing()
        self._say("")

    @property
    def current(self) -> RemotePlace | None:
        """The chosen place."""
        found: RemotePlace | None = self.list.currentIndex().data(ITEM)
        return found

    def first(self) -> QWidget:
        """The list, or without one the name of the first place."""
        return self.list if self.model.rowCount() else self.form.name

    def open(self) -> None:
        """Show what the file says now."""
        if self.isHidden():
            self._say("")
            self._do(self.model.refresh)
            self._choose(0)
        super().open()

    def begin(self, name: str) -> None:
        """A place is being tested."""
        self._testing = name
        self.model.begin(name)

    def take(self, name: str, check: Check) -> None:
        """What was found of it."""
        self.model.take(name, check)

    def end(self) -> None:
        """The test is over."""
        self._testing = ""
        self._show()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addStretch(1)
        for button in (self.test, self.remove, self.no, self.yes):
            row.addWidget(button)
        for widget in (_words(_WHAT), self.nothing, self.list, self.found, self.question):
            self.body.addWidget(widget)
        self.body.addLayout(row)
        self.body.addSpacing(_APART_PX)
        self.body.addWidget(Label("Add a remote place", kind="strong"))
        self.body.addWidget(self.form)
        self.body.addWidget(_words(_USE))
        self.foot.addWidget(self.problem)
        self.foot.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)

    def _choose(self, row: int) -> None:
        self.list.setCurrentIndex(self.model.index(row))

    def _show(self) -> None:
        place = self.current
        self.nothing.setVisible(self.model.rowCount() == 0)
        self.list.setVisible(self.model.rowCount() > 0)
        lines = [_line(place.name, check) for check in self.model.checks(place.name)] if place is not None else []
        if place is not None and self._testing == place.name:
            lines.append("Testing …")
        self.found.setText("\n".join(safe_text.line(line, 400) for line in lines))
        self.found.setVisible(bool(lines))
        self.test.setEnabled(not self._testing)
        self._ask_nothing()

    def _ask_nothing(self) -> None:
        self._ask(is_asked=False)

    def _ask(self, *, is_asked: bool) -> None:
        """Put the question in the buttons' place, or take it away; a focus that would go with a button stays here."""
        is_chosen = self.current is not None
        parts = ((self.question, is_asked), (self.yes, is_asked), (self.no, is_asked),
                 (self.test, is_chosen and not is_asked), (self.remove, is_chosen and not is_asked))  # fmt: skip
        for part, is_shown in parts:
            had_focus = part.hasFocus()
            part.setVisible(is_shown)
            if had_focus and not is_shown and self.isVisible():
                (self.no if is_asked else self.first()).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_test(self) -> None:
        if self.current is not None:
            self.test_asked.emit(self.current.name)

    def _on_remove(self) -> None:
        if self.current is None:
            return
        name = safe_text.line(self.current.name, 60)
        self.question.setText(f"{name} is taken out of the file of places. Sessions that run there now go on.")
        self._ask(is_asked=True)

    def _on_yes(self) -> None:
        place = self.current
        if place is not None and self._do(lambda: self._places.remove(place.name)):
            self._do(self.model.refresh)
            self._choose(0)
            self.first().setFocus(Qt.FocusReason.OtherFocusReason)
        self._ask_nothing()

    def _on_add(self) -> None:
        if self.form.ask_for_missing():
            self._say("")
            return
        name, fields = self.form.read()
        if self._do(lambda: self._places.add(name, fields)):
            self.form.clear()
            self._do(self.model.refresh)
            self._choose(self.model.row_of(name))
            self.test_asked.emit(name)

    def _do(self, act: Callable[[], None]) -> bool:
        try:
            act()
        except KaptureError as error:
            self._say("" if self.form.show_problem(error.message) else error.message)
            return False
        self._say("")
        return True

    def _say(self, problem: str) -> None:
        self.problem.setText(safe_text.text(problem, 400))
        self.problem.setVisible(bool(problem))


def _line(name: str, check: Check) -> str:
    found = check.words.removeprefix(f"{name}: ")  # which stands above
    return f"{check.sign} {check.title}: {found}{f'; {check.fix}' if check.fix else ''}"


def _words(text: str) -> Label:
    label = Label(text, kind="secondary")
    label.setWordWrap(True)
    return label


def _button(words: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(words)
    button.clicked.connect(lambda: act())
    return button
