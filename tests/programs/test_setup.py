"""`make setup` in a tree whose .venv leads to another tree's, as a link or a copy of a tree with its links has it.

And `make clean`, which removes what make and the tests made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: An interpreter that tells its version and has all it takes, and makes nothing.
INTERPRETER = """#!/bin/sh
case "$*" in
-c*) echo 3.11 /usr ;;
"-m venv --clear .venv") mkdir -p .venv && rm -rf .venv/* && exit 9 ;;
esac
"""


def test_a_linked_environment_is_left_to_whom_it_belongs(tmp_path: Path) -> None:
    other, tree = tmp_path / "other" / ".venv", tmp_path / "tree"
    (other / "bin").mkdir(parents=True)
    (other / ".ready").write_text("theirs")
    (tree / "packaging").mkdir(parents=True)
    for name in ("packaging/setup.sh", "packaging/constraints.txt", "packaging/debian-packages.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tree / name)
    (tree / ".venv").symlink_to(other)
    interpreter = tmp_path / "interpreter"
    interpreter.write_text(INTERPRETER)
    interpreter.chmod(0o700)
    run = subprocess.run(
        ["sh", tree / "packaging" / "setup.sh"],
        env={**os.environ, "PYTHON": str(interpreter), "SYSTEM": "skip"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 9, run.stderr
    assert ".venv is a link to another folder; this one gets its own" in run.stderr
    assert (other / ".ready").read_text() == "theirs"
    assert (other / "bin").is_dir()


def test_clean_removes_what_python_compiled_wherever_it_was_started(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    started = [ROOT.joinpath(module).parent for folder in ("app", "tests", "packaging")
               for module in sorted(ROOT.joinpath(folder).rglob("*.py"))]  # fmt: skip
    for folder in set(started):
        (tmp_path / folder.relative_to(ROOT) / "__pycache__").mkdir(parents=True)
    subprocess.run(["make", "-C", tmp_path, "clean"], capture_output=True, check=True)
    assert list(tmp_path.rglob("__pycache__")) == []
