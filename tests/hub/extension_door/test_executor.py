"""The executor: commands go to the right tab or browser, and a browser that died is told."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.core.wire.protocol import Disconnect
from kapture_panel.core.wire.results import Picked
from kapture_panel.hub.extension_door import executor
from tests.support.hub.extension_door import OTHER, FakeBrowser, FakeGuard, Setting
from tests.support.patience import PATIENCE_S


async def test_a_browser_link_takes_browser_commands_and_is_no_tab(setting: Setting) -> None:
    with pytest.raises(KaptureError, match="no browser is connected") as raised:
        await setting.executor.run_in_browser("", "kapturemcp_new_tab", {}, 1000)
    assert raised.value.code == "TAB_NOT_FOUND"
    first, second = await setting.dial(role="browser"), await setting.dial(OTHER, role="browser")
    assert len(setting.tabs) == 0
    call = tasks.spawn(setting.executor.run_in_browser("", "kapturemcp_new_tab", {}, 1000), "new tab")
    await second.answer({"tabId": "t7"})
    assert (await call).result == {"tabId": "t7"}
    assert first.heard[-1]["type"] == "registered"


async def test_a_new_tab_goes_to_the_managed_browser_though_a_persons_own_came_later(setting: Setting) -> None:
    setting.connections._pairings["managed"] = Pairing("managed", "key", managed=True)
    managed = await setting.dial(setting.connections._pairings["managed"], role="browser")
    own = await setting.dial(role="browser")
    for command, asked in (("kapturemcp_new_tab", managed), ("kapturemcp_connect_tab", own)):
        call = tasks.spawn(setting.executor.run_in_browser("", command, {}, 1000), command)
        await asked.answer({"from": asked is managed})
        assert (await call).result == {"from": asked is managed}


async def test_what_is_counted_for_the_person_takes_nothing_that_an_agent_is_told(setting: Setting) -> None:
    extension = await setting.dial()
    tab = setting.tabs.get("t1")
    counting = tasks.spawn(setting.executor.count(tab, "a"), "count")
    assert (await extension.answer({"count": 3}))["quiet"] is True
    assert await counting == 3
    call = setting.call(tab)
    assert "quiet" not in await extension.answer("done")
    await call


async def test_a_cut_tab_leaves_its_command_unknown(setting: Setting) -> None:
    extension = await setting.dial()
    call = setting.call(setting.tabs.get("t1"))
    await extension.next()
    extension.socket.transport.abort()
    with pytest.raises(KaptureError) as raised:
        await call
    assert raised.value.code == "OUTCOME_UNKNOWN"


async def test_the_keyboard_is_guarded_from_what_is_done_in_the_panels_browser(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    browser = await FakeBrowser.started.get()
    browser.guard = guard = FakeGuard()
    worker = await setting.dial(browser.pairing, role="browser")
    page = await setting.dial(browser.pairing, tab_id="m1")
    tab = await opening
    for extension, run in (
        (page, partial(setting.executor.run_in_tab, tab, "kapturemcp_click", {}, 1000)),
        (page, partial(setting.executor.run_in_tab, tab, "kapturemcp_snapshot", {}, 1000)),
        (worker, partial(setting.executor.run_in_browser, "", "kapturemcp_new_tab", {}, 1000)),
    ):
        call = tasks.spawn(run(), "a command")
        guard.seen.append(str((await extension.answer("done"))["command"]))
        await call
    first, second, third = guard.seen[:3], guard.seen[3:6], guard.seen[6:]
    assert first == ["an act begins", "kapturemcp_click", "it ends"]
    assert second == ["a look begins", "kapturemcp_snapshot", "it ends"]
    assert third == ["an act begins", "kapturemcp_new_tab", "it ends"]


async def test_a_tab_is_shown_to_the_person_who_may_have_the_keyboard_there(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    browser = await FakeBrowser.started.get()
    browser.guard = guard = FakeGuard()
    await setting.dial(browser.pairing, role="browser")
    page = await setting.dial(browser.pairing, tab_id="m1")
    setting.executor.show(await opening)
    assert await page.next() == {"type": "show"}
    assert guard.seen == ["the person is expected"]


async def test_a_person_who_chooses_an_element_may_have_the_keyboard_in_the_page(setting: Setting) -> None:
    opening = tasks.spawn(setting.browsers.open(), "open")
    browser = await FakeBrowser.started.get()
    browser.guard = guard = FakeGuard()
    await setting.dial(browser.pairing, role="browser")
    page = await setting.dial(browser.pairing, tab_id="m1")
    picking = tasks.spawn(setting.executor.pick(await opening), "pick")
    assert (await page.answer({"ended": "escape"}))["type"] == "pick"
    assert await picking == Picked(ended="escape")
    assert guard.seen == ["the person is expected", "it has caught up"]


async def test_a_person_who_starts_the_browser_that_an_agent_is_starting_sees_it(setting: Setting) -> None:
    FakeBrowser.may_start.clear()
    by_agent = tasks.spawn(setting.executor.open_browser(), "an agent's")
    browser = await FakeBrowser.started.get()
    assert not browser.launch.in_front
    callers = [tasks.spawn(setting.executor.open_browser(in_front=yes), "another") for yes in (False, True)]
    await asyncio.sleep(0)  # they ask while it is starting
    FakeBrowser.may_start.set()
    page = await setting.dial(browser.pairing, tab_id="m1")
    assert {(await opening).tab_id for opening in (by_agent, *callers)} == {"m1"}
    assert await page.next() == {"type": "show"}
    assert (await setting.executor.open_browser(in_front=True)).tab_id == "m1"
    setting.connections.post("m1", Disconnect())
    assert await page.next() == {"type": "disconnect"}, "one that runs is shown by whoever asked for it"


async def test_a_browser_that_dies_under_a_command_is_told_and_started_again(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "DEATH_S", PATIENCE_S)
    opening = tasks.spawn(setting.browsers.open(), "open")
    browser = await FakeBrowser.started.get()
    worker = await setting.dial(browser.pairing, role="browser")
    extension = await setting.dial(browser.pairing, tab_id="m1")
    calls = [
        setting.call(await opening, "kapturemcp_navigate"),
        tasks.spawn(setting.executor.run_in_browser("", "kapturemcp_new_tab", {}, 1000), "new tab"),
    ]
    await extension.next()
    await worker.next()
    await extension.close()
    await worker.close()
    again = tasks.spawn(setting.browsers.open(), "open again")
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    browser.die()
    for call in calls:
        with pytest.raises(KaptureError, match=r"browser ended by itself \(code -5\) under this command") as raised:
            await call
        assert raised.value.code == "OUTCOME_UNKNOWN"
        assert "kapturemcp_navigate or kapturemcp_new_tab starts it again" in raised.value.message
    second = await asyncio.wait_for(FakeBrowser.started.get(), PATIENCE_S)
    await setting.dial(second.pairing, tab_id="m2")
    assert (await again).tab_id == "m2"


async def test_open_tabs_are_those_of_every_browser_and_one_is_connected_where_it_is(setting: Setting) -> None:
    first, second = await setting.dial(role="browser"), await setting.dial(OTHER, role="browser")
    listing = tasks.spawn(setting.executor.run_in_browser("", "kapturemcp_list_browser_tabs", {}, 1000), "list")
    await first.answer({"tabs": [{"browserTabId": 1}]})
    await second.answer({"tabs": [{"browserTabId": 2}]})
    assert (await listing).result == {"tabs": [{"browserTabId": 1}, {"browserTabId": 2}]}
    asked = {"browserTabId": 1}
    connecting = tasks.spawn(setting.executor.run_in_browser("", "kapturemcp_connect_tab", asked, 1000), "connect")
    await second.answer(success=False, error={"code": "TAB_NOT_FOUND", "message": "no tab 1"})
    assert (await first.answer({"tabId": "t1"}))["params"] == asked
    assert (await connecting).result == {"tabId": "t1"}
