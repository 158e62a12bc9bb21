"""`make bench`: what commands and the child cost over the floor, what is promised in ms, and the window's lists."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from tests.bench import commands, console, history, promises, watch, window

#: The figures of the commands, beside the table.
JSON = Path("build/bench.json")


def main() -> int:
    """0 when every goal is reached."""
    with tempfile.TemporaryDirectory() as folder:
        table = asyncio.run(commands.measure(Path(folder)))
    table.write(JSON)
    print(f"  (also in {JSON})")
    return max(not table.is_kept, promises.main(), window.main(), watch.main(), console.main(), history.main())


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    raise SystemExit(main())
