"""What PyInstaller's program runs: `kapture`, and `python -m …` or `-c …` where the panel starts a part of itself.

The panel starts its formatters, its MCP child and the doctor's trial of Qt with the interpreter that runs it. In the
frozen program that interpreter is the program itself.
"""

from __future__ import annotations

import multiprocessing
import runpy
import sys

from kapture_panel.cli import main


def run() -> int:
    """Do what the command line says and return the exit code."""
    first, *rest = [*sys.argv[1:], ""]
    if first == "-m" and rest[0].partition(".")[0] == "kapture_panel":
        sys.argv = [sys.argv[0], *sys.argv[3:]]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=False)
        return 0
    if first == "-c":
        sys.argv = ["-c", *sys.argv[3:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
        return 0
    return main()


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(run())
