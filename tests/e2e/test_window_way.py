"""The whole way through the window on a real display, by the X server's own mouse and keys."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.e2e import desktop_host, way
from tests.support.e2e.window_way import WindowWay


def test_a_person_goes_the_whole_way(tmp_path: Path, shop: str) -> None:
    with desktop_host.display("1440x900") as name, desktop_host.session_bus() as bus:
        environment = {**os.environ, "DISPLAY": name, "DBUS_SESSION_BUS_ADDRESS": bus}
        way.see(WindowWay, shop, tmp_path / "data", environment)
