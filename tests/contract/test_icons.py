"""Every icon that is named exists: a missing one is an exception in the window."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.core.fakes import CATALOGUE
from tests.support.tree import PACKAGE


@pytest.fixture(scope="module")
def drawn() -> set[str]:
    """The names of the mdi6 set, read from the font's own table: importing qtawesome would need Qt."""
    spec = find_spec("qtawesome")
    assert spec is not None
    assert spec.origin is not None
    (table,) = (Path(spec.origin).parent / "fonts").glob("materialdesignicons6-webfont-charmap-*.json")
    return {f"mdi6.{name}" for name in json.loads(table.read_text(encoding="utf-8"))}


def test_every_command_has_an_icon_that_exists(drawn: set[str]) -> None:
    assert {command.icon for command in CATALOGUE} - drawn == set()


def test_every_icon_the_program_names_exists(drawn: set[str]) -> None:
    named = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r"[\"'](mdi6\.[\w-]+)[\"']", path.read_text(encoding="utf-8"))
    }
    assert named
    assert named - drawn == set()
