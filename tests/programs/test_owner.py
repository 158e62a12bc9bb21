"""The folder an owner takes, and its own log: private, and without the secrets of addresses."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.paths import DataDir
from kapture_panel.programs import owner

CANARY = "kanari3nvogel"


@contextmanager
def logged(data: DataDir) -> Iterator[None]:
    """The program's own logging instead of the tests'."""
    root = logging.getLogger()
    before, level, mask = root.handlers[:], root.level, os.umask(0o022)
    root.handlers.clear()
    try:
        owner.log_to(data)
        yield
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = before
        root.setLevel(level)
        os.umask(mask)


def test_no_secret_of_an_address_is_in_the_log(tmp_path: Path) -> None:
    data = DataDir.open(str(tmp_path / "data"))
    address = f"https://me:{CANARY}@a.example/?token={CANARY}#access_token={CANARY}"
    with logged(data):
        log = logging.getLogger("kapture_panel.test")
        log.warning("no picture of %s", address)
        try:
            raise ValueError(f"{address} could not be loaded")
        except ValueError:
            log.exception("a command failed")
    written = data.log.read_text(encoding="utf-8")
    assert CANARY not in written
    assert written.count("https://***@a.example/?token=***#access_token=***") == 2
    assert "Traceback" in written


def test_only_its_owner_reads_the_log(tmp_path: Path) -> None:
    data = DataDir.open(str(tmp_path / "data"))
    with logged(data):
        logging.getLogger("kapture_panel.test").warning("hello")
    assert data.log.stat().st_mode & 0o777 == 0o600


def test_the_log_has_nothing_a_terminal_would_obey(tmp_path: Path) -> None:
    data = DataDir.open(str(tmp_path / "data"))
    with logged(data):
        logging.getLogger("kapture_panel.test").warning("a page said %s", "\x1b[2J\x9b31m\u202e!")
    assert data.log.read_text(encoding="utf-8").endswith("a page said [2J31m!\n")


def test_a_folder_that_others_may_write_in_is_refused_with_what_mends_it(tmp_path: Path) -> None:
    for mode in (0o777, 0o720, 0o702):
        tmp_path.chmod(mode)
        said = refused(tmp_path)
        assert f"(mode {mode:o})" in said.what
        assert said.next_step == f"keep them out: chmod 700 {tmp_path}"
    tmp_path.chmod(0o755)
    assert owner.open_data(str(tmp_path)).root == tmp_path


def test_what_cannot_be_a_data_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refused(tmp_path / "file").what == f"{tmp_path / 'file'} cannot be the data folder (File exists)"
    assert "cannot be the data folder (Not a directory)" in refused(tmp_path / "file" / "deeper").what


@pytest.mark.parametrize("name", ["panel.log", "instance.lock", "history.sqlite3", "port.json", "paused.json"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_stands_where_a_file_goes_is_named_and_never_opened(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / name)
    assert refused(tmp_path).what == f"{tmp_path / name} is not a file"


def test_a_file_where_a_folder_goes_is_named(tmp_path: Path) -> None:
    for name in ("screenshots", "output", "profiles", "browser"):
        (tmp_path / name).write_text("")
        assert refused(tmp_path).what == f"{tmp_path / name} is not a folder"
        (tmp_path / name).unlink()


def refused(folder: Path) -> KaptureError:
    with pytest.raises(KaptureError) as error:
        owner.open_data(str(folder))
    assert error.value.code == "INVALID_PARAMS"
    return error.value


def test_a_log_whose_disk_is_full_is_left_incomplete_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataDir.open(str(tmp_path / "data"))

    def full(*_: object) -> bool:
        raise OSError(errno.ENOSPC, "No space left on device")

    with logged(data):
        log = logging.getLogger("kapture_panel.test")
        with monkeypatch.context() as patched:
            patched.setattr(RotatingFileHandler, "shouldRollover", full)
            log.info("lost")
        log.info("written again")
    assert "Traceback" not in capfd.readouterr().err
    assert data.log.read_text(encoding="utf-8").count("\n") == 1
