"""Downloads as a browser's pipe tells them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.hub.browsers.downloads import Downloads


def begun() -> Downloads:
    downloads = Downloads(Path("folder"))
    downloads.on_event(
        "Browser.downloadWillBegin", {"guid": "g1", "url": "https://a.example/", "suggestedFilename": "a"}
    )
    return downloads


def progress(downloads: Downloads, state: str, received: float, **more: Any) -> None:
    told = {"guid": "g1", "state": state, "receivedBytes": received, "totalBytes": 9, **more}
    downloads.on_event("Browser.downloadProgress", told)


async def test_a_download_that_ends_soon_is_waited_for() -> None:
    downloads = begun()
    asking = tasks.spawn(downloads.of("g1", 60), "ask")
    progress(downloads, "inProgress", 3)
    progress(downloads, "completed", 9, filePath="folder/a")
    assert await asking == {"state": "completed", "bytes": 9, "path": "folder/a"}
    assert await downloads.of("g1", 60) == {"state": "completed", "bytes": 9, "path": "folder/a"}


async def test_one_that_runs_on_tells_how_far_it_is_and_where_it_goes() -> None:
    downloads = begun()
    progress(downloads, "inProgress", 3)
    assert await downloads.of("g1", 0) == {"state": "inProgress", "bytes": 3, "folder": "folder"}


async def test_a_canceled_one_has_no_path() -> None:
    downloads = begun()
    progress(downloads, "canceled", 3)
    assert await downloads.of("g1", 60) == {"state": "canceled", "bytes": 3}


async def test_one_that_the_tab_told_of_before_the_pipe_is_waited_for() -> None:
    downloads = Downloads(Path("folder"))
    asking = tasks.spawn(downloads.of("g1", 60), "ask")
    await asyncio.sleep(0)
    downloads.on_event("Browser.downloadWillBegin", {"guid": "g1"})
    progress(downloads, "completed", 9, filePath="folder/a")
    assert await asking == {"state": "completed", "bytes": 9, "path": "folder/a"}


async def test_a_browser_open_all_day_keeps_the_latest_only() -> None:
    downloads = begun()
    asking = tasks.spawn(downloads.of("g1", 60), "ask")
    await asyncio.sleep(0)
    for number in range(300):
        downloads.on_event("Browser.downloadWillBegin", {"guid": f"n{number}"})
    assert await asking == {}
    assert len(downloads._states) == len(downloads._ended) == 200
