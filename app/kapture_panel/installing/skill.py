"""The skill: a page that tells coding agents how to use `kapture` in a terminal, put where they look for skills."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.installing import files
from kapture_panel.installing.clients import Surroundings, quoted
from kapture_panel.installing.plans import Change

#: The skill's folder; agents demand that it is called like the skill.
NAME = "kapture"
FILE = "SKILL.md"
#: Tells a file of ours, of whatever version, from one that somebody else wrote.
_MARK = "made-by: kapture-panel"
#: Stands beside the mark and tells whether a file is as it was written, by whatever version and for whatever program.
_DIGEST = re.compile(rb"  digest: sha256-([0-9a-f]{64})\n")


@dataclass(frozen=True)
class Place:
    """A folder where agents look for a person's skills.

    `folder` has patterns as `clients.py` has them, of which the first one that holds counts; `signs` are patterns of
    what is there when one of its agents is.
    """

    readers: str
    folder: tuple[str, ...]
    signs: tuple[str, ...]

    def path(self, surroundings: Surroundings) -> Path:
        """Where its file is, or would be."""
        found = next(filter(None, map(surroundings.expanded, self.folder)))
        return Path(found) / NAME / FILE

    def is_wanted(self, surroundings: Surroundings) -> bool:
        """Whether one of its agents has been on this machine."""
        return any(Path(sign).exists() for sign in filter(None, map(surroundings.expanded, self.signs)))


#: Sources: the agents' documentation. Codex used to look into ~/.codex/skills, and reads ~/.agents/skills now.
PLACES = (
    Place("Claude Code", ("$CLAUDE_CONFIG_DIR/skills", "~/.claude/skills"), ("$CLAUDE_CONFIG_DIR", "~/.claude")),
    Place(
        "Codex, Gemini CLI, Cursor, Copilot and others",
        ("~/.agents/skills",),
        ("~/.agents", "$CODEX_HOME", "~/.codex", "~/.gemini", "~/.cursor", "~/.copilot", "~/.config/opencode"),
    ),
)


def text(program: str) -> str:
    """The skill for agents that start the program by `program`, which is its name where the shell finds it so."""
    shipped = (paths.resources() / "skill" / FILE).read_text(encoding="utf-8")
    if program != NAME:
        called = f"`kapture` stands for `{quoted(program)}` here: call it by that path, quoted as your shell needs it."
        shipped = shipped.replace("\n# Kapture\n", f"\n# Kapture\n\n{called}\n", 1)
    return shipped.replace(_MARK, f"{_MARK}\n  digest: sha256-{_digest(shipped.encode())}", 1)


def adding(surroundings: Surroundings, program: str, folder: Path | None, *, force: bool, create: bool) -> list[Change]:
    """How the skill comes to each place whose agents are here, or into `folder` alone.

    Args:
        force: replace a file of that name that is not ours.
        create: write it to every place, whatever is there.

    Raises:
        KaptureError: `FILE_NOT_FOUND` when no agent is here, `INVALID_PARAMS` when another's skill is there, `DENIED`
            when a file cannot be read. Nothing was changed.
    """
    wanted = _files(surroundings, folder, create=create)
    if not wanted:
        looked = ", ".join(str(place.path(surroundings).parent.parent) for place in PLACES)
        raise KaptureError("FILE_NOT_FOUND", "no agent that reads skills seems to be here",
                           f"--create writes to {looked} all the same, --folder DIR to a folder of yours")  # fmt: skip
    return [_added(path, text(program), force=force) for path in wanted]


def removing(surroundings: Surroundings, folder: Path | None, *, force: bool) -> list[Change]:
    """How the skill leaves all places, or `folder` alone; another's skill that it replaced comes back.

    Args:
        force: remove a file that is not ours, or that was changed.

    Raises:
        KaptureError: `INVALID_PARAMS` when a file is not as we wrote it (one of before there were digests is not known
            to be), `DENIED` when one cannot be read.
    """
    changes = []
    for path in _files(surroundings, folder, create=True):
        before = files.read(path)
        if before is None:
            continue
        if not _is_as_written(before) and not force:
            what = "is a skill that another program wrote"
            if _is_ours(before):
                what = "was changed after Kapture Panel wrote it, or is of its first versions"
            raise KaptureError("INVALID_PARAMS", f"{path} {what}",
                               "nothing was removed. --force removes it all the same")  # fmt: skip
        kept = _replaced(path) if _is_ours(before) else None
        changes.append(Change(path, before, files.read(kept) if kept else None, restores=kept))
    return changes


def _is_ours(content: bytes) -> bool:
    return _MARK.encode() in content


def _is_as_written(content: bytes) -> bool:
    """Whether nobody has changed a file of ours."""
    found = _DIGEST.search(content)
    return found is not None and found[1].decode() == _digest(content[: found.start()] + content[found.end() :])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _replaced(path: Path) -> Path | None:
    """The newest copy of a skill of somebody else that ours took the place of; copies of ours are none."""
    return next((backup for backup in files.backups(path) if not _is_ours(files.read(backup) or b"")), None)


def _files(surroundings: Surroundings, folder: Path | None, *, create: bool) -> list[Path]:
    """Its files, each once: some have one folder for all their agents and a link to it in the others' place."""
    if folder is not None:
        return [folder / NAME / FILE]
    found: dict[str, Path] = {}
    for place in PLACES:
        if create or place.is_wanted(surroundings):
            path = place.path(surroundings)
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def _added(path: Path, wanted: str, *, force: bool) -> Change:
    before = files.read(path)
    if before is not None and not _is_ours(before) and not force:
        raise KaptureError("INVALID_PARAMS", f"{path} is a skill that another program wrote",
                           "nothing was changed. --force replaces it, and keeps it beside")  # fmt: skip
    return Change(path, before, wanted.encode(), adds=True)
