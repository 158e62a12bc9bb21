"""Downloads as a browser's pipe tells them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.wire.effects import Download
from kapture_panel.hub.browsers.downloads import Downloads


def begun(folder: Path = Path("folder"), guid: str = "g1", name: str = "a") -> Downloads:
    downloads = Downloads(folder)
    begin(downloads, guid, name)
    return downloads


def begin(downloads: Downloads, guid: str, name: str) -> None:
    told = {"guid": guid, "url": "https://a.example/", "suggestedFilename": name}
    downloads.on_event("Browser.downloadWillBegin", told)


def arrive(downloads: Downloads, guid: str, text: str) -> None:
    """The browser has written all of it."""
    (downloads.arriving / guid).write_text(text)
    told = {"guid": guid, "state": "completed", "receivedBytes": len(text), "totalBytes": len(text)}
    downloads.on_event("Browser.downloadProgress", {**told, "filePath": str(downloads.arriving / guid)})


def progress(downloads: Downloads, state: str, received: float, **more: Any) -> None:
    told = {"guid": "g1", "state": state, "receivedBytes": received, "totalBytes": 9, **more}
    downloads.on_event("Browser.downloadProgress", told)


async def test_a_download_that_ends_soon_is_waited_for(tmp_path: Path) -> None:
    downloads = begun(tmp_path)
    downloads.prepare()
    asking = tasks.spawn(downloads.of("g1", 60), "ask")
    progress(downloads, "inProgress", 3)
    arrive(downloads, "g1", "text")
    whole = Download(state="completed", bytes=4, path=str(tmp_path / "a"))
    assert await asking == whole
    assert await downloads.of("g1", 60) == whole


@pytest.mark.parametrize(
    ("name", "taken", "given"),
    [
        ("r.csv", ["r.csv"], "r (1).csv"),
        ("r.csv", ["r.csv", "r (1).csv"], "r (2).csv"),
        ("r.tar.gz", ["r.tar.gz"], "r (1).tar.gz"),
        (".env", [".env"], ".env (1)"),
        ("", ["download"], "download (1)"),
        ("../../etc/passwd", [], "passwd"),
        ("ü" * 300 + ".csv", [], "ü" * 98 + ".csv"),
    ],
)
async def test_nothing_that_is_there_is_overwritten(tmp_path: Path, name: str, taken: list[str], given: str) -> None:
    downloads = begun(tmp_path, name=name)
    downloads.prepare()
    for one in taken:
        (tmp_path / one).write_text("kept")
    arrive(downloads, "g1", "new")
    assert (await downloads.of("g1", 60)).path == str(tmp_path / given)
    assert (tmp_path / given).read_text() == "new"
    assert [(tmp_path / one).read_text() for one in taken] == ["kept"] * len(taken)
    assert list(downloads.arriving.iterdir()) == []


async def test_a_file_that_cannot_be_named_stays_where_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    downloads = begun(tmp_path)
    downloads.prepare()
    path = str(downloads.arriving / "elsewhere")
    progress(downloads, "completed", 9, filePath=path)
    assert (await downloads.of("g1", 60)).path == path
    assert "stays" in caplog.text
    assert not (tmp_path / "a").exists()


async def test_what_an_earlier_browser_did_not_finish_goes(tmp_path: Path) -> None:
    downloads = Downloads(tmp_path)
    downloads.prepare()
    (downloads.arriving / "g0").touch()
    (tmp_path / "kept").touch()
    downloads.prepare()
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".arriving", "kept"]


async def test_one_that_runs_on_tells_how_far_it_is_and_where_it_goes() -> None:
    downloads = begun()
    progress(downloads, "inProgress", 3)
    assert await downloads.of("g1", 0) == Download(state="inProgress", bytes=3, folder="folder")


async def test_a_canceled_one_has_no_path() -> None:
    downloads = begun()
    progress(downloads, "canceled", 3)
    assert await downloads.of("g1", 60) == Download(state="canceled", bytes=3)


async def test_one_that_the_tab_told_of_before_the_pipe_is_waited_for(tmp_path: Path) -> None:
    downloads = Downloads(tmp_path)
    downloads.prepare()
    asking = tasks.spawn(downloads.of("g1", 60), "ask")
    await asyncio.sleep(0)
    begin(downloads, "g1", "a")
    arrive(downloads, "g1", "text")
    assert await asking == Download(state="completed", bytes=4, path=str(tmp_path / "a"))


async def test_a_browser_open_all_day_keeps_the_latest_only() -> None:
    downloads = begun()
    asking = tasks.spawn(downloads.of("g1", 60), "ask")
    await asyncio.sleep(0)
    for number in range(300):
        begin(downloads, f"n{number}", "a")
    assert await asking == Download()
    assert len(downloads._states) == len(downloads._ended) == len(downloads._names) == 200


async def test_a_download_that_no_tab_has_told_of_is_known_by_the_address_of_the_new_tab() -> None:
    downloads = begun(name="r.csv")
    assert downloads.of_new_tab("https://b.example/", ()) is None
    found = downloads.of_new_tab("https://a.example/", ())
    assert found == Download(guid="g1", fileName="r.csv", url="https://a.example/")
    assert downloads.of_new_tab("https://a.example/", ("g1",)) is None
    assert not downloads.is_told("g1")
    with downloads.telling(["g1"]):
        assert downloads.is_told("g1"), "two answers do not tell of it at once"
    assert downloads.is_told("g1")
    assert downloads.of_new_tab("https://a.example/", ()) is None


async def test_a_download_that_a_tab_told_before_the_pipe_is_no_other_tab_s() -> None:
    downloads = Downloads(Path("folder"))
    with downloads.telling(["g1"]):
        await downloads.of("g1", 0)
    begin(downloads, "g1", "r.csv")
    assert downloads.of_new_tab("https://a.example/", ()) is None


async def test_an_answer_that_is_cut_off_has_told_of_none() -> None:
    downloads = begun()
    with pytest.raises(asyncio.CancelledError), downloads.telling(["g1"]):
        raise asyncio.CancelledError
    assert not downloads.is_told("g1")
