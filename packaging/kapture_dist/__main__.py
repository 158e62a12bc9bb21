"""`make dist`: builds the packages into `dist/`, with checksums and a list of what is inside."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kapture_dist import archives, contents, deb, extension_zip, folder, mcpb, source, tools, wheel

#: Part → what it is. The later ones are made of the wheel.
PARTS = {
    "wheel": "wheel and sdist, for pipx, uvx and pip",
    "extension": "the Chrome extension, for a folder and for the store",
    "mcpb": "the bundle for Claude Desktop",
    "folder": "the portable folder for Linux",
    "deb": "the package for Debian and Ubuntu",
}
#: What each part calls; looked for before anything is built.
TOOLS: dict[str, tuple[str, ...]] = {"folder": folder.TOOLS, "deb": (*folder.TOOLS, *deb.TOOLS)}


def main() -> int:
    """Build the chosen parts and say what each is."""
    parser = argparse.ArgumentParser(prog="make dist", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="; ".join(f"{k}: {v}" for k, v in PARTS.items()))
    parser.add_argument("--out", type=Path, default=source.ROOT / "dist", help="where to (default: dist)")
    options = parser.parse_args()
    parts = options.parts or list(PARTS)
    if unknown := set(parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}: choose among {', '.join(PARTS)}")
    try:
        tools.require(*dict.fromkeys(tool for part in parts for tool in TOOLS.get(part, ())))
        _build(parts, options.out.resolve())
    except tools.Failed as failure:
        print(f"make dist: {failure}", file=sys.stderr)
        return 1
    return 0


def _build(parts: list[str], out: Path) -> None:
    for place in (source.BUILD, out):
        if place.exists():
            shutil.rmtree(place)
        place.mkdir(parents=True)
    built = source.BUILD / "wheel"
    built.mkdir()
    made = wheel.build(built)
    _step("wheel", parts, lambda: [Path(shutil.copy(path, out / path.name)) for path in made])
    _step("extension", parts, lambda: extension_zip.build(out))
    _step("mcpb", parts, lambda: mcpb.build(built / wheel.name(), out))
    if "folder" in parts or "deb" in parts:
        tree = folder.build(built / wheel.name())
        archive = out / f"{tree.name}-linux-{folder.machine()}.tar.gz"
        _step("folder", parts, lambda: [archives.write_tar_gz(archive, tree)])
        _step("deb", parts, lambda: deb.build(tree, out))
    contents.write(out)
    print(f"{contents.SUMS}, {contents.LIST}: in {out}")


def _step(part: str, parts: list[str], build: Callable[[], list[Path]]) -> None:
    if part in parts:
        began = time.monotonic()
        for path in build():
            print(
                f"{path.name}: {path.stat().st_size / 1_000_000:.1f} MB, {time.monotonic() - began:.0f} s", flush=True
            )


if __name__ == "__main__":
    sys.exit(main())
