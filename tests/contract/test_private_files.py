"""Files that only their owner reads are made in one place, but for the few that cannot."""

from __future__ import annotations

from tests.support.tree import PACKAGE, modules

#: Who else asks the system for a file of a certain mode, and why.
ELSEWHERE = {
    "hub/host/instance.py": "the lock is held open, and what is in it is kept",
    "mcp_child/launch.py": "the child imports nothing of ours; the system opens the log as it starts the panel",
}


def test_nobody_else_makes_one() -> None:
    found = {module.as_posix() for module in modules() if "os.O_CREAT" in (PACKAGE / module).read_text("utf-8")}
    assert found == {"core/basics/private_file.py", *ELSEWHERE}
