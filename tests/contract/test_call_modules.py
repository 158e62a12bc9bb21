"""A call from a terminal costs little because of what it does not load: a coding agent makes one after the other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.cli import PROGRAMS
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.programs import arguments
from tests.support.mcp_child.fakes import FakePanel
from tests.support.patience import PATIENCE_S

#: The call itself; at its end it tells which modules it came to load.
PROGRAM = """
import sys
before = set(sys.modules)
from kapture_panel import cli
code = cli.run(sys.argv[1:])
loaded = set(sys.modules) - before
import json
sys.stderr.write(json.dumps(sorted(loaded)))
sys.exit(code)
"""
#: What a call may load of Python's library and of others; whatever these load themselves comes along.
FOREIGN = {"__future__", "json", "os", "socket", "sys"}
OURS = {"kapture_panel", "kapture_panel.cli", "kapture_panel.core", "kapture_panel.core.basics",
        "kapture_panel.core.basics.sanitize", "kapture_panel.core.catalogue",
        "kapture_panel.core.catalogue.command_line", "kapture_panel.core.catalogue.sharing", "kapture_panel.door",
        "kapture_panel.door_socket", "kapture_panel.programs", "kapture_panel.programs.call",
        "kapture_panel.programs.command_words", "kapture_panel.programs.terminal", "kapture_panel.shipped"}  # fmt: skip
ANSWER = {"text": "done", "untrusted": "", "result": {}}


def loaded_by_a_call(root: Path, *words: str) -> set[str]:
    command = [sys.executable, "-c", PROGRAM, *words, "--data-dir", str(root)]
    with FakePanel(root) as panel, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as call:  # fmt: skip
        with panel.accept() as attached:
            assert attached.greeting["role"] == "call"
            assert attached.hear() == {"command": "click", "params": {"ref": "e5"}}
            attached.say(ANSWER)
        out, told = call.communicate(timeout=PATIENCE_S)
    assert (call.returncode, out.strip()[:4]) in ((0, "done"), (0, '{"su'))
    return set(json.loads(told))


def loaded_by(*modules: str) -> set[str]:
    script = f"import sys; before = set(sys.modules); import {', '.join(modules)}; print(*set(sys.modules) - before)"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


@pytest.mark.parametrize(
    "words", [("click", "e5"), ("call", "click", "ref=e5"), ("click", "e5", "--json")], ids=" ".join
)
def test_a_call_loads_what_it_needs_and_nothing_else(tmp_path: Path, words: tuple[str, ...]) -> None:
    loaded = loaded_by_a_call(tmp_path, *words)
    assert {name for name in loaded if name.startswith("kapture_panel")} == OURS
    foreign = {name for name in loaded if not name.startswith("kapture_panel")}
    assert foreign - loaded_by(*FOREIGN) <= {"encodings.idna", "stringprep"}  # a TCP door's


def test_no_command_is_called_like_a_program() -> None:
    """Else `kapture NAME` would mean two things; `kapture call NAME` always means the command."""
    assert {command.short_name for command in Catalogue(paths.catalogue())} & PROGRAMS == set()


def test_every_program_of_the_command_line_is_known_where_it_is_chosen() -> None:
    [programs] = [action for action in arguments.parser()._actions if isinstance(action, arguments._Programs)]
    assert set(programs.choices) == PROGRAMS
