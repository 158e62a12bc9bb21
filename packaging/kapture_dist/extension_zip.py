"""The Chrome extension as two zips: for the panel's folder with the fixed id, for the store without its key."""

from __future__ import annotations

import json
from pathlib import Path

from kapture_dist import archives, source

#: Sources of page.bundle.js, which is what a browser loads, and what only developers need.
_LEFT_OUT = ("page/", "package.json")


def files(*, for_store: bool) -> dict[str, bytes]:
    """What a browser needs, by its name in the zip.

    Args:
        for_store: leave out `key`, which the store refuses: it gives an id of its own.
    """
    found = archives.tree(source.EXTENSION, sorted(source.EXTENSION.rglob("*")))
    kept = {name: content for name, content in found.items() if not name.startswith(_LEFT_OUT) and name[-5:] != ".d.ts"}
    if for_store:
        manifest = json.loads(kept["manifest.json"])
        del manifest["key"]
        kept["manifest.json"] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return kept


def build(out: Path) -> list[Path]:
    """Write both zips into `out`."""
    written = []
    for name, for_store in (("", False), ("-store", True)):
        path = out / f"kapture-panel-extension{name}-{source.version()}.zip"
        archives.write_zip(path, files(for_store=for_store))
        written.append(path)
    return written
