"""Everything about one command of the history."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores import row_words
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.recorder import FOLDER
from kapture_panel.core.stores.shot_finder import Finder
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.history.entries import ENTRIES
from kapture_panel.window.history.history_picture import HistoryPicture
from kapture_panel.window.widgets import command_names, figures, next_steps, outcomes, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.theme import Theme

_TITLE_HEIGHT_PX = 28
_NARROW_PX = 300
#: The mark of the outcome is whole beside the buttons.
_LEAST_PX = 182
#: In less the words of a fact stand below its name.
_BESIDE_PX = 230
_MAX_CHARS = 2000
_NOT_KEPT = "The history does not keep the whole answer."
_PICTURE_BOX = QSize(720, 720)


class HistoryDetail(QWidget):
    """Shows one row at a time; a row that goes on is shown again.

    Args:
        folder: of the screenshots.
    """

    closed = Signal()
    run_again = Signal(object)
    edit_again = Signal(object)
    copied = Signal(object)
    picture_opened = Signal(object)

    def __init__(self, catalogue: Catalogue, theme: Theme, pictures: Pictures, folder: Path) -> None:
        super().__init__()
        self._catalogue = catalogue
        self._commands = {command.short_name: command for command in catalogue}
        self._theme = theme
        self._pictures = pictures
        self._folder = folder
        self.row: Row | None = None
        self._shown: JsonObject = {}
        self._title = ElidedLabel(kind="strong")
        self._title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._state = Label(kind="pill", tone="neutral")
        bar = QWidget()
        bar.setProperty("kind", "ruled")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bar.setFixedHeight(_TITLE_HEIGHT_PX)
        line = self._line = QHBoxLayout(bar)
        line.addWidget(self._title, 1)
        line.addWidget(self._state)
        for icon, name, signal in (
            ("mdi6.replay", "Run again", self.run_again),
            ("mdi6.pencil-outline", "Edit and run again", self.edit_again),
            ("mdi6.content-copy", "Copy as JSON", self.copied),
        ):
            line.addWidget(icon_button(theme, icon, name, partial(self._emit, signal)))
        line.addWidget(icon_button(theme, "mdi6.close", "Close row details", self.closed.emit))
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName("Row details")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.area, 1)
        self.setMinimumWidth(_LEAST_PX)
        self.pictures: list[HistoryPicture] = []
        self._facts: list[tuple[Label, Label]] = []
        self._grid = QGridLayout()
        self._place()
        bind(ENTRIES["close_row"], self, self.closed.emit)

    def show_row(self, row: Row) -> None:
        """Show `row`."""
        at = self.area.verticalScrollBar().value() if self.row is not None and self.row.id == row.id else 0
        self.row = row
        if self._shown == asdict(row):
            return  # its pictures would be read again
        self._shown = asdict(row)
        self._title.show_line(command_names.title(self._catalogue, row.command))
        self._show_state()
        self._state.set_tone(outcomes.pill_tone(row))
        page = QWidget()
        page.setProperty("kind", "page")
        column = QVBoxLayout(page)
        column.setContentsMargins(10, 8, 10, 10)
        column.setSpacing(8)
        if row.state in ("error", "unknown"):
            column.addWidget(self._error(row))
        shown = self._row_of_pictures(row)
        if shown is not None:
            column.addLayout(shown)
        column.addLayout(self._make_facts(row))
        column.addStretch(1)
        self.area.setWidget(page)
        self.area.verticalScrollBar().setValue(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self._show_state()

    def text(self) -> str:
        """All that is said, as lines."""
        page = self.area.widget()
        return "\n".join(label.text() for label in page.findChildren(Label)) if page else ""

    def _show_state(self) -> None:
        """The outcome in a word, or as its mark where that leaves no room for the command."""
        if self.row is None:
            return
        mark, words = outcomes.mark(self.row), outcomes.words(self.row)
        self._state.setText(mark if self.width() < _NARROW_PX else f"{mark} {words}")
        self._state.setAccessibleName(words)

    def _place(self) -> None:
        """What stands side by side, as closely as the room asks for."""
        is_tight = self.width() < _BESIDE_PX
        self._line.setContentsMargins(6 if is_tight else 10, 0, 6, 1)
        self._line.setSpacing(1 if is_tight else 4)
        for number, (name, words) in enumerate(self._facts):
            self._grid.addWidget(name, *((2 * number, 0) if is_tight else (number, 0)), Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(words, *((2 * number + 1, 0) if is_tight else (number, 1)))
        self._grid.setColumnStretch(0, int(is_tight))
        self._grid.setColumnStretch(1, int(not is_tight))

    def _emit(self, signal: SignalInstance) -> None:
        signal.emit(self.row)

    def _error(self, row: Row) -> QWidget:
        what, step = row.summary, row.next_step
        if row.kind == "person" or row.code == "PAUSED":  # an agent is told that a person can resume
            step = next_steps.of(row.code, step)
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        kind = "message-error" if outcomes.tone(row) == "error" else ""
        column.addWidget(_wrapped(f"{row.code} {what}".strip(), kind))
        if step:
            column.addWidget(_wrapped(f"Next: {step}", ""))
        elif row.code in CODES and not what:
            column.addWidget(_wrapped(f"That is: {CODES[row.code]}", "secondary"))
        return box

    def _row_of_pictures(self, row: Row) -> QHBoxLayout | None:
        recorded, taken = Finder(self._folder / FOLDER), Finder(self._folder)
        named = (("Before", recorded, row.before), ("After", recorded, row.after), ("Screenshot", taken, row.shot))
        self.pictures = []
        line = QHBoxLayout()
        line.setSpacing(8)
        for caption, where, name in named:
            if name:
                line.addWidget(self._picture(row, caption, where.find(name)), 1, Qt.AlignmentFlag.AlignTop)
        line.addStretch(0)
        return line if self.pictures else None

    def _picture(self, row: Row, caption: str, path: Path) -> HistoryPicture:
        picture = HistoryPicture(caption, self._theme)
        self.pictures.append(picture)

        def opened() -> None:
            size = picture.image.size()
            name = f"{command_names.title(self._catalogue, row.command)}, {caption.lower()}"
            shot = Shot(path.parent, path.name, name, row.tab_id, row.at, path.stat().st_size if path.exists() else 0)
            if not size.isEmpty():
                self.picture_opened.emit(shot)

        def read(image: QImage) -> None:
            picture.show_image(image)

        picture.clicked.connect(opened)
        self._pictures.load(path, _PICTURE_BOX, picture, read)
        return picture

    def _is_only_begun(self, row: Row) -> bool:
        """Whether there was more to its answer than what the row says: a picture is there, and steps have rows."""
        command = self._commands.get(row.command)
        is_told = command is not None and command.klass in ("read", "execute") and not command.composite
        return is_told and row.state == "ok" and not row.shot

    def _make_facts(self, row: Row) -> QGridLayout:
        who = "you" if row.kind == "person" else f"{row.client} ({row.kind})"
        facts = [("When", f"{figures.moment(row.at)}{_took(row)}"), ("By", who)]
        if row.url or row.site:
            facts.append(("Address" if row.url else "Site", row.url or row.site))
        facts += [("Element", words) for words in map(row_words.element, row.targets) if words]
        facts += [(name, row_words.value(value)) for name, value in row.params.items() if name != "tabId"]
        if row.state not in ("error", "unknown") and row.summary:
            facts.append(("Result", f"{row.summary}\n{_NOT_KEPT}" if self._is_only_begun(row) else row.summary))
        facts += row_words.effects(row.effects)
        exact = (("cmd", row.command), ("tab", row.tab_id))
        facts.append(("Filter by", " ".join(_filter(key, words) for key, words in exact if words)))
        grid = self._grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        self._facts = [
            (Label(safe_text.line(name, 40), kind="secondary"), _wrapped(words, "")) for name, words in facts
        ]
        self._place()
        return grid


def _filter(key: str, words: str) -> str:
    """As the filter's field takes it; what was refused may have any name."""
    return f'{key}:"{words}"' if " " in words else f"{key}:{words}"


def _took(row: Row) -> str:
    """How long it took, and how long it waited for the person besides."""
    took = figures.duration(row.ms)
    waited = f", plus {figures.duration(row.waited_ms)} of waiting for your answer" if row.waited_ms else ""
    return f", took {took}{waited}" if took else ""


def _wrapped(words: str, kind: str) -> Label:
    label = Label(safe_text.text(words, _MAX_CHARS), kind=kind)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    # A long address without spaces must not widen the pane.
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
