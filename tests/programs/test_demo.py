"""Where the demo keeps what it made."""

from __future__ import annotations

import errno
import os
import stat
from argparse import Namespace
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.programs import demo


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """The umask of most accounts: whatever is made without a mode may be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
@pytest.mark.usefixtures("usual_umask")
def test_a_data_folder_that_the_demo_makes_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path / "data"))
    output = demo.output_folder(None)
    assert output == tmp_path / "data" / "demo"
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (output, output.parent)] == [0o700, 0o700]


def test_a_folder_that_was_chosen_is_used_and_leaves_the_data_folder_unmade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path / "data"))
    assert demo.output_folder(tmp_path / "here") == tmp_path / "here"
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_a_data_folder_where_others_may_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o777)
    monkeypatch.setenv("KAPTURE_HOME", str(data))
    with pytest.raises(KaptureError, match="others may write in the data folder"):
        demo.output_folder(None)
    assert list(data.iterdir()) == []


def test_what_else_is_in_the_output_folder_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "instance" / "app.sqlite"
    theirs.parent.mkdir()
    theirs.write_text("mine")
    before, roots = set(tmp_path.iterdir()), []

    def run_in_qt(work: Coroutine[Any, Any, int]) -> int:
        roots.append(set(tmp_path.iterdir()) - before)
        work.close()
        if len(roots) == 1:  # a second one beside it
            assert demo.run(Namespace(output=tmp_path, close=True)) == 0
        return 0

    monkeypatch.setattr("kapture_panel.programs.demo.panel.run_in_qt", run_in_qt)
    monkeypatch.setattr("kapture_panel.programs.demo.owner.log_to", lambda _data: None)
    assert demo.run(Namespace(output=tmp_path, close=True)) == 0
    assert [len(made) for made in roots] == [1, 2]
    assert all(not root.exists() for made in roots for root in made)
    assert theirs.read_text() == "mine"


def test_a_folder_in_which_nothing_can_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_how: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("kapture_panel.programs.demo.tempfile.mkdtemp", full)
    with pytest.raises(KaptureError, match="No space left on device"):
        demo.run(Namespace(output=tmp_path, close=True))
