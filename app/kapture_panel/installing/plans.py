"""What adding Kapture Panel to a client, or removing it, would change; nothing is written before `carry_out`."""

from __future__ import annotations

import codecs
import difflib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Literal, TypeVar

from kapture_panel.core.basics import toml_entry
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.spot import Unreadable
from kapture_panel.installing import files, json_entry
from kapture_panel.installing.clients import AgentClient, Server, Surroundings, is_ours

T = TypeVar("T")

#: Whose entry a client's file has: none of ours, that of another installation, this one's.
Added = Literal["no", "another", "this"]

#: A longer line of the file is shown around what changes in it only.
_MAX_LINE_CHARS = 400
_AROUND_CHARS = 80


@dataclass(frozen=True)
class Change:
    """One change of one file. `before` and `after` are its bytes, None for no file; the same: there is nothing to do.

    `restores` is a backup that has `after`, and that nobody needs any more then; `adds` tells which way it goes.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    restores: Path | None = None
    adds: bool = False

    @property
    def has_changes(self) -> bool:
        """Whether anything would be written."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; a line break of Windows is shown as any other."""
        old, new = _lines(self.before), _lines(self.after)
        names = [str(self.path) if content is not None else os.devnull for content in (self.before, self.after)]
        return "\n".join(_shown(list(difflib.unified_diff(old, new, names[0], names[1], lineterm=""))))


@dataclass(frozen=True)
class Plan(Change):
    """A change of a client's file."""

    client: AgentClient = field(kw_only=True)


@dataclass(frozen=True)
class Done:
    """What was written: `backup` has the file as it was before, None where none was needed."""

    path: Path
    backup: Path | None


def adding(
    client: AgentClient, path: Path, server: Server, name: str, surroundings: Surroundings,
    *, force: bool = False, create: bool = False,
) -> Plan:  # fmt: skip
    """How the file gets an entry called `name`, or the one it has comes to start `server`.

    Args:
        force: replace an entry of that name that is not ours.
        create: make the file even though the client does not seem to be installed.

    Raises:
        KaptureError: `FILE_NOT_FOUND` when the client is not here, `INVALID_PARAMS` when the file cannot be read or
            has another's entry, `DENIED` when it cannot be opened. Nothing was changed.
    """
    before = files.read(path)
    if before is None and not create and not client.is_here(surroundings):
        places = " or ".join(map(str, client.signs_here(surroundings)))
        raise KaptureError("FILE_NOT_FOUND", f"{client.name} does not seem to be installed: there is no {places}",
                           f"start it once, or write {path} all the same: --create")  # fmt: skip
    text, bom = _decoded(path, before)
    there = _at(path, lambda: _form(client).get(text, client.outer, name))
    is_foreign = there is not None and not is_ours(there)
    if is_foreign and not force:
        raise _foreign(path, name, "replace it")
    entry = client.entry(server)
    after = _at(path, lambda: _form(client).put(text, client.outer, name, entry, whole=is_foreign))
    if not is_foreign and _has(there, entry):
        return Plan(path, before, before, client=client)
    return Plan(path, before, _encoded(after, bom), adds=True, client=client)


def removing(client: AgentClient, path: Path, name: str, *, force: bool = False) -> Plan:
    """How the file loses its entry called `name`; a file that nothing else has changed since is as it was before.

    Args:
        force: remove an entry of that name that is not ours.

    Raises:
        KaptureError: as `adding`.
    """
    before = files.read(path)
    text, bom = _decoded(path, before)
    there = _at(path, lambda: _form(client).get(text, client.outer, name))
    if there is None:
        return Plan(path, before, before, client=client)
    if not is_ours(there) and not force:
        raise _foreign(path, name, "remove it")
    for backup in files.backups(path):
        old = files.read(backup)
        if old is not None and _would_make(client, path, old, name, there) == before:
            return Plan(path, before, old, restores=backup, client=client)
    if _would_make(client, path, b"", name, there) == before:
        return Plan(path, before, None, client=client)
    without = _at(path, lambda: _form(client).remove(text, client.outer, name))
    return Plan(path, before, _encoded(without, bom), client=client)


def added(client: AgentClient, path: Path, server: Server, name: str) -> Added:
    """What the file has under `name`: nothing of ours, an entry of another installation, or that of `server`.

    Raises:
        KaptureError: as `adding`, when the file cannot be read.
    """
    text, _bom = _decoded(path, files.read(path))
    there = _at(path, lambda: _form(client).get(text, client.outer, name))
    if not is_ours(there):
        return "no"
    return "this" if _has(there, client.entry(server)) else "another"


def carry_out(plan: Change) -> Done:
    """Write the plan; what it replaces is kept beside it.

    Raises:
        KaptureError: `DENIED` when the file has changed since the plan was made, or cannot be written. It is as it was.
    """
    if files.read(plan.path) != plan.before:
        raise KaptureError("DENIED", f"{plan.path} has changed meanwhile", "nothing was written. Look at it again")
    if plan.after is None:
        files.delete(plan.path)
        return Done(plan.path, None)
    if plan.before is None:
        try:
            plan.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KaptureError("DENIED", f"{error.filename} cannot be made: {error.strerror}") from None
    backup = None
    if plan.before is not None and plan.restores is None:
        backup = files.back_up(plan.path, plan.before)
    try:
        files.replace(plan.path, plan.after)
    except KaptureError:
        if backup is not None:
            files.delete(backup)
        raise
    if plan.restores is not None:
        files.delete(plan.restores)
    return Done(plan.path, backup)


def _form(client: AgentClient) -> ModuleType:
    return toml_entry if client.is_toml else json_entry


def _has(there: object, entry: JsonObject) -> bool:
    """Whether what is there says all that `entry` says."""
    return isinstance(there, dict) and all(there.get(key) == value for key, value in entry.items())


def _would_make(client: AgentClient, path: Path, old: bytes, name: str, entry: JsonObject) -> bytes | None:
    """What adding `entry` to the file `old` gives; None when that has one already, or cannot be read."""
    try:
        text, bom = _decoded(path, old)
        if _form(client).get(text, client.outer, name) is not None:
            return None
        return _encoded(_form(client).put(text, client.outer, name, entry), bom)
    except (KaptureError, Unreadable):
        return None


def _at(path: Path, read: Callable[[], T]) -> T:
    """What `read` gives; that it cannot be read names the file and what to do."""
    try:
        return read()
    except Unreadable as spot:
        raise KaptureError("INVALID_PARAMS", f"{path}, line {spot.line}, column {spot.column}: {spot.reason}. "
                           "Nothing was changed", "repair that place, then try again") from None  # fmt: skip


def _foreign(path: Path, name: str, verb: str) -> KaptureError:
    return KaptureError("INVALID_PARAMS", f"{path} has an entry {name!r} that starts something else", f"nothing was "
                        f"changed. Choose another name (--name), or {verb} all the same: --force")  # fmt: skip


def _decoded(path: Path, content: bytes | None) -> tuple[str, bytes]:
    """The text, and the byte order mark before it."""
    content = content or b""
    bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    try:
        return content[len(bom) :].decode(), bom
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise KaptureError("INVALID_PARAMS", f"{path}, line {line}: this is not UTF-8. Nothing was changed", "save the "
                           "file as UTF-8, then try again") from None  # fmt: skip


def _encoded(text: str, bom: bytes) -> bytes:
    try:
        return bom + text.encode()
    except UnicodeEncodeError:
        raise KaptureError("INVALID_PARAMS", "the path of this installation is not Unicode, and no such file can name "
                           "it", "move it") from None  # fmt: skip


def _lines(content: bytes | None) -> list[str]:
    lines = (content or b"").decode("utf-8-sig").split("\n")
    ends = [line.removesuffix("\r") for line in lines]
    return ends[:-1] if ends[-1] == "" else [*ends[:-1], f"{ends[-1]}\n\\ No newline at end of file"]


def _shown(lines: list[str]) -> Iterator[str]:
    """The lines of a diff; of a long one what differs from the line beside it, and a little around that."""
    for number, line in enumerate(lines):
        if len(line) <= _MAX_LINE_CHARS:
            yield line
            continue
        other = next((one for one in lines[max(0, number - 1) : number + 2] if {line[0], one[:1]} == {"+", "-"}), "")
        start = max(1, _same(line[1:], other[1:]) - _AROUND_CHARS)
        end = min(len(line), len(line) - _same(line[:0:-1], other[:0:-1]) + _AROUND_CHARS, start + _MAX_LINE_CHARS)
        yield f"{line[0]}{'…' if start > 1 else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def _same(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))
