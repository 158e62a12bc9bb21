"""The keyboard stays where the person is, on a real display with and without a window manager."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.e2e import desktop_host, way
from tests.support.e2e.keys_way import KeysWay


@pytest.mark.parametrize("is_managed", [True, False], ids=["openbox", "no window manager"])
def test_acting_in_a_page_leaves_the_keyboard_in_the_panel(tmp_path: Path, shop: str, is_managed: bool) -> None:
    with desktop_host.display("1440x900") as name, desktop_host.session_bus() as bus, ExitStack() as stack:
        environment = {**os.environ, "DISPLAY": name, "DBUS_SESSION_BUS_ADDRESS": bus}
        if is_managed:
            stack.enter_context(desktop_host.window_manager(environment))
        way.see(KeysWay, shop, tmp_path / "data", environment)
