"""How soon a window is there: `python -m tests.support.first_paint panel OPTION …`, or `bare`, says when it is painted.

`bare` is the floor: the interpreter, Qt and an empty window.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from kapture_panel.hub.hub import Hub
    from kapture_panel.window.shell.main_window import MainWindow

#: What is printed then.
SAID = "painted"


def took_ms(*arguments: str) -> float:
    """From the start of a process to its window painted, in ms."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tests.support.first_paint", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": ""},  # compiled once
    )  # fmt: skip
    assert process.stdout is not None
    said = process.stdout.readline()
    took = (time.perf_counter() - began) * 1000
    process.communicate(timeout=30)
    assert said.strip() == SAID, said
    assert process.returncode == 0
    return took


def _end_when_painted(window: QMainWindow) -> None:
    from PySide6.QtWidgets import QApplication

    # Not sooner: the program imports Qt in its own way.
    from kapture_panel.window.widgets.first_paint import FirstPaint

    def end() -> None:
        print(SAID, flush=True)
        QApplication.quit()

    FirstPaint(window).painted.connect(end)


def _bare() -> int:
    from PySide6.QtWidgets import QApplication, QMainWindow

    app = QApplication([])
    window = QMainWindow()
    _end_when_painted(window)
    window.show()
    return app.exec()


def _panel(arguments: list[str]) -> int:
    from tests.support import panel_program

    async def beside(_hub: Hub, window: MainWindow) -> None:
        # The window was shown in this turn of the loop; it is painted in the next.
        _end_when_painted(window)

    return panel_program.run(arguments, beside)


if __name__ == "__main__":
    raise SystemExit(_bare() if sys.argv[1] == "bare" else _panel(sys.argv[2:]))
