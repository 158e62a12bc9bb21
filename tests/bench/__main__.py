"""`make bench`: what commands and the child cost over the floor, what is promised in ms, and the window's lists."""

from __future__ import annotations

import argparse
import os

from tests.bench import commands, console, history, promises, watch, window

PARTS = {
    "commands": commands.main,
    "promises": promises.main,
    "window": window.main,
    "watch": watch.main,
    "console": console.main,
    "history": history.main,
}


def main() -> int:
    """0 when every goal of the chosen parts is reached."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"one or more of: {', '.join(PARTS)} (all of them when none is named)")
    named = parser.parse_args().part
    if unknown := [part for part in named if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; choose from {', '.join(PARTS)}")
    return max(PARTS[part]() for part in named or PARTS)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    raise SystemExit(main())
