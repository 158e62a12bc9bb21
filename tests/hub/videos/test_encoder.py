"""The process that makes a video: what it writes can be played, however it ends."""

from __future__ import annotations

import asyncio
import importlib.util
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.videos import encoder
from kapture_panel.hub.videos.encoder import Encoder
from tests.support.hub.videos import colours, frames, jpeg, length_s
from tests.support.patience import PATIENCE_S
from tests.support.tree import ROOT


async def test_pictures_become_a_video_with_their_times(tmp_path: Path) -> None:
    path, sizes, failures = tmp_path / "a.webm", list[int](), list[str]()
    path.touch()
    encoded = asyncio.Event()

    def on_bytes(size: int) -> None:
        sizes.append(size)
        encoded.set()

    made = Encoder(path, 320, 200, on_bytes, failures.append)
    await made.start()
    made.put(0, jpeg("red"))
    await asyncio.wait_for(encoded.wait(), PATIENCE_S)
    made.put(700, jpeg("blue", (100, 200)))
    await made.end(2000)
    assert (made.pictures, made.failure, failures) == (2, "", [])
    assert colours(path) == ["red", "blue", "blue"]
    assert [round(at, 1) for at, _image in frames(path)] == [0.0, 0.7, 2.0]
    assert frames(path)[1][1].getpixel((20, 100)) == (0, 0, 0), "beside a picture of another shape are bars"
    assert 1.9 < length_s(path) < 2.2
    assert sizes[-1] == path.stat().st_size


async def test_of_pictures_that_come_while_one_is_encoded_the_newest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.webm"
    path.touch()
    made = Encoder(path, 320, 200, lambda _size: None, lambda _why: None)
    await made.start()
    for at_ms, colour in enumerate(("red", "green", "blue")):
        made.put(at_ms, jpeg(colour))
    await made.end(100)
    assert colours(path) == ["blue", "blue"]


def test_a_panel_that_is_killed_leaves_a_video_that_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "a.webm"
    path.touch()
    sent = b"".join(
        struct.pack("<II", at_ms, len(data)) + data for at_ms, data in ((0, jpeg("red")), (400, jpeg("green")))
    )
    cut = sent + struct.pack("<II", 900, 5000) + b"half of a picture"
    command = [sys.executable, "-m", "kapture_panel.video_helper", str(path), "320", "200"]
    subprocess.run(command, input=cut, stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE_S)
    assert colours(path)[:2] == ["red", "green"]


async def test_what_goes_wrong_is_told_once_and_ends_it(tmp_path: Path) -> None:
    failures: list[str] = []
    path = tmp_path / "a.webm"
    path.touch()
    made = Encoder(path, 320, 200, lambda _size: None, failures.append)
    await made.start()
    made.put(0, b"no picture")
    await made.end(100)
    assert len(failures) == 1
    assert "UnidentifiedImageError" in failures[0]
    assert made.failure == failures[0]


def test_without_pyav_the_error_names_it_and_how_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder.demand()
    installed = {"pip"}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name if name in installed else None)
    with pytest.raises(KaptureError, match=f"PyAV.*{sys.executable} -m pip install '{encoder.PACKAGE}'") as error:
        encoder.demand()
    assert error.value.code == "NO_ENCODER"
    installed.clear()
    with pytest.raises(KaptureError, match=f"uv pip install --python {sys.executable} '{encoder.PACKAGE}'"):
        encoder.demand()
    assert f'video = ["{encoder.PACKAGE}"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
