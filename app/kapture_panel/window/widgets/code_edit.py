"""An editor of code or JSON: coloured, with the number of each line."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QSizePolicy, QWidget

from kapture_panel.window.widgets import code_colours
from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import Theme

_NUMBER_GAP_PX = 8
_NUMBER_LEFT_PX = 4
#: A longer text that is only read is plain.
MAX_COLOURED_CHARS = 200_000
_VIEW_PX = 192
#: What a line may end inside of: how that begins, and how it ends.
_OPEN = (("/*", re.compile(r"\*/\Z")), ("`", re.compile(r"(?<!\\)(?:\\\\)*`\Z")))
_KEY = re.compile(r'"\s*:')


class CodeEdit(TextEdit):
    """Wears its colours once it knows a theme; without one it is plain."""

    def __init__(self, *, min_lines: int, max_lines: int) -> None:
        super().__init__(min_lines=min_lines, max_lines=max_lines, is_mono=True)
        self._theme: Theme | None = None
        self._colours: _Colours | None = None
        self._numbers = _Numbers(self)
        self.blockCountChanged.connect(lambda _count: self._make_room())
        self.updateRequest.connect(self._on_update)
        self._make_room()

    def wear(self, theme: Theme) -> None:
        """Take the colours of `theme`, and follow it."""
        self._theme = theme
        self._colours = colours = _Colours(self.document(), theme)
        theme.changed.connect(colours.rehighlight)
        theme.changed.connect(self._numbers.update)
        self._numbers.update()

    @property
    def numbers_px(self) -> int:
        """How wide the column of the lines' numbers is."""
        digits = len(str(max(self.blockCount(), 10)))
        return _NUMBER_LEFT_PX + digits * self.fontMetrics().horizontalAdvance("9") + _NUMBER_GAP_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paint_numbers(self, event: QPaintEvent) -> None:
        """Draw the number of each line that is in sight."""
        painter = QPainter(self._numbers)
        painter.setFont(self.font())
        if self._theme is not None:
            painter.setPen(self._theme.color("text_secondary"))
        block = self.firstVisibleBlock()
        area = self.blockBoundingGeometry(block).translated(self.contentOffset())
        top_px, height_px = area.top(), self.fontMetrics().lineSpacing()
        while block.isValid() and top_px <= event.rect().bottom():
            place = QRect(0, int(top_px), self._numbers.width() - _NUMBER_GAP_PX, height_px)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            top_px += self.blockBoundingRect(block).height()
            block = block.next()
        painter.end()

    def _make_room(self) -> None:
        self.setViewportMargins(self.numbers_px, 0, 0, 0)
        self._place()

    def _place(self) -> None:
        inside = self.viewport().geometry()
        self._numbers.setGeometry(inside.left() - self.numbers_px, inside.top(), self.numbers_px, inside.height())

    def _on_update(self, _area: QRect, scrolled_px: int) -> None:
        if scrolled_px:
            self._numbers.scroll(0, scrolled_px)
        self._numbers.update()
        if self.viewport().geometry().left() - self.numbers_px != self._numbers.x():
            self._make_room()  # the font came with the style sheet


class CodeView(CodeEdit):
    """Code or JSON that is read: as high as there is room, and coloured unless it is long."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__(min_lines=1, max_lines=1)
        self.setReadOnly(True)
        self.setProperty("kind", "flat")
        self.setAccessibleName(name)
        self.setLineWrapMode(self.LineWrapMode.NoWrap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.wear(theme)

    def show_code(self, code: str) -> None:
        """Show this instead of what is there."""
        assert self._colours is not None
        # Line by line the colours of a long text would take longer than a frame.
        is_short = len(code) <= MAX_COLOURED_CHARS
        self._colours.setDocument(self.document() if is_short else None)
        self.setPlainText(code)

    def sizeHint(self) -> QSize:
        return QSize(_VIEW_PX, _VIEW_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 28)


class _Numbers(QWidget):
    """The column beside the text."""

    def __init__(self, editor: CodeEdit) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.numbers_px, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_numbers(event)


class _Colours(QSyntaxHighlighter):
    """Colours line by line; the state of a line is what it ends inside of, one more than its place in `_OPEN`."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme

    def highlightBlock(self, text: str) -> None:
        before = self.previousBlockState()
        begun = _OPEN[before - 1][0] if before > 0 else ""
        whole = begun + text
        state = 0
        for first, last, role in code_colours.spans(whole):
            part = whole[first:last]
            if last == len(whole):
                state = next((at for at, (opens, end) in enumerate(_OPEN, 1) if _is_open(part, opens, end)), 0)
            look = QTextCharFormat()
            is_key = part.startswith('"') and _KEY.match(whole, last - 1) is not None
            look.setForeground(self._theme.color("accent" if is_key else role))
            start = max(first - len(begun), 0)
            self.setFormat(start, last - len(begun) - start, look)
        self.setCurrentBlockState(state)


def _is_open(part: str, opens: str, end: re.Pattern[str]) -> bool:
    return part.startswith(opens) and (len(part) < 2 * len(opens) or end.search(part) is None)
