"""Leaves of Pillow and pillow_heif what the panel uses: it reads PNG, JPEG, GIF, WebP and HEIC."""

from __future__ import annotations

from pathlib import Path

from kapture_dist import binaries, source, tools

#: Pillow's parts for AVIF, for drawing text, for colour profiles and for Tk.
LEFT_OUT = ("_avif.*", "_imagingcms.*", "_imagingft.*", "_imagingtk.*")


def prune(packages: Path) -> None:
    """Remove the rest from the folder `packages`."""
    for pattern in LEFT_OUT:
        for part in (packages / "PIL").glob(pattern):
            part.unlink()
    libraries = list((packages / "pillow.libs").iterdir())
    for library in set(libraries) - binaries.reached((packages / "PIL").glob("*.so"), libraries):
        library.unlink()
    (x265,) = (packages / "pillow_heif.libs").glob("libx265-*.so.*")
    _replace_x265(x265)


def _replace_x265(library: Path) -> None:
    """Put an empty library in its place: libheif does not load without one."""
    version = library.name.rpartition(".so.")[2]
    library.unlink()
    tools.run(
        ["gcc", "-shared", "-nostdlib", "-fPIC", "-O2", f"-DAPI=x265_api_get_{version}", "-Wl,--build-id=none",
         f"-Wl,-soname,{library.name}", "-o", library, source.PACKAGING / "linux" / "no_x265.c"],
    )  # fmt: skip
