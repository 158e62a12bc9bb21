"""The panel's browsers: each is started once, and has a tab when it is there."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.extension_door import panel_browsers
from tests.support.hub.extension_door import FakeBrowser, Setting
from tests.support.hub.fakes import FakeExtension
from tests.support.patience import PATIENCE_S


async def test_many_callers_start_one_browser_and_all_get_its_tab(setting: Setting) -> None:
    FakeBrowser.may_start.clear()
    callers = [tasks.spawn(setting.browsers.open(), "open") for _ in range(10)]
    browser = await FakeBrowser.started.get()
    await tasks.end(callers.pop())
    FakeBrowser.may_start.set()
    assert browser.launch.port == setting.connections.listener.port
    await setting.dial(browser.pairing, tab_id="m1")
    found = [await caller for caller in callers]
    assert {tab.tab_id for tab in found} == {"m1"}
    assert found[0].managed
    assert (await setting.browsers.open()).tab_id == "m1"
    assert FakeBrowser.started.empty()


async def test_a_running_browser_without_tabs_gets_a_new_one(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    pairing = (await FakeBrowser.started.get()).pairing
    worker = await setting.dial(pairing, role="browser")
    tab = await setting.dial(pairing, tab_id="m1")
    await opening
    await tab.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    again = tasks.spawn(setting.browsers.open(), "open again")
    command = await worker.next()
    assert command["command"] == "kapturemcp_new_tab"
    await setting.dial(pairing, tab_id="m2")
    await worker.send({"type": "response", "id": command["id"], "success": True, "result": {"tabId": "m2"}})
    assert (await again).tab_id == "m2"
    assert FakeBrowser.started.empty()


async def test_each_asks_for_a_tab_of_its_own(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open_tab(), "the browser's first")
    pairing = (await FakeBrowser.started.get()).pairing
    worker = await setting.dial(pairing, role="browser")
    await setting.dial(pairing, tab_id="m1")
    assert (await opening).tab_id == "m1"
    another = tasks.spawn(setting.browsers.open_tab(), "another")
    command = await worker.next()
    assert command["command"] == "kapturemcp_new_tab"
    await setting.dial(pairing, tab_id="m2")
    await worker.send({"type": "response", "id": command["id"], "success": True, "result": {"tabId": "m2"}})
    assert (await another).tab_id == "m2"


async def test_a_tab_that_does_not_open_is_asked_for_once_and_told(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    pairing = (await FakeBrowser.started.get()).pairing
    worker = await setting.dial(pairing, role="browser")
    tab = await setting.dial(pairing, tab_id="m1")
    await opening
    await tab.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    again = tasks.spawn(setting.browsers.open(), "open again")
    refusal = {"code": "TAB_DISCONNECTED", "message": "the tab does not answer"}
    await worker.answer(success=False, error=refusal)
    with pytest.raises(KaptureError, match="the tab does not answer") as raised:
        await asyncio.wait_for(again, PATIENCE_S)
    assert raised.value.code == "TAB_DISCONNECTED"
    assert [frame["type"] for frame in worker.heard].count("command") == 1
    # One that opened and is slow to dial is waited for, not opened again.
    third = tasks.spawn(setting.browsers.open(), "open once more")
    await worker.answer({"tabId": "m3"})
    await setting.dial(pairing, tab_id="m3")
    assert (await asyncio.wait_for(third, PATIENCE_S)).tab_id == "m3"
    assert [frame["type"] for frame in worker.heard].count("command") == 2


async def test_a_browser_that_does_not_start_leaves_no_key_behind(setting: Setting) -> None:
    FakeBrowser.error = KaptureError("INTERNAL", "it did not come up")
    before = dict(setting.connections._pairings)
    for _ in range(2):
        with pytest.raises(KaptureError, match="it did not come up"):
            await setting.browsers.open()
    assert setting.connections._pairings == before
    assert FakeBrowser.started.qsize() == 2


async def test_a_browser_that_ended_is_started_anew_with_another_key(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    first = await FakeBrowser.started.get()
    tab = await setting.dial(first.pairing, tab_id="m1")
    await opening
    ended: list[str] = []
    setting.tabs.browser_ended.connect(ended.append)
    first.on_ended()
    assert ended == [""]
    await tab.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    stranger = FakeExtension(setting.connections.listener.port, first.pairing)
    assert (await stranger.connect())["type"] == "refused"
    await stranger.close()
    again = tasks.spawn(setting.browsers.open(), "open again")
    second = await FakeBrowser.started.get()
    assert second.pairing.key != first.pairing.key
    await setting.dial(second.pairing, tab_id="m2")
    assert (await again).tab_id == "m2"


async def test_a_browser_whose_tab_does_not_come_is_an_error(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_browsers, "FIRST_TAB_S", 0.0)
    with pytest.raises(KaptureError, match="the browser runs, but no tab connected within 0 s"):
        await setting.browsers.open()


async def test_closing_ends_the_browser_even_while_it_starts(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    browser = await FakeBrowser.started.get()
    await setting.dial(browser.pairing)
    await opening
    await setting.close()
    assert browser.ended
    FakeBrowser.may_start.clear()
    starting = tasks.spawn(setting.browsers.open(), "open again")
    await FakeBrowser.started.get()
    await setting.close()
    await asyncio.wait([starting])
    assert isinstance(starting.exception(), KaptureError)


async def test_who_waits_for_a_browser_that_is_closed_meanwhile_is_told_and_who_gave_up_has_given_up(
    setting: Setting,
) -> None:
    FakeBrowser.may_start.clear()
    callers = [tasks.spawn(setting.browsers.open(), "open") for _ in range(3)]
    await FakeBrowser.started.get()
    callers[0].cancel()
    await setting.browsers.end("")
    await asyncio.wait(callers)
    assert [caller.cancelled() for caller in callers] == [True, False, False]
    for caller in callers[1:]:
        with pytest.raises(KaptureError, match="was closed while it started") as raised:
            await caller
        assert raised.value.code == "NOT_SENT"
