"""Words that say less, but whole, where there is less room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyle, QStyleOptionFrame
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.filter_field import FilterField
from kapture_panel.window.widgets.filter_row import FilterRow
from kapture_panel.window.widgets.search_field import SearchField
from kapture_panel.window.widgets.small_choice import SmallChoice
from kapture_panel.window.widgets.theme import Theme


def test_a_hint_is_never_cut(theme: Theme, qtbot: QtBot) -> None:
    field = SearchField("Filter")
    qtbot.addWidget(field)
    field.offer_hints("Filter · newest last", "Filter")
    field.show()
    for width in range(60, 260):
        field.resize(width, field.height())
        option = QStyleOptionFrame()
        field.initStyleOption(option)
        inside = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
        words = field.placeholderText()
        # Qt leaves 2 px of these free on each side.
        assert words == "Filter" or field.fontMetrics().horizontalAdvance(words) <= inside.width() - 4, width


def test_the_choice_that_stays_says_what_it_is_about(theme: Theme, qtbot: QtBot) -> None:
    choices = [SmallChoice("Where", {"Everywhere": 0, "Page": 1}), SmallChoice("Tab", {"All tabs": ""})]
    row = FilterRow(FilterField(theme, "Filter lines"), choices, [])
    qtbot.addWidget(row)
    row.show()
    for width in range(row.minimumSizeHint().width(), 500, 7):
        row.resize(width, row.height())
        assert choices[1].width() >= choices[1].whole_px, width


@pytest.mark.parametrize("size", [QSize(800, 500), QSize(1000, 700)])
def test_the_finder_says_what_it_finds_before_its_shortcut(size: QSize, window: MainWindow) -> None:
    window.resize(size)
    assert window.toolbar.finder.words.text().startswith("Find a command")
