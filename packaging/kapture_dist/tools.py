"""The programs that building needs, and how each is got where it is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kapture_dist import source

#: Program → the Debian package that brings it.
DEBIAN = {
    "dpkg-deb": "dpkg",
    "dpkg-shlibdeps": "dpkg-dev",
    "gcc": "gcc",
    "patchelf": "patchelf",
    "readelf": "binutils",
    "strip": "binutils",
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "lintian": "lintian",
}


class Failed(Exception):
    """It cannot be built; the text says why, and the command that gets what is missing."""


def require(*programs: str) -> None:
    """Check that all of `programs` are there.

    Raises:
        Failed: some are not.
    """
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        packages = " ".join(sorted({DEBIAN[name] for name in missing}))
        raise Failed(
            f"missing: {', '.join(missing)}\nget it with: sudo apt-get install --no-install-recommends {packages}"
        )


def run(command: Sequence[str | Path], *, cwd: Path | None = None, **more: str) -> str:
    """Run a program to its end and return what it printed.

    Args:
        command: its words.
        cwd: where; the source tree if not given.
        more: variables of its environment.

    Raises:
        Failed: it failed; the text has all it said.
    """
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=cwd or source.ROOT, env={**source.environment(), **more},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    if done.returncode != 0:
        shown = " ".join(words[:6]) + (" …" if len(words) > 6 else "")
        raise Failed(f"{shown}\nended with {done.returncode} and said:\n{done.stdout.strip()}")
    return done.stdout


def python(*words: str | Path, cwd: Path | None = None, **more: str) -> str:
    """Run the Python that runs this."""
    return run([sys.executable, *words], cwd=cwd, **more)
