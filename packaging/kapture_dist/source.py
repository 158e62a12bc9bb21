"""Where the source is, what version it has, and the one time that everything made of it bears."""

from __future__ import annotations

import os
import subprocess
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
EXTENSION = ROOT / "extension"
RESOURCES = ROOT / "resources"
#: Made again by every run; `make clean` removes it.
BUILD = ROOT / "build" / "dist"


@cache
def version() -> str:
    """The version in pyproject.toml; a test holds all others to it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


@cache
def epoch() -> int:
    """Seconds since 1970: SOURCE_DATE_EPOCH, else the time of the last commit, else that of the unpacked sdist."""
    if chosen := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(chosen)
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    if told.returncode == 0 and (ROOT / ".git").exists():
        return int(told.stdout)
    return int((ROOT / "pyproject.toml").stat().st_mtime)


def environment() -> dict[str, str]:
    """What the tools that are called see: the same time, language and time zone everywhere."""
    fixed = {"SOURCE_DATE_EPOCH": str(epoch()), "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
    return {**os.environ, **fixed}
