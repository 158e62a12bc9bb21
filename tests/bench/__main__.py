"""`make bench`: what commands and the child cost over the floor, what is promised in ms, and what the window takes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tests.bench import busy, commands, console, history, memory, promises, watch, window
from tests.bench.goals import Table
from tests.support.failures import innermost

#: The figures, beside the table that is printed.
JSON = Path("build/bench.json")
PARTS = {
    "commands": commands.measure,
    "promises": promises.measure,
    "window": window.measure,
    "watch": watch.measure,
    "busy": busy.measure,
    "memory": memory.measure,
    "console": console.measure,
    "history": history.measure,
}


def main() -> int:
    """0 when every goal of the chosen parts is reached."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"one or more of: {', '.join(PARTS)} (all of them when none is named)")
    named = parser.parse_args().part
    if unknown := [part for part in named if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; choose from {', '.join(PARTS)}")
    table = Table()
    for part in named or PARTS:
        try:
            PARTS[part](table)
        except BaseExceptionGroup as group:  # each MCP client around a part wraps its error in groups
            raise innermost(group) from None
    table.write(JSON)
    return 0 if table.is_kept else 1


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    raise SystemExit(main())
