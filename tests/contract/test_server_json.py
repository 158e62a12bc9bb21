"""The MCP registry's manifest says what the package is.

Sources: the registry's server.schema.json of 2025-12-11 and its requirements for PyPI packages.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from kapture_panel import __version__, cli, paths
from kapture_panel.mcp_child import relay
from tests.support.tree import ROOT

MANIFEST: dict[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGE: dict[str, Any] = MANIFEST["packages"][0]
ARGUMENTS: list[dict[str, Any]] = PACKAGE["packageArguments"]
NAMED = [argument for argument in ARGUMENTS if argument["type"] == "named"]


def test_it_has_what_the_schema_demands_and_nothing_it_does_not_know() -> None:
    assert MANIFEST["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    assert {"name", "description", "version"} <= MANIFEST.keys()
    assert MANIFEST.keys() <= {"$schema", "name", "title", "description", "version", "packages", "repository", "icons"}
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", MANIFEST["name"])
    assert 3 <= len(MANIFEST["name"]) <= 200
    assert 1 <= len(MANIFEST["title"]) <= 100
    assert 1 <= len(MANIFEST["description"]) <= 100
    assert {"registryType", "identifier", "version", "transport"} <= PACKAGE.keys()
    assert PACKAGE["transport"] == {"type": "stdio"}
    for argument in ARGUMENTS:
        assert argument.keys() <= {"type", "name", "value", "description", "default", "choices", "format"}
        assert argument["type"] == "named" or "value" in argument


def test_it_is_the_package_of_pyproject() -> None:
    assert MANIFEST["version"] == PACKAGE["version"] == PROJECT["version"] == __version__
    assert (PACKAGE["registryType"], PACKAGE["identifier"]) == ("pypi", PROJECT["name"])


def test_what_its_runner_starts_is_a_program_of_the_package() -> None:
    """`uvx NAME` runs the program that is called like the package."""
    programs: dict[str, str] = {**PROJECT["scripts"], **PROJECT["gui-scripts"]}
    module, _, function = programs[PACKAGE["identifier"]].partition(":")
    assert (PACKAGE["runtimeHint"], module) == ("uvx", cli.__name__)
    assert callable(getattr(cli, function))
    assert ARGUMENTS[0] == {"type": "positional", "value": "mcp"}


@pytest.mark.parametrize("argument", NAMED, ids=lambda argument: str(argument["name"]))
def test_the_child_takes_each_argument(argument: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    value = argument.get("default", "value")
    assert relay.main([argument["name"], value, "--help"]) == 0
    assert argument["name"] in capsys.readouterr().out


def test_the_profiles_are_those_that_are_shipped() -> None:
    (profile,) = (argument for argument in NAMED if argument["name"] == "--profile")
    assert set(profile["choices"]) == {file.stem for file in (paths.resources() / "profiles").glob("*.json")}


def test_the_readme_shows_that_the_package_is_ours() -> None:
    """The registry looks for this line in the package's description."""
    assert PROJECT["readme"] == "README.md"
    assert f"mcp-name: {MANIFEST['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")
