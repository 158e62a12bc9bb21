"""The panel's own log: private, and without the secrets of addresses."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
