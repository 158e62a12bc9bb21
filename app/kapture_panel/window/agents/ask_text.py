"""The words of a question as one text: it wraps everywhere, is as high as it must, and takes nothing for markup."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QImage,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QTextEdit

from kapture_panel.window.agents.ask_words import Block, Run
from kapture_panel.window.widgets import code_colours
from kapture_panel.window.widgets.theme import Theme

_GAP_PX = 5
_CODE_PADDING_PX = 6
#: Keys that scroll: what it stands in takes them.
_SCROLL_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class AskText(QTextEdit):
    """As high as what is in it."""

    #: The most of an element's picture.
    PICTURE_PX = QSize(412, 120)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._blocks: list[Block] = []
        self._picture = QImage()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setProperty("kind", "flat-words")
        self.setAccessibleName("The question")
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        theme.changed.connect(self._draw)

    def show_blocks(self, blocks: list[Block]) -> None:
        """Show what the question says."""
        if blocks != self._blocks:
            self._blocks = blocks
            self._draw()

    def show_picture(self, picture: QImage) -> None:
        """Show the element below what the question says."""
        self._picture = picture
        self._draw()

    @property
    def has_picture(self) -> bool:
        """Whether the element is shown."""
        return not self._picture.isNull()

    @property
    def wanted_px(self) -> int:
        """How high it is at its width."""
        return int(self.document().size().height()) + 2 * self.frameWidth() + 2

    def px_at(self, width_px: int) -> int:
        """How high it would be as wide as this."""
        if width_px == self.width():
            return self.wanted_px
        document = self.document()
        present = document.textWidth()
        with QSignalBlocker(document.documentLayout()):
            document.setTextWidth(width_px - 2 * self.frameWidth())
            px = self.wanted_px
            document.setTextWidth(present)
        return px

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SCROLL_KEYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        self.setFixedHeight(self.wanted_px)

    def _draw(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        for number, block in enumerate(self._blocks):
            if block.is_code:
                self._insert_code(cursor, block.text)
            else:
                self._insert_words(cursor, block, is_first=number == 0)
        if self.has_picture:
            self._insert_words(cursor, Block((Run("The place in the page:", "small"),)), is_first=False)
            cursor.insertBlock(_spaced())
            cursor.insertImage(self._scaled())
        # A text cursor that is left at the end would be kept in sight.
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _insert_words(self, cursor: QTextCursor, block: Block, *, is_first: bool) -> None:
        # What follows a frame of code stands in the empty paragraph behind it.
        if is_first or (cursor.atBlockStart() and cursor.atBlockEnd()):
            cursor.setBlockFormat(_spaced())
        else:
            cursor.insertBlock(_spaced())
        for run in block.runs:
            cursor.insertText(run.text, self._format(run))

    def _insert_code(self, cursor: QTextCursor, code: str) -> None:
        ground = QTextFrameFormat()
        ground.setBackground(self._theme.color("sunken"))
        ground.setPadding(_CODE_PADDING_PX)
        ground.setTopMargin(_GAP_PX)
        ground.setBottomMargin(_GAP_PX)
        cursor.insertFrame(ground)
        start = cursor.position()
        plain = QTextCharFormat()
        plain.setFont(self._theme.mono())
        plain.setForeground(self._theme.color("text"))
        cursor.insertText(code, plain)
        for begin, end, token in code_colours.spans(code):
            look = QTextCharFormat()
            look.setForeground(self._theme.color(token))
            marked = QTextCursor(self.document())
            marked.setPosition(start + _units(code, begin))
            marked.setPosition(start + _units(code, end), QTextCursor.MoveMode.KeepAnchor)
            marked.mergeCharFormat(look)
        cursor.movePosition(QTextCursor.MoveOperation.End)

    def _format(self, run: Run) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setFont(self._theme.font(small=run.look == "small"))
        if run.look == "strong":
            look.setFontWeight(QFont.Weight.DemiBold)
        role = "text_secondary" if run.look in ("secondary", "small") else "text"
        look.setForeground(self._theme.color(role))
        return look

    def _scaled(self) -> QImage:
        ratio = self.devicePixelRatioF()
        room = QSize(min(self.PICTURE_PX.width(), max(self.viewport().width(), 40)), self.PICTURE_PX.height()) * ratio
        image = self._picture
        if image.width() > room.width() or image.height() > room.height():
            aspect, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            image = image.scaled(room, aspect, smooth)
        image = image.convertToFormat(QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        # Framed, or a part of a page looks like a part of the question.
        painter = QPainter(image)
        painter.setPen(self._theme.color("text_secondary"))
        painter.drawRect(QRectF(0.5, 0.5, image.width() / ratio - 1, image.height() / ratio - 1))
        painter.end()
        return image


def _spaced() -> QTextBlockFormat:
    spaced = QTextBlockFormat()
    spaced.setTopMargin(_GAP_PX)
    return spaced


def _units(text: str, index: int) -> int:
    """Where a character stands in Qt's count, which takes two for those beyond the first plane."""
    return len(text[:index].encode("utf-16-le")) // 2
