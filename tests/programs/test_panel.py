"""What holds in the process of the panel before its window is there."""

from __future__ import annotations

import os
import subprocess
import sys

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
