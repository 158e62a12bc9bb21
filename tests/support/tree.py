"""The repository as the contract tests read it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "app" / "kapture_panel"
EXTENSION = ROOT / "extension"


def modules() -> list[Path]:
    """Every Python file of the package, relative to it."""
    return sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    """A Python file as its tree; several tests look through all of them."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(module: Path, *, at_run_time_only: bool = False) -> Iterator[str]:
    """The full names `module` imports, functions' own imports included.

    Args:
        module: relative to the package, or absolute.
        at_run_time_only: leave out what only a type checker imports.
    """
    tree = parsed(PACKAGE / module)
    skipped = {id(node) for branch in ast.walk(tree) if _is_type_checking(branch) for node in ast.walk(branch)}
    for node in ast.walk(tree):
        if at_run_time_only and id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def files(root: Path = ROOT) -> list[Path]:
    """Every file that belongs to the repository; without git, all but hidden folders and caches."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True
    )
    if listed.returncode == 0:
        found = [root / name for name in listed.stdout.decode().split("\0") if name]
    else:
        folders = ("app", "docs", "extension", "packaging", "resources", "tests", ".ci")
        found = [path for folder in folders for path in (root / folder).rglob("*") if "__pycache__" not in path.parts]
        found += root.glob("*.*")
    return [path for path in found if path.is_file()]


def texts() -> Iterator[tuple[str, str]]:
    """(path, text) of every file that is text."""
    for path in files():
        try:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
