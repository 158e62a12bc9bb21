"""Where the demo keeps what it made."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

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
