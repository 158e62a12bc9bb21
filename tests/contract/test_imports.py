"""The direction of imports: window → core ← hub, the child alone, and only the programs know all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tree import PACKAGE, imports, modules

#: Part of the package → the parts of it that it may import. A file at the top is a part of its own.
ARROWS: dict[str, set[str]] = {
    "core": {"core"},
    "hub": {"core", "hub", "door", "paths", "__version__"},
    "window": {"core", "window", "paths", "__version__"},
    "mcp_child": {"mcp_child", "door"},
    "demo": {"core", "hub", "demo", "paths"},
    "format_helper": set(),
    "programs": {"core", "hub", "window", "demo", "programs", "door", "paths", "__version__"},
    "cli": {"mcp_child", "programs"},
    "__main__": {"cli"},
    "paths": {"door"},
    "door": set(),
    "__init__": set(),
}
#: Part → foreign packages and modules it must do without.
BANNED: dict[str, set[str]] = {
    "core": {"PySide6", "shiboken6", "qasync", "qtawesome", "websockets", "mcp", "mcp_types", "anyio", "subprocess",
             "socket", "socketserver", "http", "multiprocessing", "psutil", "platformdirs", "threading"},
    "hub": {"PySide6", "shiboken6", "qasync", "qtawesome"},
    "window": {"websockets", "mcp", "mcp_types", "anyio", "subprocess", "socket", "sqlite3", "msgspec"},
    "demo": {"PySide6", "shiboken6", "qasync", "qtawesome"},
}  # fmt: skip


def part_of(module: Path) -> str:
    return module.parts[0] if len(module.parts) > 1 else module.stem


@pytest.mark.parametrize("module", modules(), ids=str)
def test_every_import_follows_the_arrows(module: Path) -> None:
    part = part_of(module)
    for name in imports(module):
        first, _, rest = name.partition(".")
        if first == "kapture_panel":
            assert rest.partition(".")[0] in ARROWS[part], f"{module} imports {name}"
        else:
            assert first not in BANNED.get(part, set()), f"{module} imports {name}"


@pytest.mark.parametrize("module", [module for module in modules() if part_of(module) == "mcp_child"], ids=str)
def test_the_child_needs_five_modules_of_python(module: Path) -> None:
    foreign = {name for name in imports(module, at_run_time_only=True) if not name.startswith("kapture_panel.")}
    assert foreign <= {"sys", "os", "json", "socket", "threading"}
    assert {name for name in imports(module) if name.startswith("kapture_panel.")} <= {
        "kapture_panel.door", "kapture_panel.mcp_child.launch",
    }  # fmt: skip


def test_the_door_needs_two() -> None:
    assert set(imports(Path("door.py"), at_run_time_only=True)) == {"os", "sys"}


def test_the_command_line_imports_nothing_before_it_knows_the_program() -> None:
    lines = (PACKAGE / "cli.py").read_text().splitlines()
    assert [line for line in lines if line.startswith(("import ", "from "))] == ["import sys"]


def test_every_part_has_its_arrows() -> None:
    assert {part_of(module) for module in modules()} <= ARROWS.keys()


MIRRORED = [
    module
    for module in modules()
    if module.parts[0] in ("core", "hub", "mcp_child") and module.stem not in ("__init__", "services")
]


@pytest.mark.parametrize("module", MIRRORED, ids=str)
def test_every_file_has_its_tests(module: Path) -> None:
    tests = PACKAGE.parents[1] / "tests" / module.with_name(f"test_{module.name}")
    assert tests.is_file()
