"""Pictures of the window in every state, to be looked at: `python -m tests.bench.pictures [STATE …]`.

Each is light and dark, in three sizes and at 150 and 200 % of a screen of 1600x1000; they are in `build/pictures`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import toasts
from kapture_panel.window.widgets.app import make_application
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import bury, on_qt_loop, settle
from tests.support.window.states import STATES

FOLDER = Path("build/pictures")
#: Percent → the sizes of the window there, in logical pixels.
SIZES = {
    100: (QSize(1440, 900), QSize(1000, 700), QSize(800, 600)),
    150: (QSize(1066, 666),),
    200: (QSize(800, 500),),
}
_LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@on_qt_loop
async def shoot(state: str, window: MainWindow, instance: Instance, percent: int) -> None:
    """Write the pictures of one state."""
    sizes = SIZES[percent]
    window.resize(sizes[0])
    window.activateWindow()
    root = await STATES[state](window, instance)
    for size in sizes:
        window.resize(size)
        for look in _LOOKS:
            window.shell.theme.set_mode(look)
            await settle(0.4)  # columns fit what stands in them a moment after it came
            name = f"{state}-{percent}-{size.width()}x{size.height()}-{look}.png"
            root.window().grab().save(str(FOLDER / name))


def run(states: list[str], percent: int) -> None:
    """The pictures of these states at the scale that Qt was started with."""
    app = make_application(["kapture-pictures"])
    toasts.LIFE_MS = 1000 * 1000
    for state in states:
        with tempfile.TemporaryDirectory() as folder:
            instance = Instance(Path(folder) / "instance")
            window = MainWindow(instance.core, instance.backend)
            window.resize(1400, 880)
            window.show()
            window.reset_layout()
            app.processEvents()
            shoot(state, window, instance, percent)
            window.release()
            window.close()
            bury(window)
            QApplication.setStyleSheet(app, "")
            instance.history.close()
        print(f"{percent} %: {state}", flush=True)


def main() -> int:
    """0 when every picture is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("states", nargs="*", metavar="STATE", help="all when none is named")
    parser.add_argument("--percent", type=int, choices=list(SIZES), help="only at this scale")
    options = parser.parse_args()
    states = options.states or list(STATES)
    if unknown := [state for state in states if state not in STATES]:
        parser.error(f"there is no state {', '.join(unknown)}; there are {', '.join(STATES)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    if options.percent:
        run(states, options.percent)
        return 0
    for percent in SIZES:  # each in a process of its own, for Qt reads the factor when it starts
        command = [sys.executable, "-m", "tests.bench.pictures", "--percent", str(percent), *states]
        code = subprocess.run(command, env=os.environ | {"QT_SCALE_FACTOR": str(percent / 100)}, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
