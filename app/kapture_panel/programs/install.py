"""`kapture install desktop` and `kapture uninstall desktop`."""

from __future__ import annotations

import argparse
from pathlib import Path

from kapture_panel import door
from kapture_panel.hub import desktop


def run(options: argparse.Namespace) -> int:
    """Write the launcher's entry and say each file."""
    root = Path(door.data_dir(options.data_dir))
    places = desktop.Places.of_user()
    for path in desktop.install(places, desktop.own_command(root), autostart=options.autostart):
        print(f"wrote {path}")
    return 0


def run_uninstall(_options: argparse.Namespace) -> int:
    """Remove it again and say each file."""
    removed = desktop.uninstall(desktop.Places.of_user())
    for path in removed:
        print(f"removed {path}")
    if not removed:
        print("nothing was installed")
    return 0
