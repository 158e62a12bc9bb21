"""An editor is as high as its text and shows a bar only for what is beyond that."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import Theme


@pytest.mark.parametrize("lines", range(0, 6))
def test_there_is_no_scroll_bar_until_the_text_is_longer_than_the_editor_grows(
    lines: int, qtbot: QtBot, theme: Theme
) -> None:
    edit = TextEdit(min_lines=1, max_lines=4)
    qtbot.addWidget(edit)
    edit.show_text("\n".join("word" for _ in range(lines)))
    edit.resize(300, edit.sizeHint().height())
    edit.show()
    qtbot.waitExposed(edit)
    assert edit.verticalScrollBar().isVisible() == (lines > 4)
    edit.show_text("")
    policy = edit.verticalScrollBarPolicy()
    assert policy == Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def test_a_long_line_that_wraps_is_scrolled_to(qtbot: QtBot, theme: Theme) -> None:
    edit = TextEdit(min_lines=1, max_lines=4)
    qtbot.addWidget(edit)
    edit.resize(200, edit.sizeHint().height())
    edit.show()
    edit.show_text("word " * 100)
    assert edit.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded


def test_a_line_break_typed_leaves_what_was_typed_before_in_sight(qtbot: QtBot, theme: Theme) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    edit = TextEdit(min_lines=1, max_lines=4)
    column.addWidget(edit)
    column.addStretch(1)
    page.resize(300, 200)
    page.show()
    qtbot.waitExposed(page)
    QTest.keyClicks(edit, "Ada")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: edit.height() == edit.sizeHint().height())
    assert edit.firstVisibleBlock().blockNumber() == 0
