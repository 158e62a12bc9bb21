"""The wheel and the sdist; the sdist, unpacked anywhere, builds the same wheel."""

from __future__ import annotations

from pathlib import Path

from kapture_dist import source, tools


def build(out: Path) -> list[Path]:
    """Write both into `out`."""
    before = set(out.iterdir())
    tools.python("-m", "hatchling", "build", "-d", out)
    return sorted(set(out.iterdir()) - before)


def name() -> str:
    """The wheel's file name."""
    return f"kapture_panel-{source.version()}-py3-none-any.whl"
