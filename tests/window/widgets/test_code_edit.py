"""Code and JSON are coloured, with the number of each line."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.widgets import code_edit
from kapture_panel.window.widgets.code_edit import CodeEdit, CodeView
from kapture_panel.window.widgets.theme import Theme


@pytest.fixture
def edit(theme: Theme, qtbot: QtBot) -> CodeEdit:
    made = CodeEdit(min_lines=4, max_lines=14)
    made.wear(theme)
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show()
    return made


def coloured(block: QTextBlock, theme: Theme) -> dict[str, str]:
    """What stands out in a line, with the names of the colours."""
    names = {theme.color(name).name(): name for name in ("accent", "driving", "ok", "text_secondary")}
    return {
        block.text()[one.start : one.start + one.length]: names[one.format.foreground().color().name()]
        for one in block.layout().formats()
    }


def test_words_strings_numbers_and_comments_have_colours_also_in_the_dark(edit: CodeEdit, theme: Theme) -> None:
    edit.show_text('const sum = 12 + "a"; // note')
    wanted = {"const": "accent", "12": "driving", '"a"': "ok", "// note": "text_secondary"}
    assert coloured(edit.document().firstBlock(), theme) == wanted
    theme.set_mode("dark")
    assert coloured(edit.document().firstBlock(), theme) == wanted


def test_what_goes_over_lines_is_coloured_to_its_end(edit: CodeEdit, theme: Theme) -> None:
    edit.show_text("/* one\ntwo */ let a\n`three\n\\` four` 5")
    lines = [coloured(edit.document().findBlockByNumber(number), theme) for number in range(4)]
    assert lines == [
        {"/* one": "text_secondary"},
        {"two */": "text_secondary", "let": "accent"},
        {"`three": "ok"},
        {"\\` four`": "ok", "5": "driving"},
    ]


def test_the_keys_of_json_differ_from_its_values(edit: CodeEdit, theme: Theme) -> None:
    edit.show_text('{"a": "b", "c": null}')
    wanted = {'"a"': "accent", '"b"': "ok", '"c"': "accent", "null": "accent"}
    assert coloured(edit.document().firstBlock(), theme) == wanted


def test_the_numbers_stand_beside_the_text_and_get_the_room_they_need(edit: CodeEdit) -> None:
    narrow = edit.numbers_px
    numbers = next(child for child in edit.children() if isinstance(child, QWidget) and child.width() == narrow)
    assert numbers.geometry().right() < edit.viewport().geometry().left()
    edit.show_text("\n" * 120)
    assert edit.numbers_px > narrow
    assert numbers.width() == edit.numbers_px
    assert numbers.geometry().right() < edit.viewport().geometry().left()
    assert len(set(pixels(numbers))) > 1, "the numbers are drawn"


def pixels(widget: QWidget) -> list[int]:
    """The colours of a widget's picture."""
    image = widget.grab().toImage()
    return [image.pixel(x, y) for x in range(image.width()) for y in range(image.height())]


def test_code_that_is_read_has_colours_but_a_long_text_is_plain(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = CodeView("Result as JSON", theme)
    qtbot.addWidget(view)
    view.show_code('{"a": 12}')
    wanted = {'"a"': "accent", "12": "driving"}
    assert coloured(view.document().firstBlock(), theme) == wanted
    assert view.isReadOnly()
    monkeypatch.setattr(code_edit, "MAX_COLOURED_CHARS", 8)
    view.show_code('{"a": 12}')
    assert coloured(view.document().firstBlock(), theme) == {}
    view.show_code('{"a":1}')
    qtbot.waitUntil(lambda: coloured(view.document().firstBlock(), theme) == {'"a"': "accent", "1": "driving"})
