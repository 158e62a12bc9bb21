"""The icons of DevTools are those that are named there, drawn as the window has them."""

from __future__ import annotations

import os
import subprocess
import sys

from kapture_panel import paths


def test_the_icons_are_not_stale() -> None:
    command = [sys.executable, "-m", "kapture_panel.programs.drawn_icons"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    drawn = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=True)
    kept = (paths.extension() / "devtools" / "icons.js").read_text(encoding="utf-8")
    assert kept == drawn.stdout, "make it again: make generated"
    assert '"mdi6.play": "M8.02 5.16V19.12L18.98 12.14Z",' in kept
