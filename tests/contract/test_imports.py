"""The direction of imports: window → core ← hub, the child alone, and only the programs know all."""

from __future__ import annotations

import ast
import re
from collections.abc import Container
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.tree import PACKAGE, ROOT, imports, modules, parsed

#: Part of the package → the parts of it that it may import. A file at the top is a part of its own.
ARROWS: dict[str, set[str]] = {
    "core": {"core"},
    "export": {"core", "export", "paths", "__version__"},
    "installing": {"core", "installing", "paths"},
    "hub": {"core", "hub", "door", "door_socket", "paths", "__version__"},
    "window": {"core", "export", "installing", "window", "paths", "__version__"},
    "mcp_child": {"mcp_child", "door", "door_socket"},
    "demo": {"core", "hub", "demo", "paths"},
    "format_helper": set(),
    "video_helper": set(),
    "programs": {
        "core",
        "export",
        "installing",
        "hub",
        "window",
        "demo",
        "programs",
        "door",
        "door_socket",
        "paths",
        "shipped",
        "__version__",
    },
    "cli": {"mcp_child", "programs"},
    "__main__": {"cli"},
    "paths": {"door", "shipped"},
    "door": set(),
    "door_socket": {"door"},
    "shipped": set(),
    "__init__": set(),
}
#: The rooms of the window: what is beside the shell and the widgets. A new one is held to the same.
_WINDOW = sorted({path.parent.name for path in (PACKAGE / "window").glob("*/__init__.py")} - {"shell", "widgets"})
#: Part → its rooms → what beside them each may import. A file in no room may import any, and no room it but by name.
ROOMS: dict[str, dict[str, set[str]]] = {
    "core": {
        "basics": set(),
        "catalogue": {"basics", "wire"},
        "wire": {"basics"},
        "registry": {"basics", "wire"},
        "stores": {"basics", "catalogue", "wire", "registry"},
        "gates": {"basics", "catalogue", "wire", "registry", "call"},
    },
    "hub": {
        "browsers": set(),
        "extension_door": {"browsers"},
        "agent_door": {"browsers"},
        "panel_commands": {"agent_door"},
        "videos": set(),
        "host": {"browsers", "extension_door", "agent_door"},
    },
    "window": {
        "widgets": set(),
        **{room: {"widgets"} for room in _WINDOW},
        "shell": {"widgets", *_WINDOW},
    },
}
_SKINLESS = {"PySide6", "shiboken6", "qasync", "qtawesome", "websockets", "mcp", "mcp_types", "anyio", "subprocess",
             "socket", "socketserver", "http", "multiprocessing", "psutil", "platformdirs", "threading"}  # fmt: skip
#: Part → foreign packages and modules it must do without.
BANNED: dict[str, set[str]] = {
    "core": _SKINLESS,
    "export": _SKINLESS,
    "installing": _SKINLESS,
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


IN_ROOMS = [module for module in modules() if len(module.parts) > 2 and module.parts[0] in ROOMS]


@pytest.mark.parametrize("module", IN_ROOMS, ids=str)
def test_a_room_knows_no_other_than_those_below_it(module: Path) -> None:
    part, room = module.parts[:2]
    for name in imports(module):
        first, *rest = name.split(".")
        if first == "kapture_panel" and rest[0] == part:
            assert rest[1] in {room} | ROOMS[part][room], f"{module} imports {name}"


@pytest.mark.parametrize("module", [module for module in IN_ROOMS if module.parts[:2] == ("window", "shell")], ids=str)
def test_what_stands_around_the_windows_rooms_knows_them_by_their_door(module: Path) -> None:
    """Only the list of rooms imports them; the rest sees what it is handed, and what an agent or a browser is."""
    known = {"activity", "managed_browser", "browser_setup", "looking", "remote_places"}
    for name in imports(module):
        _, part, room, *rest = (*name.split("."), "", "", "")
        if part == "window" and room in _WINDOW and module.name != "rooms.py":
            assert rest[0] in known, f"{module} imports {name}"


@pytest.mark.parametrize("room", _WINDOW)
def test_a_room_of_the_window_has_one_door(room: str) -> None:
    door = parsed(PACKAGE / "window" / room / "room.py")
    classes = [node for node in door.body if isinstance(node, ast.ClassDef) and node.name == f"{room.title()}Room"]
    (init,) = [node for node in classes[0].body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    assert [argument.arg for argument in init.args.args[:2]] == ["self", "shell"]


def test_every_room_has_its_arrows_and_they_make_no_circle() -> None:
    for part, rooms in ROOMS.items():
        assert {path.parent.name for path in (PACKAGE / part).glob("*/__init__.py")} == rooms.keys()
        TopologicalSorter(rooms).prepare()


def test_the_map_says_what_each_room_may_import() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(core|hub)/(\w+)` \|.*\| (.+) \|$", text, re.MULTILINE)
    told = {(part, room): set(re.findall(r"[a-z_]{3,}", cell.replace("call.py", "call"))) for part, room, cell in rows}
    assert told == {(part, room): ROOMS[part][room] for part in ("core", "hub") for room in ROOMS[part]}


def test_no_two_files_need_each_other() -> None:
    known = {str(module.with_suffix("")).replace("/", "."): module for module in modules()}
    needs = {name: {found for full in imports(module) if (found := _module_of(full, known))} - {name}
             for name, module in known.items()}  # fmt: skip
    TopologicalSorter(needs).prepare()


def _module_of(name: str, known: Container[str]) -> str:
    """The module of the package in which an imported name stands; empty for others'."""
    inside = name.removeprefix("kapture_panel.") if name.startswith("kapture_panel.") else ""
    while inside and inside not in known:
        inside = inside.rpartition(".")[0]
    return inside


@pytest.mark.parametrize("module", [module for module in modules() if part_of(module) == "mcp_child"], ids=str)
def test_the_child_needs_five_modules_of_python(module: Path) -> None:
    foreign = {name for name in imports(module, at_run_time_only=True) if not name.startswith("kapture_panel.")}
    assert foreign <= {"sys", "os", "json", "socket", "threading"}
    assert {name for name in imports(module) if name.startswith("kapture_panel.")} <= {
        "kapture_panel.door", "kapture_panel.door_socket", "kapture_panel.mcp_child.launch",
    }  # fmt: skip


def test_the_door_s_connection_needs_three() -> None:
    foreign = {name for name in imports(Path("door_socket.py")) if not name.startswith("kapture_panel")}
    assert foreign == {"json", "os", "socket"}


def test_the_door_needs_two() -> None:
    assert set(imports(Path("door.py"), at_run_time_only=True)) == {"os", "sys"}


def test_the_command_line_imports_nothing_before_it_knows_the_program() -> None:
    lines = (PACKAGE / "cli.py").read_text().splitlines()
    assert [line for line in lines if line.startswith(("import ", "from "))] == ["import sys"]


def test_every_part_has_its_arrows() -> None:
    assert {part_of(module) for module in modules()} <= ARROWS.keys()


MIRRORS = {"core", "export", "installing", "hub", "mcp_child"}
MIRRORED = [
    module
    for module in modules()
    if module.parts[0] in ("core", "export", "installing", "hub", "mcp_child") and module.stem != "__init__"
]


@pytest.mark.parametrize("module", MIRRORED, ids=str)
def test_every_file_has_its_tests(module: Path) -> None:
    tests = PACKAGE.parents[1] / "tests" / module.with_name(f"test_{module.name}")
    assert tests.is_file()
