"""What a new place on another machine is made of."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.theme import mark

_AT_ONCE = (1, 2, 5, 10, 20, 50, 100)
_USUAL_AT_ONCE = 5
_MAX_CHARS = 1000
#: As the file has them, the usual one first.
_PRESETS = {"careful": "Careful: you are asked", "trusting": "Trusting", "read-only": "Read-only"}

#: The fields of the file as the form calls them.
_TITLES = {
    "name": "The name",
    "grid": "The address",
    "cdp": "The address",
    "token_file": "The token file:",
    "user": "The user",
    "ca": "The certificates file:",
}


class PlaceForm(QWidget):
    """Name and address are needed; the rest has usual values, and stays out of the file then."""

    def __init__(self) -> None:
        super().__init__()
        self.name = _line("Name of the place", "for example night")
        self.address = _line("Address of the place", "https://grid.example:4444 or wss://browsers.example")
        self.token_file = _line("Token file", "a file that only you can read")
        self.user = _line("User", "only if the token is a password")
        self.ca = _line("Certificates file", "the system's")
        self.at_once = _combo("Sessions at once", {number: str(number) for number in _AT_ONCE})
        self.policy = _combo("What agents may do there", _PRESETS)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Name *", self.name), ("Address *", self.address), ("Token file", self._with_choice(self.token_file)),
            ("User", self.user), ("Certificates", self._with_choice(self.ca)), ("Sessions at once", self._bounds()),
        )  # fmt: skip
        #: The line of each field of the file, and what is said under a line.
        self._lines = {
            "name": self.name, "grid": self.address, "cdp": self.address, "token_file": self.token_file,
            "user": self.user, "ca": self.ca,
        }  # fmt: skip
        self._problems: dict[QLineEdit, Label] = {}
        self._lay_out(rows)
        self.clear()

    def _lay_out(self, rows: tuple[tuple[str, QWidget], ...]) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        lines = iter(dict.fromkeys(self._lines.values()))
        for row, (words, widget) in enumerate(rows):
            grid.addWidget(Label(words, kind="secondary"), 2 * row, 0)
            grid.addWidget(widget, 2 * row, 1)
            if (line := next(lines, None)) is not None:
                self._problems[line] = problem = Label(kind="error")
                problem.setWordWrap(True)
                grid.addWidget(problem, 2 * row + 1, 1)
                line.textChanged.connect(lambda _text, line=line: self._say(line, ""))
        grid.setColumnStretch(1, 1)

    def read(self) -> tuple[str, JsonObject]:
        """The name, and the fields that are not left to what is usual; the address says what kind of place it is."""
        address = self.address.text().strip()
        kind = "cdp" if address.startswith(("ws:", "wss:")) else "grid"
        lines = {"token_file": self.token_file, "user": self.user, "ca": self.ca}
        written = {name: line.text().strip() for name, line in lines.items()}
        fields: JsonObject = {kind: address, **{name: text for name, text in written.items() if text}}
        if self.at_once.currentData() != _USUAL_AT_ONCE:
            fields["at_once"] = self.at_once.currentData()
        if self.policy.currentIndex() > 0:
            fields["policy"] = self.policy.currentData()
        return self.name.text().strip(), fields

    def ask_for_missing(self) -> bool:
        """Say under the first line that must be filled in what to write there; whether there is one."""
        for line, words in ((self.name, "Give the place a name"), (self.address, "Write the address of the place")):
            if not line.text().strip():
                self._say(line, words)
                return True
        return False

    def show_problem(self, problem: str) -> bool:
        """Say under its line what is wrong with a field, called as the form calls it, not as the file does.

        Returns:
            Whether it is about a field of the form.
        """
        prefix = f"places.{self.name.text().strip()}."
        field, gap, rest = problem.removeprefix(prefix).partition(" ")
        if not problem.startswith(prefix) or field not in self._lines:
            return False
        self._say(self._lines[field], f"{_TITLES[field]}{gap}{rest}")
        return True

    @property
    def problems(self) -> dict[str, str]:
        """What is said under the lines, by their names."""
        return {line.accessibleName(): label.text() for line, label in self._problems.items() if label.text()}

    def _say(self, line: QLineEdit, problem: str) -> None:
        """Say what is wrong with a line, and go there; empty when nothing is."""
        label = self._problems[line]
        label.setText(safe_text.text(problem, 400))
        label.setVisible(bool(problem))
        line.setAccessibleDescription(label.text())
        if bool(line.property("invalid")) != bool(problem):
            mark(line, invalid=bool(problem))
        if problem:
            line.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        """Make it ready for another place."""
        for line in (self.name, self.address, self.token_file, self.user, self.ca):
            line.clear()
            self._say(line, "")
        self.at_once.setCurrentIndex(self.at_once.findData(_USUAL_AT_ONCE))
        self.policy.setCurrentIndex(0)

    def choose_file(self, line: QLineEdit) -> QFileDialog:
        """Let the person choose the file a line names."""
        dialog = QFileDialog(self, f"{line.accessibleName()} of the place")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setDirectory(str(Path.home()))
        dialog.fileSelected.connect(line.setText)
        dialog.open()
        return dialog

    def _bounds(self) -> QWidget:
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.at_once)
        row.addSpacing(8)
        row.addWidget(Label("Agents there", kind="secondary"))
        row.addWidget(self.policy)
        row.addStretch(1)
        return both

    def _with_choice(self, line: QLineEdit) -> QWidget:
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        button = QPushButton("Choose …")
        button.setAccessibleName(f"Choose: {line.accessibleName()}")
        button.clicked.connect(lambda: self.choose_file(line))
        row.addWidget(line, 1)
        row.addWidget(button)
        return both


def _line(name: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setPlaceholderText(hint)
    line.setMaxLength(_MAX_CHARS)
    return line


def _combo(name: str, choices: dict[str, str] | dict[int, str]) -> ComboBox:
    combo = ComboBox()
    combo.setAccessibleName(name)
    combo.view().setAccessibleName(f"{name}: choices")
    combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    for data, words in choices.items():
        combo.addItem(words, data)
    return combo
