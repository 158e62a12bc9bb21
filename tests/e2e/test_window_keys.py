"""The keyboard stays where the person is, on a real display with and without a window manager."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e import desktop_host
from tests.e2e.keys_way import STEPS

DEADLINE_S = 120


@pytest.mark.parametrize("is_managed", [True, False], ids=["openbox", "no window manager"])
def test_acting_in_a_page_leaves_the_keyboard_in_the_panel(tmp_path: Path, shop: str, is_managed: bool) -> None:
    with desktop_host.display("1440x900") as name, desktop_host.session_bus() as bus, ExitStack() as stack:
        environment = {**os.environ, "DISPLAY": name, "DBUS_SESSION_BUS_ADDRESS": bus, "QT_QPA_PLATFORM": "xcb"}
        environment.pop("WAYLAND_DISPLAY", None)
        if is_managed:
            stack.enter_context(desktop_host.window_manager(environment))
        options = ["--data-dir", str(tmp_path / "data"), "--port", "0"]
        done = subprocess.run(
            [sys.executable, "-m", "tests.e2e.keys_way", shop, os.environ.get("KAPTURE_PICTURES", "-"), *options],
            env=environment, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
            timeout=DEADLINE_S,
        )  # fmt: skip
    said = done.stdout + done.stderr
    assert [line.removeprefix("done: ") for line in said.splitlines() if line.startswith("done: ")] == STEPS, said
    assert done.returncode == 0, said
