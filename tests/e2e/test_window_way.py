"""The whole way through the window on a real display, by the X server's own mouse and keys."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.e2e import desktop_host
from tests.e2e.window_way import STEPS

DEADLINE_S = 90


def test_a_person_goes_the_whole_way(tmp_path: Path, shop: str) -> None:
    with desktop_host.display("1440x900") as name, desktop_host.session_bus() as bus:
        environment = {**os.environ, "DISPLAY": name, "DBUS_SESSION_BUS_ADDRESS": bus, "QT_QPA_PLATFORM": "xcb"}
        environment.pop("WAYLAND_DISPLAY", None)
        options = ["--data-dir", str(tmp_path / "data"), "--port", "0"]
        done = subprocess.run(
            [sys.executable, "-m", "tests.e2e.window_way", shop, os.environ.get("KAPTURE_PICTURES", "-"), *options],
            env=environment, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
            timeout=DEADLINE_S,
        )  # fmt: skip
    said = done.stdout + done.stderr
    assert [line.removeprefix("done: ") for line in said.splitlines() if line.startswith("done: ")] == STEPS, said
    assert done.returncode == 0, said
