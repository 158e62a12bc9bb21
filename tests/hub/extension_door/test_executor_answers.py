"""An answer that has arrived is handed on, whatever comes while the files it tells of are waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Container
from typing import Any

import pytest

from kapture_panel.core import router
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.deadlines import within
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.effects import Download
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.browsers import downloads
from tests.support.core.fakes import call_of
from tests.support.hub.extension_door import FakeBrowser, Setting
from tests.support.hub.fakes import FakeExtension
from tests.support.patience import PATIENCE_S

#: A click that began two downloads, and opened a tab: the browser is asked whether that is a third.
EFFECTS = {
    "changed": True,
    "downloads": [{"guid": guid, "fileName": guid, "url": "https://shop.example/r"} for guid in ("g1", "g2")],
    "newTabs": [{"url": "https://shop.example/new"}],
}

ADDRESS = "https://shop.example/r.pdf"


async def opened(setting: Setting) -> tuple[Tab, FakeExtension, FakeBrowser]:
    """A tab of the panel's browser."""
    opening = tasks.spawn(setting.browsers.open(), "open")
    browser = await FakeBrowser.started.get()
    await setting.dial(browser.pairing, role="browser")
    page = await setting.dial(browser.pairing, tab_id="m1")
    return await opening, page, browser


def click(timeout_ms: int) -> Call:
    call = call_of(Client("a", "agent"), "click", timeout=timeout_ms)
    call.is_sent = True
    return call


async def run(setting: Setting, tab: Tab, call: Call) -> Response:
    """As the router does."""
    async with setting.pause.cutting(call):
        sent = setting.executor.run_in_tab(tab, "kapturemcp_click", {}, call.timeout_ms, frame_id="memory.1")
        return await within(sent, call, call.timeout_ms, router.GRACE_S)


def end(browser: FakeBrowser, guid: str) -> None:
    begun = {"guid": guid, "url": "https://shop.example/r", "suggestedFilename": guid}
    browser.downloads.on_event("Browser.downloadWillBegin", begun)
    told: dict[str, Any] = {"guid": guid, "state": "canceled", "receivedBytes": 3, "totalBytes": 9}
    browser.downloads.on_event("Browser.downloadProgress", told)


async def test_downloads_that_run_on_take_no_answer_past_the_time_of_its_command(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "WAIT_S", PATIENCE_S)
    tab, page, browser = await opened(setting)
    running = tasks.spawn(run(setting, tab, click(1)), "click")
    await page.answer("done", effects=EFFECTS)
    response = await asyncio.wait_for(running, PATIENCE_S)
    assert response.success
    assert response.effects is not None
    assert [one.state for one in response.effects.downloads] == ["inProgress", "inProgress"]
    assert browser.downloads.is_told("g1")


async def test_a_pause_throws_no_answer_away_that_has_arrived(setting: Setting) -> None:
    tab, page, browser = await opened(setting)
    running = tasks.spawn(run(setting, tab, click(60_000)), "click")
    await page.answer("done", effects=EFFECTS)
    await asyncio.wait_for(browser.asked_to_catch_up.wait(), PATIENCE_S)
    setting.pause.hold()
    await asyncio.sleep(0)
    for guid in ("g1", "g2"):
        end(browser, guid)
        await asyncio.sleep(0)
    response = await asyncio.wait_for(running, PATIENCE_S)
    assert response.effects is not None
    assert [(one.state, one.bytes) for one in response.effects.downloads] == [("canceled", 3), ("canceled", 3)]


async def test_a_new_tab_of_before_that_turned_into_a_file_is_told_beside_one_that_takes_long(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "WAIT_S", 0.05)  # how long the slow one is waited for
    tab, page, browser = await opened(setting)

    async def caught_up() -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(browser, "caught_up", caught_up)
    found = Download(guid="n1", fileName="r.pdf", url=ADDRESS)
    monkeypatch.setattr(browser.downloads, "of_new_tab", lambda url, _known: found if url == ADDRESS else None)
    running = tasks.spawn(run(setting, tab, click(60_000)), "click")
    late = {"newTabs": [{"url": ADDRESS, "closed": True}]}
    await page.answer("done", effects={"changed": True, "downloads": EFFECTS["downloads"]}, lateEffects=late)
    response = await asyncio.wait_for(running, PATIENCE_S)
    assert response.lateEffects is not None
    assert [one.fileName for one in response.lateEffects.downloads] == ["r.pdf"]


async def test_two_new_tabs_of_one_address_told_at_different_times_are_two_downloads(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "WAIT_S", 0.05)
    tab, page, browser = await opened(setting)
    begun = [Download(guid=guid, fileName=f"{guid}.csv", url=ADDRESS) for guid in ("n2", "n1")]

    async def caught_up() -> None:
        await asyncio.sleep(0)

    def of_new_tab(_url: str, known: Container[str]) -> Download | None:
        return next((one for one in begun if one.guid and one.guid not in known), None)

    monkeypatch.setattr(browser, "caught_up", caught_up)
    monkeypatch.setattr(browser.downloads, "of_new_tab", of_new_tab)
    running = tasks.spawn(run(setting, tab, click(60_000)), "click")
    opens = {"newTabs": [{"url": ADDRESS, "closed": True}]}
    await page.answer("done", effects={"changed": True, **opens}, lateEffects=opens)
    response = await asyncio.wait_for(running, PATIENCE_S)
    assert response.effects is not None
    assert response.lateEffects is not None
    told = [[one.fileName for one in seen.downloads] for seen in (response.effects, response.lateEffects)]
    assert told == [["n2.csv"], ["n1.csv"]]


async def test_an_answer_whose_caller_goes_meanwhile_has_told_of_no_download(setting: Setting) -> None:
    tab, page, browser = await opened(setting)
    running = tasks.spawn(run(setting, tab, click(60_000)), "click")
    await page.answer("done", effects=EFFECTS)
    await asyncio.wait_for(browser.asked_to_catch_up.wait(), PATIENCE_S)
    assert browser.downloads.is_told("g2"), "no other answer tells of it at the same time"
    await tasks.end(running)
    assert running.cancelled()
    assert not browser.downloads.is_told("g1")
    assert not browser.downloads.is_told("g2")


async def test_a_pause_before_a_command_is_sent_says_that_nothing_was_done(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, page, _browser = await opened(setting)
    asked, found = asyncio.Event(), asyncio.Event()

    async def finding(_install: str) -> None:
        asked.set()
        await found.wait()

    monkeypatch.setattr(setting.guards, "found", finding)
    running = tasks.spawn(run(setting, tab, click(60_000)), "click")
    await asyncio.wait_for(asked.wait(), PATIENCE_S)
    setting.pause.hold()
    await asyncio.sleep(0)
    found.set()
    with pytest.raises(KaptureError, match="nothing was done") as raised:
        await asyncio.wait_for(running, PATIENCE_S)
    assert raised.value.code == "PAUSED"
    assert [frame["type"] for frame in page.heard if frame["type"] == "command"] == []
