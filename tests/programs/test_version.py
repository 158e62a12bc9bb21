"""`kapture --version`: what this installation is made of."""

from __future__ import annotations

import platform

import PySide6
import pytest

from kapture_panel import __version__
from kapture_panel.core.wire import protocol
from kapture_panel.programs import arguments


def test_it_names_each_part_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        arguments.parser().parse_args(["--version"])
    assert ended.value.code == 0
    first, *parts = capsys.readouterr().out.splitlines()
    assert first == f"kapture {__version__}"
    said = dict(part.split() for part in parts)
    assert said.keys() == {"Python", "Qt", "extension", "protocol", "mcp"}
    assert said["Python"] == platform.python_version()
    assert said["Qt"] == PySide6.__version__
    assert said["extension"] == __version__
    assert said["protocol"] == str(protocol.VERSION)
