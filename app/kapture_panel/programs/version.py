"""`kapture --version`: what this installation is made of."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
from typing import Any

from kapture_panel import __version__, paths
from kapture_panel.core.wire import protocol
from kapture_panel.programs import terminal


class Version(argparse.Action):
    """Prints it and ends; looked up only when it is asked for."""

    def __init__(self, option_strings: list[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **more)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        terminal.say(text())
        parser.exit()


def text() -> str:
    """The program's version, then a line for each part: Python, Qt, the extension, the protocol, the MCP library."""
    manifest = json.loads((paths.extension() / "manifest.json").read_text(encoding="utf-8"))
    parts = {
        "Python": platform.python_version(),
        "Qt": importlib.metadata.version("PySide6-Essentials"),
        "extension": manifest["version"],
        "protocol": protocol.VERSION,
        "mcp": importlib.metadata.version("mcp"),
    }
    return "\n".join([f"kapture {__version__}", *(f"{name} {version}" for name, version in parts.items())])
