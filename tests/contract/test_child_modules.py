"""`kapture mcp` starts in milliseconds because of what it does not load."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.mcp_child.fakes import Child, FakePanel, call

#: `kapture mcp` itself; at its end it tells which modules it came to load.
PROGRAM = """
import sys
before = set(sys.modules)
from kapture_panel.cli import main
sys.argv = ["kapture", "mcp", *sys.argv[1:]]
code = main()
loaded = set(sys.modules) - before
import json
sys.stderr.write(json.dumps(sorted(loaded)))
sys.exit(code)
"""
BANNED = {
    "PySide6", "mcp", "websockets", "asyncio", "platformdirs", "typing", "subprocess", "pathlib", "argparse",
    "logging", "jsonschema", "msgspec", "contextlib", "dataclasses", "hashlib", "sqlite3", "ssl", "inspect", "psutil",
}  # fmt: skip
OURS = {"kapture_panel", "kapture_panel.cli", "kapture_panel.door", "kapture_panel.door_socket",
        "kapture_panel.mcp_child", "kapture_panel.mcp_child.launch", "kapture_panel.mcp_child.relay"}  # fmt: skip


def loaded_by_a_conversation(root: Path) -> set[str]:
    with FakePanel(root) as panel, Child("--data-dir", str(root), program=PROGRAM) as child, panel.accept() as attached:
        child.say(call(1))
        attached.answer({"content": []})
        assert child.hear()["id"] == 1
        code, _, told = child.end()
    assert code == 0
    return set(json.loads(told))


def test_a_whole_conversation_loads_none_of_the_heavy_modules(tmp_path: Path) -> None:
    loaded = loaded_by_a_conversation(tmp_path)
    assert {name.partition(".")[0] for name in loaded} & BANNED == set()
    assert {name for name in loaded if name.startswith("kapture_panel")} == OURS
    assert {"json", "socket", "threading"} <= loaded
