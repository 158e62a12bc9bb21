"""How a command went, and what it answered, seen in the ways that fit it."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.core import summary
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.router import Answer
from kapture_panel.core.shots import Shot
from kapture_panel.window import figures, plain
from kapture_panel.window.forms.segments import Segments
from kapture_panel.window.models.records_model import RecordsModel, records_in
from kapture_panel.window.pictures import Pictures
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.json_tree import JsonTree
from kapture_panel.window.views.label import ElidedLabel, Label
from kapture_panel.window.views.picture_view import PictureView
from kapture_panel.window.views.table import Table

VIEWS = ("Tree", "Table", "Image", "Text", "Raw")
TREE, TABLE, IMAGE, TEXT, RAW = range(len(VIEWS))
_MAX_TEXT_CHARS = 1_000_000


class ResultView(QWidget):
    """Stays as it is until the next command begins."""

    shot_opened = Signal(object)

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        super().__init__()
        self._pictures = pictures
        self._shot: Shot | None = None
        self._raw: Any = None
        self.pill = Label(kind="pill", tone="ok")
        self.ms = Label(kind="secondary")
        self.summary = ElidedLabel()
        self.summary.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.views = Segments(VIEWS, "Show the result as")
        self.views.picked.connect(self._show_view)
        self.message = Label(kind="message-error")
        self.message.setWordWrap(True)
        self.message.setAccessibleName("Why the command failed")
        self.message.setContentsMargins(16, 0, 16, 6)
        self.message.setTextInteractionFlags(self.message.textInteractionFlags().TextSelectableByMouse)
        self.tree = JsonTree(theme)
        self._records = RecordsModel(self)
        self.table = Table(self._records, theme, "Result as a table")
        header = self.table.horizontalHeader()
        header.show()
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.picture = PictureView()
        self.picture.opened.connect(self._open_shot)
        self.text = _text_pane("Result as text", is_wrapped=True)
        self.raw = _text_pane("Result as JSON", is_wrapped=False)
        self._stack = QStackedWidget()
        for pane in (self.tree, self.table, self.picture, self.text, self.raw):
            self._stack.addWidget(pane)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 16, 6)
        head.setSpacing(8)
        for widget in (self.pill, self.ms, self.summary, self.views):
            head.addWidget(widget)
        self._hint = Label("The answer appears here.", kind="secondary")
        self._hint.setContentsMargins(16, 12, 16, 12)
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.message)
        self._stack.setContentsMargins(8, 0, 0, 0)
        column.addWidget(self._stack, 100)
        # Keeps the message at the top when there is nothing below it.
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._hint, 0, Qt.AlignmentFlag.AlignTop)
        whole.addWidget(self._body)
        self._body.hide()

    def clear(self) -> None:
        """Show nothing, as at the start of a run."""
        self._body.hide()
        self._hint.hide()

    def show_answer(self, answer: Answer) -> None:
        """Show what a command answered."""
        self._head("✓ success", "ok", answer.ms, summary.of(answer))
        self.message.hide()
        self._shot = answer.shot
        tree: dict[str, Any] = {"result": answer.result}
        if answer.effects is not None:
            tree["effects"] = answer.effects
        if answer.late_effects:
            tree["lateEffects"] = answer.late_effects
        text = answer.snapshot or _text_in(answer.result)
        records = records_in(answer.result)
        self._fill(tree, records, text)
        offered = [TREE, RAW]
        if records:
            offered.append(TABLE)
        if answer.shot is not None:
            offered.append(IMAGE)
            self.picture.show_image(QImage())
            shot = answer.shot
            self._pictures.load(shot.path, None, self, lambda image: self._on_picture(shot, image))
        if text:
            offered.append(TEXT)
        preferred = {"image": IMAGE, "table": TABLE, "text": TEXT}.get(answer.command.result, TREE)
        self._offer(offered, preferred if preferred in offered else TREE)

    def show_error(self, error: KaptureError, ms: float) -> None:
        """Show why a command failed."""
        self._shot = None
        self._head(f"✗ {error.code}", "error", ms, "")
        self.message.setText(plain.text(error.message, 2000))
        self.message.show()
        self._fill({"error": error.as_wire()}, None, "")
        if error.details.keys() - {"param"}:
            self._offer([TREE, RAW], TREE)
        else:
            self._offer([], TREE)

    def show_cancelled(self, ms: float) -> None:
        """Show that the person took the command back."""
        self._shot = None
        self._head("cancelled", "neutral", ms, "taken back before it answered")
        self.message.hide()
        self._offer([], TREE)

    @property
    def offered(self) -> list[str]:
        """The ways the result can be seen."""
        return [VIEWS[number] for number, button in enumerate(self.views.buttons) if not button.isHidden()]

    @property
    def shown(self) -> str:
        """The way it is seen."""
        return VIEWS[self._stack.currentIndex()]

    def _head(self, words: str, tone: str, ms: float, said: str) -> None:
        self.pill.setText(words)
        self.pill.set_tone(tone)
        self.ms.setText(figures.duration(ms))
        self.summary.show_line(f"· {said}" if said else "")
        self._hint.hide()
        self._body.show()

    def _fill(self, tree: dict[str, Any], records: list[dict[str, Any]] | None, text: str) -> None:
        self.tree.show_value(tree)
        self._records.show(records or [])
        self.text.setPlainText(plain.text(text, _MAX_TEXT_CHARS))
        self._raw = tree
        self.raw.clear()

    def _offer(self, numbers: list[int], first: int) -> None:
        self.views.setVisible(bool(numbers))
        self._stack.setVisible(bool(numbers))
        if numbers:
            self.views.show_only(sorted(numbers))
            self.views.choose([first])
            self._show_view(first)

    def _show_view(self, number: int) -> None:
        # Pretty JSON of a large answer costs time, so it is made when it is looked at.
        if number == RAW and not self.raw.document().characterCount() > 1:
            self.raw.setPlainText(plain.text(json.dumps(self._raw, indent=2, ensure_ascii=False), _MAX_TEXT_CHARS))
        if number == TABLE:
            self.table.resizeColumnsToContents()
            for column in range(self._records.columnCount()):
                self.table.setColumnWidth(column, min(self.table.columnWidth(column) + 8, 320))
        self._stack.setCurrentIndex(number)

    def _on_picture(self, shot: Shot, image: QImage) -> None:
        if shot is self._shot:
            self.picture.show_image(image)

    def _open_shot(self) -> None:
        if self._shot is not None:
            self.shot_opened.emit(self._shot)


def _text_in(result: Any) -> str:
    """The text an answer carries, as snapshots do."""
    if isinstance(result, dict):
        for key in ("text", "snapshot"):
            if isinstance(result.get(key), str):
                return str(result[key])
    return result if isinstance(result, str) else ""


def _text_pane(name: str, *, is_wrapped: bool) -> QPlainTextEdit:
    pane = QPlainTextEdit()
    pane.setReadOnly(True)
    pane.setTabChangesFocus(True)
    pane.setProperty("mono", True)
    pane.setProperty("kind", "flat")
    pane.setAccessibleName(name)
    modes = QPlainTextEdit.LineWrapMode
    pane.setLineWrapMode(modes.WidgetWidth if is_wrapped else modes.NoWrap)
    return pane
