"""The help of every command, made from the catalogue."""

from __future__ import annotations

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue import command_line
from kapture_panel.core.catalogue.command_line import Line, option
from kapture_panel.programs import call_help

GROUPS, LINES = command_line.read(str(paths.catalogue()))


@pytest.mark.parametrize("line", LINES.values(), ids=lambda line: line.name)
def test_the_help_of_a_command_names_all_it_takes_within_its_width(line: Line) -> None:
    text = call_help.of_command(line)
    assert line.usage in text
    assert line.description in text
    named = [name for name in line.parameters if name not in line.words]
    assert [name for name in named if option(name) not in text] == []
    assert max(map(len, text.splitlines()[3:])) <= call_help.WIDTH


def test_the_list_has_every_command_once() -> None:
    listed = call_help.of_all(GROUPS, LINES).splitlines()
    for line in LINES.values():
        rows = [row.strip() for row in listed]
        assert sum(row == line.usage or row.startswith(f"{line.usage}  ") for row in rows) == 1, line.name
