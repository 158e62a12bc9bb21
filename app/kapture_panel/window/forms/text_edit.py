"""A text editor as high as what is in it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy


class TextEdit(QPlainTextEdit):
    """Plain text that comes out exactly as it went in, between `min_lines` and `max_lines` high."""

    def __init__(self, *, min_lines: int, max_lines: int, is_mono: bool = False) -> None:
        super().__init__()
        self._min_lines = min_lines
        self._max_lines = max_lines
        self.setProperty("mono", is_mono)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(3)
        self.document().contentsChanged.connect(self.updateGeometry)

    def text(self) -> str:
        """What was entered; unlike `toPlainText` this keeps no-break spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str) -> None:
        """Replace all; unlike `setPlainText` Ctrl+Z brings the old text back."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def sizeHint(self) -> QSize:
        lines = min(max(self.document().blockCount(), self._min_lines), self._max_lines)
        height = lines * self.fontMetrics().lineSpacing() + 2 * int(self.document().documentMargin()) + 6
        return QSize(super().sizeHint().width(), max(height, 28))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())
