"""A client's file is replaced whole or not at all, whatever happens in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.installing import files

OLD, NEW = b"the old file\n" * 5000, b"the new file\n" * 5000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "client" / "mcp.json"
    made.parent.mkdir()
    made.write_bytes(OLD)
    made.chmod(0o640)
    return made


def test_it_is_replaced_with_its_mode_and_nothing_is_left(file: Path) -> None:
    files.replace(file, NEW)
    assert file.read_bytes() == NEW
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(file.parent.iterdir()) == [file]


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    files.replace(tmp_path / "new.json", NEW)
    assert (tmp_path / "new.json").stat().st_mode & 0o777 == 0o600


def test_a_link_stays_and_what_it_leads_to_is_replaced(file: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    second.symlink_to(file)
    first.symlink_to("second.json")
    files.replace(first, NEW)
    assert first.is_symlink()
    assert second.is_symlink()
    assert file.read_bytes() == NEW
    assert files.read(first) == NEW
    backup = files.back_up(first, OLD)
    assert backup.parent == file.parent
    assert list(files.backups(first)) == list(files.backups(file)) == [backup]
    files.delete(first)
    assert first.is_symlink()
    assert not file.exists()


def test_a_link_to_nothing_is_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to("target.json")
    assert files.read(link) is None
    files.replace(link, NEW)
    assert (tmp_path / "target.json").read_bytes() == NEW


def test_a_read_only_file_is_left_alone_and_it_says_so(file: Path) -> None:
    file.chmod(0o444)
    for change in (lambda: files.replace(file, NEW), lambda: files.back_up(file, OLD)):
        with pytest.raises(KaptureError, match=r"is read-only; nothing was changed.*chmod u\+w"):
            change()
    assert file.read_bytes() == OLD
    assert list(file.parent.iterdir()) == [file]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="is not a file"):
        files.read(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KaptureError, match="is not a file"):
        files.read(tmp_path / "pipe")
    with pytest.raises(KaptureError, match="cannot be written"):
        files.replace(tmp_path / "missing" / "mcp.json", NEW)


def test_backups_keep_the_mode_and_come_newest_first(file: Path) -> None:
    made = [files.back_up(file, f"number {number}".encode()) for number in range(3)]
    (file.parent / "mcp.json.kapture-notes").touch()
    (file.parent / "other.json.kapture-20261121.bak").touch()
    assert list(files.backups(file)) == made[::-1]
    assert [one.read_bytes() for one in made] == [b"number 0", b"number 1", b"number 2"]
    assert {one.stat().st_mode & 0o777 for one in made} == {0o640}
    assert list(files.backups(file.parent / "missing" / "mcp.json")) == []


#: Replaces a file in a process that ends at a named call: by SIGKILL just before it, or by its failing.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from kapture_panel.installing import files

how, what, path = sys.argv[1:]
place, _, name = what.rpartition(".")
owner = {"os": os, "Path": Path}[place]

def end(*_args, **_options):
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise OSError(28, "No space left on device")

setattr(owner, name, end)
try:
    files.replace(Path(path), b"the new file")
except files.KaptureError as error:
    print(error.message)
"""


@pytest.mark.parametrize("what", ["os.fchmod", "os.fsync", "Path.replace"])
def test_whoever_is_killed_before_the_end_leaves_the_old_file(file: Path, what: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM, "kill", what, str(file)])
    assert ended.returncode == -signal.SIGKILL
    assert file.read_bytes() == OLD
    assert file.stat().st_mode & 0o777 == 0o640
    left = [one for one in file.parent.iterdir() if one != file]
    assert all(one.stat().st_mode & 0o077 in (0, 0o040) for one in left)
    files.replace(file, NEW)  # what was left is in nobody's way
    assert file.read_bytes() == NEW


@pytest.mark.parametrize("what", ["os.fchmod", "os.fsync", "Path.replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(file: Path, what: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM, "fail", what, str(file)], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f"{file} cannot be written: No space left on device; nothing was changed\n"
    assert file.read_bytes() == OLD
    assert list(file.parent.iterdir()) == [file]
