"""Where `docs/architecture.md` sends a reader for a topic, there it is; and what is called by it is nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.tree import EXTENSION, PACKAGE, ROOT

PARTS = {name: PACKAGE / name for name in ("core", "hub", "window")} | {"extension": EXTENSION}
#: A topic → what the files are called that are about it and nothing else.
CALLED = {
    "pause": r"pause",
    "history": r"history",
    "network log": r"network",
    "pairing": r"pair",
    "profile": r"profile",
    "approval": r"approvals|consent|grant",
    "snapshot": r"snapshot",
    "dialog": r"dialog",
    "masking": r"masking|redaction|(\w+_)?secrets",
}


def table() -> dict[str, dict[str, str]]:
    """The cells of the table of topics by topic and part."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = text.partition("| | core | hub | window | extension |\n")[2].splitlines()[1:]
    rows = [line.strip("|").split("|") for line in lines[: lines.index("")]]
    return {row[0].strip(): dict(zip(PARTS, row[1:], strict=True)) for row in rows}


def named(cell: str, part: Path) -> list[Path]:
    """The files and folders that a cell names; one without a folder stands beside the one before it."""
    found: list[Path] = []
    for name in re.findall(r"`([\w/*.]+)`", cell):
        beside = found[-1].parent if found and found[-1].is_file() else part
        places = [*part.glob(name)] or [*beside.glob(name)]
        assert places, f"{name} of {cell.strip()}"
        found += places
    return found


@pytest.mark.parametrize("topic", table())
def test_what_a_topic_leads_to_is_there(topic: str) -> None:
    for name, part in PARTS.items():
        cell = table()[topic][name]
        assert (cell.strip() == "–") == (not named(cell, part)), (topic, name)


@pytest.mark.parametrize("topic", CALLED)
def test_what_is_called_by_a_topic_is_where_it_leads(topic: str) -> None:
    called = re.compile(CALLED[topic])
    for name, part in PARTS.items():
        found = [path for end in ("py", "js") for path in part.rglob(f"*.{end}") if called.match(path.stem)]
        places = named(table()[topic][name], part)
        lost = [path for path in found if not any(path == place or place in path.parents for place in places)]
        assert lost == [], f"{topic} in {name}: docs/architecture.md does not lead there"
