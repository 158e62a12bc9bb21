"""The command reference in the documentation."""

from __future__ import annotations

from kapture_panel import paths
from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.catalogue import reference
from tests.support.core.fakes import CATALOGUE


def test_the_reference_names_every_command_parameter_and_code() -> None:
    text = reference.text(CATALOGUE)
    for command in CATALOGUE:
        part = text.split(f"### {command.name}\n")[1].split("### ")[0]
        assert command.description in part
        for name in command.properties:
            assert f"`{name}`" in part
    for code in CODES:
        assert f"`{code}`" in text


def test_the_reference_in_the_documentation_is_not_stale() -> None:
    written = (paths.resources().parent / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == reference.text(CATALOGUE), (
        "make it again: python -m kapture_panel.programs.reference > docs/commands.md"
    )
