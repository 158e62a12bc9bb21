"""A file fits in the head and a function on a screen; ESLint says so of the extension's functions and tests."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

from tests.support.tree import EXTENSION, PACKAGE, ROOT, parsed

MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 50
MEDIAN_LINES = 100
#: Nine of ten files are not longer.
P90_LINES = 250
#: What runs in pages is written as modules; this one file of them is made.
MADE = {EXTENSION / "page.bundle.js"}


def files(*folders: Path) -> dict[Path, int]:
    """The source files in `folders` with their lines; what only marks a package is none."""
    found = [path for folder in folders for end in ("py", "js") for path in folder.rglob(f"*.{end}")]
    ours = [path for path in found if path not in MADE and "node_modules" not in path.parts]
    kept = [path for path in ours if path.name != "__init__.py"]
    return {path: len(path.read_text(encoding="utf-8").splitlines()) for path in kept}


def long_functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Name and length of each function that is too long."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MOST_LINES_OF_A_FUNCTION:
                yield node.name, length


def test_files_fit_in_the_head() -> None:
    sizes = files(PACKAGE, EXTENSION, ROOT / "tests")
    assert {path: lines for path, lines in sizes.items() if lines > MOST_LINES} == {}
    assert statistics.median(sizes.values()) <= MEDIAN_LINES
    assert statistics.quantiles(sizes.values(), n=10)[-1] <= P90_LINES


def test_functions_fit_on_a_screen() -> None:
    sources = [path for path in files(PACKAGE, ROOT / "tests") if path.suffix == ".py"]
    found = {path: long for path in sources if (long := list(long_functions(parsed(path))))}
    assert found == {}


def test_a_function_of_51_lines_is_found() -> None:
    assert list(long_functions(ast.parse("def f():\n" + "    pass\n" * 49))) == []
    assert list(long_functions(ast.parse("async def f():\n" + "    pass\n" * 50))) == [("f", 51)]
