"""How an MCP client starts the child of this very installation."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kapture_panel import door, paths
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL


def mcp_config(root: Path) -> str:
    """The JSON that adds Kapture Panel to an MCP client.

    It names the data directory unless that is the one a child finds without our environment, as clients start it.
    """
    command = Path(sys.executable).parent / ("kapture.exe" if sys.platform == "win32" else "kapture")
    args = ["mcp"]
    if str(root) != door.data_dir(environment={}):
        args += ["--data-dir", str(root)]
    return json.dumps({"mcpServers": {"kapture": {"command": str(command), "args": args}}}, indent=2)


def wishes(root: Path, *, profile: str = "", tools: str = "", isolated: bool = False) -> list[str]:
    """The options that have the child of the data directory `root` offer what is wished.

    Raises:
        KaptureError: `INVALID_PARAMS` when there is no such profile or group of tools; the child would say so, too,
            but where nobody sees it.
    """
    catalogue = Catalogue(paths.catalogue())
    profiles = Profiles([paths.resources() / "profiles", paths.DataDir(root).profiles], catalogue)
    profiles.get(profile or CANONICAL).chosen(tools, catalogue)
    given = {"--profile": profile, "--tools": tools}
    words = [word for option, value in given.items() if value for word in (option, value)]
    return [*words, "--isolated"] if isolated else words
