"""The mutants of a module: each is one small change of its syntax tree that somebody could have made by mistake.

Texts for people are left alone (those with a space, f-strings but for their values, the log), and so are types and
decorators.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

_OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.Break: ast.Continue, ast.Continue: ast.Break,
}  # fmt: skip
_OTHER_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
#: What is told and decides nothing.
_TELLING = ("log.",)


@dataclass
class Mutant:
    """One change. `function` is the outermost function it is in, by qualified name, or empty; `was` and `becomes`
    are the lines it changes."""

    module: str
    function: str
    was: str
    becomes: str
    line: int
    number: int
    compiled: Callable[[], CodeType]

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names it, however the lines above it change."""
        return self.module, self.function, self.was, self.becomes


@dataclass
class _Place:
    """Where a change goes: a field of a node, or one item of it."""

    owner: ast.AST
    name: str
    index: int | None = None

    def put(self, value: Any) -> Any:
        """Set it; returns what was there."""
        if self.index is None:
            was = getattr(self.owner, self.name)
            setattr(self.owner, self.name, value)
            return was
        items = getattr(self.owner, self.name)
        was, items[self.index] = items[self.index], value
        return was


@dataclass
class _Found:
    place: _Place
    instead: Any
    scope: list[ast.AST] = field(default_factory=list)


def mutants_of(path: Path, module: str) -> Iterator[Mutant]:
    """All mutants of the file, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    original: dict[int, list[str]] = {}
    for number, found in enumerate(list(_search(tree, []))):
        outermost = _outermost(found.scope)
        shown = outermost or next((node for node in tree.body if node in found.scope), tree)
        before = original.setdefault(id(shown), ast.unparse(shown).splitlines())
        was_there = found.place.put(found.instead)
        after = ast.unparse(ast.fix_missing_locations(shown)).splitlines()
        found.place.put(was_there)
        lines = list(difflib.ndiff(before, after))
        was, becomes = (" ⏎ ".join(line[2:].strip() for line in lines if line[0] == mark) for mark in "-+")
        line = getattr(was_there, "lineno", getattr(found.place.owner, "lineno", 0))
        compiled = _Compiling(tree, found.place, found.instead, path)
        yield Mutant(module, _qualified(found.scope), was, becomes, line, number, compiled)


def telling_its_calls(path: Path, module: str, note: str) -> CodeType:
    """The module as it is, but that each function calls `note` with its name before all else."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    _tell(tree.body, module, "", note)
    return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)


def _tell(body: list[ast.stmt], module: str, inside: str, note: str) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            _tell(node.body, module, f"{inside}{node.name}.", note)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body.insert(0, ast.parse(f"{note}({called(module, inside + node.name)!r})").body[0])


def called(module: str, function: str) -> str:
    """One name for a function of a module."""
    return f"{module}:{function}"


@dataclass
class _Compiling:
    """Compiles the module with one change."""

    tree: ast.Module
    place: _Place
    instead: Any
    path: Path

    def __call__(self) -> CodeType:
        was_there = self.place.put(self.instead)
        try:
            return compile(ast.fix_missing_locations(self.tree), str(self.path), "exec", dont_inherit=True)
        finally:
            self.place.put(was_there)


def _outermost(scope: list[ast.AST]) -> ast.AST | None:
    return next((node for node in scope if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)), None)


def _qualified(scope: list[ast.AST]) -> str:
    """The outermost function's name; empty for what is done when it is defined: defaults, the body of a class."""
    names = []
    for node in scope:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_default = any(part is node.args for part in scope)
            return "" if is_default else ".".join([*names, node.name])
    return ""


def _search(node: ast.AST, scope: list[ast.AST]) -> Iterator[_Found]:
    """Each place and what may stand there instead."""
    inside = [*scope, node]
    for name, value in ast.iter_fields(node):
        if _is_left_alone(node, name):
            continue
        items = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, item in items:
            if not isinstance(item, ast.AST) or _is_docstring(node, name, item) or _is_telling(item):
                continue
            for instead in _instead_of(item, node, name):
                yield _Found(_Place(node, name, index), instead, [*inside, item])
            yield from _search(item, inside)


def _is_left_alone(node: ast.AST, name: str) -> bool:
    if name in ("annotation", "returns", "decorator_list", "type_params", "ctx", "bases"):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
        return True
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Assert)


def _is_docstring(node: ast.AST, name: str, item: ast.AST) -> bool:
    return name == "body" and isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _is_telling(item: ast.AST) -> bool:
    return isinstance(item, ast.Expr) and ast.unparse(item).startswith(_TELLING)


def _instead_of(item: ast.AST, parent: ast.AST, name: str) -> Iterator[Any]:
    if type(item) in _OTHERS:
        yield _OTHERS[type(item)]()
    if isinstance(item, ast.Constant) and not isinstance(parent, ast.JoinedStr):
        yield from (ast.Constant(value) for value in _other_constants(item.value))
    if isinstance(item, ast.Name) and item.id in _OTHER_NAMES and isinstance(parent, ast.Call):
        yield ast.Name(_OTHER_NAMES[item.id], ast.Load())
    if isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.Not | ast.USub):
        yield item.operand
    if isinstance(item, ast.expr) and (name in ("test", "ifs")) and not isinstance(item, ast.Constant):
        yield from (ast.Constant(value) for value in (True, False))
    if isinstance(item, ast.Return) and item.value is not None and not _is_none(item.value):
        yield ast.Return(ast.Constant(None))
    if isinstance(item, ast.Expr | ast.Raise | ast.Delete | ast.AugAssign) and not _is_bare(item):
        yield ast.Pass()
    if isinstance(item, ast.Assign | ast.AnnAssign) and item.value is not None and _sets_more_than_a_name(item):
        yield ast.Pass()


def _other_constants(value: object) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1]
    if isinstance(value, str) and " " not in value:
        # Of a pattern's alternatives each in turn is missing.
        ways = value.split("|") if value.count("|") > 1 else []
        return [f"XX{value}", *("|".join(ways[:at] + ways[at + 1 :]) for at in range(len(ways)))]
    if isinstance(value, bytes):
        return [b"XX" + value]
    return []


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_bare(item: ast.AST) -> bool:
    """`...`, `yield` and the bare `raise`, without which nothing is left to compare."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant | ast.Yield)


def _sets_more_than_a_name(item: ast.Assign | ast.AnnAssign) -> bool:
    targets = item.targets if isinstance(item, ast.Assign) else [item.target]
    return not all(isinstance(target, ast.Name) for target in targets)
