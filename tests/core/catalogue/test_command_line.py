"""How commands are written in a terminal, for every command of the catalogue."""

from __future__ import annotations

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue import command_line
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.catalogue.command_line import Line

GROUPS, LINES = command_line.read(str(paths.catalogue()))
CATALOGUE = Catalogue(paths.catalogue())
#: What every call takes beside the parameters of its command (`programs/call.py`).
OURS = {"--json", "--help", "--data-dir", "--session"}
EVERY = pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.name)


def test_it_is_the_same_catalogue_as_everywhere_else() -> None:
    assert {command.short_name: command.all_properties for command in CATALOGUE} == {
        line.name: line.parameters for line in LINES.values()
    }
    assert CATALOGUE.groups == GROUPS


@EVERY
def test_each_word_is_a_parameter_or_a_place(line: Line) -> None:
    for word in line.words:
        if line.is_place(word):
            assert set(line.place_parameters(word).values()) <= line.parameters.keys()
    assert len(set(line.words)) == len(line.words)
    assert set(line.required) <= set(line.words)
    assert line.takes_target == "none" or line.words[0] == "target"


@EVERY
def test_only_the_last_word_may_be_many(line: Line) -> None:
    many = [word for word in line.words if not line.is_place(word) and line.parameters[word]["type"] == "array"]
    assert many in ([], line.words[-1:])


@EVERY
def test_no_two_options_are_the_same_and_none_is_ours(line: Line) -> None:
    options = [command_line.option(name) for name in line.parameters]
    assert len(set(options)) == len(options)
    assert not OURS & set(options)


@pytest.mark.parametrize(
    ("name", "usage"),
    [
        ("click", "kapture click TARGET"),
        ("fill", "kapture fill TARGET VALUE"),
        ("type", "kapture type [TARGET] TEXT"),
        ("drag", "kapture drag TARGET [TO]"),
        ("upload_file", "kapture upload_file [TARGET] PATH …"),
        ("get_computed_styles", "kapture get_computed_styles SELECTOR [PROPERTY …]"),
        ("new_tab", "kapture new_tab [URL]"),
        ("connect_tab", "kapture connect_tab BROWSER_TAB_ID"),
        ("list_tabs", "kapture list_tabs"),
    ],
)
def test_the_usage_says_what_may_be_left_out(name: str, usage: str) -> None:
    assert LINES[name].usage == usage


def test_an_option_is_a_parameter_in_small_letters() -> None:
    assert list(map(command_line.option, ("tabId", "clickCount", "x", "toX"))) == [
        "--tab-id", "--click-count", "--x", "--to-x",
    ]  # fmt: skip
