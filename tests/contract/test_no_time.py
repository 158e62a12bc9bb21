"""No test judges a time, and none sleeps where it could wait for an event: a busy machine must not turn one red."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.support.tree import ROOT, parsed

TESTS = ROOT / "tests"
#: What measures, repeats for hours, or waits for other people's programs; `make test` runs none of it.
APART = ("bench", "dist", "grid", "mutants", "soak")
#: The only files that may sleep, and why no event would do.
MAY_SLEEP = {
    "core/test_deadlines.py": "a process that stands still past a deadline is what is asked about",
    "core/test_router_timeouts.py": "the time that passes is what is asked about",
    "e2e/test_pairing.py": "in this time nothing must come",
    "hub/agent_door/mcp/test_progress.py": "in this time nothing must be told",
    "support/e2e/desktop_host.py": "between two looks at another program's windows, until they are there",
    "support/e2e/person.py": "what is coalesced shall be in a picture; nothing else depends on it",
    "support/grid_relay.py": "this long is the way over the network that it plays",
    "support/selenium_grid.py": "between two looks at another program's address, until it answers",
    "support/window/qt_loop.py": "between two looks, until a condition holds; and `settle`, for what must not come",
    "window/test_heartbeat.py": "a thread that stands still is what is asked about",
}
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns"}
TIMES = {"elapsed", "took", "waited", "ms", "waitedMs", "elapsedMs"}


def name_of(node: ast.expr) -> str:
    """The last word of a name, an attribute or a key."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return ""


def is_clock(node: ast.AST) -> bool:
    """Whether it asks a clock: `time.time()`, `loop.time()`, `perf_counter()`; not a fake's `self.time`."""
    return isinstance(node, ast.Call) and not node.args and name_of(node.func) in CLOCKS


def is_time(node: ast.expr, measured: set[str]) -> bool:
    name = name_of(node)
    if name.startswith("timeout"):
        return False  # a limit that is handed on
    is_named = name in TIMES or (name.endswith(("_ms", "_s")) and not name.isupper())
    return is_named or name in measured or any(map(is_clock, ast.walk(node)))


def is_constant(node: ast.expr) -> bool:
    """Whether it is a number, a NAME_IN_CAPITALS, or calculated from such."""
    leaves = [part for part in ast.walk(node) if isinstance(part, ast.Constant | ast.Name | ast.Call)]
    return bool(leaves) and all(
        (isinstance(leaf, ast.Constant) and isinstance(leaf.value, int | float))
        or (isinstance(leaf, ast.Name) and (leaf.id.isupper() or (leaf.id.islower() and _is_module(node, leaf))))
        for leaf in leaves
    )  # fmt: skip


def _is_module(node: ast.expr, leaf: ast.Name) -> bool:
    """Whether `leaf` is the module of a NAME_IN_CAPITALS in `node`."""
    return any(
        isinstance(part, ast.Attribute) and part.value is leaf and part.attr.isupper() for part in ast.walk(node)
    )


def judged(tree: ast.Module) -> Iterator[int]:
    """The line of each comparison that holds only if something was quick enough."""
    measured = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and any(map(is_clock, ast.walk(node.value)))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for left, comparison, right in zip(sides, node.ops, sides[1:], strict=False):
            if isinstance(comparison, ast.Gt | ast.GtE):
                left, right = right, left
            elif not isinstance(comparison, ast.Lt | ast.LtE):
                continue
            if is_time(left, measured) and is_constant(right):
                yield node.lineno


def sleeps(tree: ast.Module) -> Iterator[int]:
    """The line of each sleep; one of 0 seconds only lets others have their turn."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("asyncio", "time")
        for alias in node.names
        if alias.name == "sleep"
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        by_module = isinstance(node.func, ast.Attribute) and ast.unparse(node.func) in ("time.sleep", "asyncio.sleep")
        by_name = isinstance(node.func, ast.Name) and node.func.id in names
        if (by_module or by_name) and not (
            node.args and isinstance(node.args[0], ast.Constant) and not node.args[0].value
        ):
            yield node.lineno


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in TESTS.rglob("*.py"):
        name = path.relative_to(TESTS)
        if name.parts[0] not in APART and "node_modules" not in name.parts:
            yield name.as_posix(), parsed(path)


def test_no_comparison_judges_a_time() -> None:
    assert {name: lines for name, tree in trees() if (lines := list(judged(tree)))} == {}


def test_only_those_sleep_that_have_a_reason() -> None:
    assert {name for name, tree in trees() if list(sleeps(tree))} == MAY_SLEEP.keys()


@pytest.mark.parametrize(
    "line",
    [
        "assert took < 5", "assert 0 <= took_ms <= 5.5", "assert 5 > elapsed", "assert bar.held_ms <= 2 * MAX_MS",
        "assert answer['waited'] < 5000", "assert check.ms is not None and check.ms < 5000", "assert waited <= -1",
        "assert time.perf_counter() - began < 1", "assert (loop.time() - began) * 1000 < 300",
        "assert monotonic() < 9", "gone = time.monotonic() - began\nassert gone < LIMIT_S",
        "if took_s >= 0 and took_s < limits.MOST_S: pass", "assert PATIENCE_S >= took_s",
    ],
)  # fmt: skip
def test_a_judgement_is_seen_in_each_form(line: str) -> None:
    assert list(judged(ast.parse(line))) != []


@pytest.mark.parametrize(
    "line",
    [
        "assert took_s >= 0.5", "assert count < 5", "assert held.work_ms < held.held_ms / 2", "assert LIMIT_S < 5",
        "while time.monotonic() < deadline: pass", "assert 0 < sent.timeout_ms <= 10", "assert length_s(path) < 2.2",
    ],
)  # fmt: skip
def test_what_holds_on_any_machine_is_no_judgement(line: str) -> None:
    assert list(judged(ast.parse(line))) == []


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        ("time.sleep(1)", True), ("await asyncio.sleep(0.1)", True), ("asyncio.sleep(at - now)", True),
        ("from time import sleep as rest\nrest(1)", True), ("from asyncio import sleep\nsleep(delay=1)", True),
        ("await asyncio.sleep(0)", False), ("clock.sleep(1)", False), ("progress(time.sleep)", False),
    ],
)  # fmt: skip
def test_a_sleep_is_seen_in_each_form(source: str, is_one: bool) -> None:
    tree = ast.parse(source, mode="exec") if "await" not in source else ast.parse(f"async def f():\n    {source}")
    assert (list(sleeps(tree)) != []) is is_one
