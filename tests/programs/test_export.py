"""`kapture export` says what is in the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.recorder import FOLDER
from kapture_panel.paths import DataDir
from kapture_panel.programs import arguments
from tests.support.core.fakes import row


@pytest.mark.parametrize(
    ("before", "said"), [("", "without pictures: none are kept of these rows"), ("a.jpg", "with 1 picture")]
)
def test_of_a_recording_it_says_how_many_pictures_it_has(
    before: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = DataDir.open(str(tmp_path / "data"))
    (data.screenshots / FOLDER).mkdir(parents=True)
    Image.new("RGB", (20, 10)).save(data.screenshots / FOLDER / "a.jpg")
    history = History(data.history)
    history.begin(row("click", before=before), durable=True)
    history.close()
    file = tmp_path / "out.html"
    assert arguments.run(["export", "--data-dir", str(data.root), "--format", "html", "--output", str(file)]) == 0
    assert capsys.readouterr().out == f"1 rows in {file}, {said}\n"
