"""Error codes are stable: none is made that is not explained, and none is explained that nobody makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from kapture_panel.core.basics.errors import CODES
from tests.support.tree import EXTENSION, PACKAGE, modules, parsed

#: What stands for a code that was made elsewhere: an error's that is passed on, and a parameter, whose values are read.
PASSED_ON = {"error.code", "this.code", "code"}
#: Between the extension and the panel alone: the panel asks its person, and answers with a code of its own; the
#: extension tells its person which of the two is to be updated.
WITHIN = {"NEEDS_APPROVAL", "OLD_EXTENSION", "OLD_PANEL"}
#: What makes an error in the extension: the family of its own world, the one of the page's, and objects made by hand.
MADE = re.compile(r"""\bnew (?:KaptureError|Failure|NotReady)\(\s*([^,)]+)|\b(?:code: |super\()("[A-Z_]+")""")


def in_python() -> Iterator[tuple[str, str]]:
    """(where, code) of each error the package makes."""
    for module in modules():
        for node in ast.walk(parsed(PACKAGE / module)):
            for code in codes(node):
                yield (
                    f"{module}:{code.lineno}",
                    str(code.value) if isinstance(code, ast.Constant) else ast.unparse(code),
                )


def codes(node: ast.AST) -> list[ast.expr]:
    """The codes that `node` itself gives: to an error, or to a parameter `code` which is an error's."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "KaptureError":
        return [node.args[0]]
    if isinstance(node, ast.arguments):
        pairs = zip(node.kwonlyargs, node.kw_defaults, strict=True)
        return [default for name, default in pairs if name.arg == "code" and default and named(default)]
    return [node.value] if isinstance(node, ast.keyword) and node.arg == "code" and named(node.value) else []


def named(node: ast.expr) -> bool:
    """Whether it is written as codes are, not as a script or a number."""
    return isinstance(node, ast.Constant) and bool(re.fullmatch(r"[A-Z_]+", str(node.value)))


def in_extension() -> Iterator[tuple[str, str]]:
    """The same of the extension, the half in the page included."""
    for path in sorted(EXTENSION.rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        for match in MADE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(EXTENSION)}:{line}", (match[1] or match[2]).strip('"')


@pytest.fixture(scope="module")
def made() -> list[tuple[str, str]]:
    return [*in_python(), *in_extension()]


def test_every_error_made_has_a_code_that_is_explained(made: list[tuple[str, str]]) -> None:
    known = CODES.keys() | PASSED_ON | WITHIN
    assert [(where, code) for where, code in made if code not in known] == []


def test_every_code_that_is_explained_is_made_somewhere(made: list[tuple[str, str]]) -> None:
    assert CODES.keys() - {code for _, code in made} == set()


def test_every_part_that_makes_errors_is_read(made: list[tuple[str, str]]) -> None:
    folders = {where.partition("/")[0] for where, _ in made}
    assert {"core", "hub", "handlers", "wire", "tab", "browser", "page"} <= folders
