"""What holds in the process of the panel before its window is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.e2e.desktop_host import display
from tests.support.patience import PATIENCE_S

_PROGRAM = """
import linecache
from kapture_panel.programs import panel

async def main():
    import mcp_types
    print(sorted(name for name in linecache.cache if "mcp_types" in name or "pydantic" in name))
    return 0

panel.run_in_qt(main())
"""


def test_the_window_s_library_does_not_read_every_module_imported_after_it() -> None:
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", _PROGRAM], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


_TAKEN = """
import argparse, socket, sys
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from kapture_panel.programs import arguments, panel
from kapture_panel.window.shell.port_taken import PortTaken

taken = socket.socket()
taken.bind(("127.0.0.1", 0))
taken.listen()
port = taken.getsockname()[1]
shown = PortTaken.showEvent


def answer(self, event):
    shown(self, event)
    print(self.why.text().replace(str(port), "PORT"), flush=True)
    print("takes the keyboard:", not self.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating), flush=True)
    QTimer.singleShot(0, self.other.click if sys.argv[2] == "other" else self.quit.click)


PortTaken.showEvent = answer
opened = panel.opened


def noted(data, instance, options, ended):
    print("starts at another port:", options.port != port, flush=True)
    ended.set()
    return opened(data, instance, options, ended)


panel.opened = noted
sys.exit(arguments.run(["--port", str(port), "--data-dir", sys.argv[1], *sys.argv[3:]]))
"""


@pytest.mark.parametrize(
    ("answer", "code", "said", "started"),
    [
        ("other", 0, "takes the keyboard: True\nstarts at another port: True", []),
        ("quit", 1, "takes the keyboard: True", []),
        ("other", 0, "takes the keyboard: False\nstarts at another port: True", ["--tray"]),
    ],
    ids=["other", "quit", "at log-in"],
)
def test_a_taken_port_is_told_in_a_window_that_offers_another(
    tmp_path: Path, answer: str, code: int, said: str, started: list[str]
) -> None:
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", _TAKEN, str(tmp_path), answer, *started],
        env=env, capture_output=True, text=True, check=False, timeout=10 * PATIENCE_S,
    )  # fmt: skip
    told, _, rest = done.stdout.partition("\n")
    assert told.startswith("Port PORT on 127.0.0.1 is taken by python"), done.stderr
    assert (done.returncode, rest.strip()) == (code, said), done.stderr


_SEEN_FIRST = """
import asyncio, sys
from tests.support import panel_program

FOR_AGENTS = "kapture_panel.hub.agent_door.mcp.session"


async def beside(hub, window):
    from kapture_panel.window.widgets.first_paint import FirstPaint

    painted = asyncio.Event()

    def tell():
        print("before it is painted:", FOR_AGENTS in sys.modules, flush=True)
        painted.set()

    FirstPaint(window).painted.connect(tell)
    await painted.wait()
    await next(task for task in asyncio.all_tasks() if task.get_name() == "prepare for agents")
    print("then:", FOR_AGENTS in sys.modules, flush=True)
    window.quit()


sys.exit(panel_program.run(["--data-dir", sys.argv[1], "--port", "0"], beside))
"""


def test_what_agents_need_is_imported_when_the_window_has_been_painted(tmp_path: Path) -> None:
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", _SEEN_FIRST, str(tmp_path / "data")],
        env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["before it is painted: False", "then: True"], done.stderr


_SHOWN = """
import sys
from tests.support import panel_program


async def beside(hub, window):
    from kapture_panel.window.widgets.first_paint import FirstPaint

    FirstPaint(window).painted.connect(lambda: print("shown", flush=True))


sys.exit(panel_program.run(["--data-dir", sys.argv[1], "--port", "0"], beside))
"""


def test_a_display_that_goes_is_told_in_a_line(tmp_path: Path) -> None:
    with display() as name:
        env = os.environ | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": name}
        panel = subprocess.Popen(
            [sys.executable, "-c", _SHOWN, str(tmp_path / "data")],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert panel.stdout is not None
        assert panel.stdout.readline() == "shown\n"
    _, said = panel.communicate(timeout=PATIENCE_S)
    assert (panel.returncode, said) == (
        1,
        "kapture: the display has gone, and the window with it; start it again; without a display use: kapture serve\n",
    )
