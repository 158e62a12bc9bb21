"""The programs print in one place only, `programs/terminal.py`, where what a terminal obeys is taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.tree import PACKAGE, modules, parsed

PRINTER = Path("programs/terminal.py")
#: Names that print, and modules or attributes through which something could.
NAMES = {"print", "input", "breakpoint"}
MODULES = {"getpass", "curses", "readline", "pprint", "rich"}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
#: argparse and logging print, too; `traceback.print_exc`, `os.write` and `/dev/tty` go past `sys`.
CALLS = {"print_help", "print_usage", "print_exc", "print_exception", "print_stack", "StreamHandler"}
OF_OS = {"write", "writev", "system"}

PROGRAMS = [path for path in modules() if path.parts[0] in ("programs", "demo", "cli.py", "__main__.py")]


def ways_past(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            named = {name.name for name in node.names}
            if node.module in MODULES or (node.module == "sys" and named & STREAMS) or named & CALLS:
                yield f"from {node.module}"
        elif isinstance(node, ast.Name) and node.id in NAMES:
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, name = node.value.id, node.attr
            if (
                (owner == "sys" and name in STREAMS)
                or (owner == "os" and name in OF_OS)
                or (owner in ("logging", "traceback") and name in CALLS)
                or name in ("print_help", "print_usage")
            ):
                yield f"{owner}.{name}"
        elif isinstance(node, ast.Constant) and node.value in ("/dev/tty", "/dev/stdout", "/dev/stderr"):
            yield str(node.value)


@pytest.mark.parametrize("module", [module for module in PROGRAMS if module != PRINTER], ids=str)
def test_no_program_prints_past_the_one_place(module: Path) -> None:
    assert list(ways_past(parsed(PACKAGE / module))) == []


def test_the_one_place_is_there_and_the_search_finds_what_it_looks_for() -> None:
    assert PRINTER in PROGRAMS
    assert {"print", "getpass", "sys.stdout", "sys.stderr", "logging.StreamHandler"} <= set(
        ways_past(parsed(PACKAGE / PRINTER))
    )
