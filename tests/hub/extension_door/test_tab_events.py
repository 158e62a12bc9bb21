"""What tabs tell is in the registry, the console and the network log."""

from __future__ import annotations

import pytest

from tests.support.hub.extension_door import Setting


async def test_events_keep_the_registry_and_the_console_true(setting: Setting) -> None:
    extension = await setting.dial()
    tab = setting.tabs.get("t1")
    await extension.send(
        {"type": "event", "events": [
            {"kind": "console", "at": 5, "level": "error", "text": "broken"},
            {"kind": "tab", "url": "https://shop.example/cart", "title": "Cart", "favicon": ""},
            {"kind": "dialog", "open": True, "type": "alert", "message": "hello"},
            {"kind": "nobody knows"},
        ]}
    )  # fmt: skip
    await setting.changes.until(lambda: tab.state == "dialog")
    assert (tab.url, tab.title) == ("https://shop.example/cart", "Cart")
    assert [line.text for line in setting.console.lines("t1")] == ["broken"]
    await extension.send({"type": "event", "events": [{"kind": "dialog", "open": False}]})
    await setting.changes.until(lambda: tab.state == "connected")


async def test_the_tabs_that_a_person_shares_no_more_are_known_until_they_come_back(setting: Setting) -> None:
    extension = await setting.dial()
    await extension.send({"type": "event", "events": [{"kind": "closed", "byPerson": True}]})
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    assert setting.connections.declined == ["t1"]
    await setting.dial()
    assert setting.connections.declined == []


async def test_a_tab_that_is_closed_is_none_that_a_person_shares_no_more(setting: Setting) -> None:
    extension = await setting.dial()
    await extension.send({"type": "event", "events": [{"kind": "closed"}]})
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    assert setting.connections.declined == []


async def test_requests_arrive_in_their_store_and_outlive_their_tab(setting: Setting) -> None:
    extension = await setting.dial()
    begun = {"kind": "request", "id": "r1", "at": 5, "method": "GET", "type": "fetch", "url": "https://a.example/"}
    await extension.send({"type": "event", "events": [begun, {**begun, "status": 404, "finished": True}]})
    await extension.send({"type": "ping"})
    await extension.next()
    await extension.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    assert [(one.tab_id, one.id, one.status, one.is_failed) for one in setting.requests.all()] == [
        ("t1", "r1", 404, True)
    ]


async def test_lines_before_a_clearing_are_forgotten_those_after_it_are_kept(setting: Setting) -> None:
    extension = await setting.dial()
    lines = [{"kind": "console", "at": at, "level": "log", "text": str(at)} for at in range(3)]
    await extension.send({"type": "event", "events": [*lines[:2], {"kind": "cleared"}, lines[2]]})
    await extension.send({"type": "ping"})
    await extension.next()
    assert [line.text for line in setting.console.lines("t1")] == ["2"]


async def test_a_crash_is_announced_and_told_in_the_log(setting: Setting, caplog: pytest.LogCaptureFixture) -> None:
    extension = await setting.dial()
    crashed: list[str] = []
    setting.tabs.crashed.connect(lambda tab: crashed.append(tab.tab_id))
    await extension.send({"type": "event", "events": [{"kind": "crash"}]})
    await extension.send({"type": "ping"})
    await extension.next()
    assert "the tab t1 crashed" in caplog.text
    assert crashed == ["t1"]


async def test_a_tab_that_was_let_go_of_is_gone_only_when_those_of_this_pause_are_back(setting: Setting) -> None:
    worker, extension = await setting.dial(role="browser"), await setting.dial()
    tab = setting.tabs.get("t1")
    setting.pause.hold()
    await extension.send({"type": "event", "events": [{"kind": "held"}]})
    await setting.changes.until(lambda: tab.state == "paused")
    await extension.close()

    async def say_back() -> None:
        """And wait until it has been heard."""
        await worker.send({"type": "event", "events": [{"kind": "back"}]})
        await worker.send({"type": "ping"})
        while (await worker.next())["type"] != "pong":
            pass

    await say_back()  # of the pause before
    assert setting.tabs.find("t1") is tab
    setting.pause.lift()
    await say_back()
    assert setting.tabs.find("t1") is None
