"""Connections: tabs and browsers come and go, and only whom the person trusts."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import Pairing
from tests.support.hub.extension_door import OTHER, PAIRING, Setting
from tests.support.hub.fakes import Changes, FakeExtension
from tests.support.patience import PATIENCE_S


async def test_a_tab_is_known_while_its_link_lives(setting: Setting) -> None:
    extension = await setting.dial()
    tab = setting.tabs.get("t1")
    assert (tab.url, tab.title, tab.install, tab.managed) == ("https://shop.example/", "Shop", "browser-1", False)
    call = setting.call(tab)
    assert (await extension.answer("done"))["command"] == "kapturemcp_click"
    assert (await call).result == "done"
    await extension.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    with pytest.raises(KaptureError, match="the tab t1 was closed or disconnected; no tab is connected") as raised:
        await setting.call(tab)
    assert raised.value.code == "TAB_DISCONNECTED"


async def test_a_tab_that_reconnects_is_the_same_tab(setting: Setting) -> None:
    old = await setting.dial()
    setting.tabs.get("t1").driver = "claude"
    new = await setting.dial()
    await old.close()
    call = setting.call(setting.tabs.get("t1"))
    await new.answer("over the new link")
    assert (await call).result == "over the new link"
    assert setting.tabs.get("t1").driver == "claude"
    assert len(setting.tabs) == 1


async def test_no_browser_can_take_the_tab_of_another(setting: Setting) -> None:
    await setting.dial()
    thief = FakeExtension(setting.connections.listener.port, OTHER)
    refused = await thief.connect()
    assert (refused["type"], refused["message"]) == ("refused", "the tabId t1 is taken by another browser")
    assert setting.tabs.get("t1").install == "browser-1"
    await thief.close()


async def test_a_tab_without_an_id_is_refused(setting: Setting) -> None:
    nameless = FakeExtension(setting.connections.listener.port, PAIRING, tab_id="")
    assert (await nameless.connect())["message"] == "a tab needs a tabId"
    await nameless.close()


async def test_tabs_are_told_what_the_person_chose_for_the_mouse_now_and_when_they_connect(setting: Setting) -> None:
    extension = await setting.dial()
    setting.connections.apply(protocol.Settings(naturalMouse="on"))
    assert await extension.next() == {"type": "settings", "naturalMouse": "on"}
    late = FakeExtension(setting.connections.listener.port, PAIRING, tab_id="t2")
    registered = await late.connect()
    assert (registered["type"], registered["naturalMouse"]) == ("registered", "on")
    await late.close()


async def test_a_browser_unpaired_in_the_panel_is_shown_out_of_every_link(setting: Setting) -> None:
    worker, tab = await setting.dial(role="browser"), await setting.dial()
    other = await setting.dial(OTHER, tab_id="t2")
    assert setting.paired.is_here(PAIRING.install)
    call = setting.call(setting.tabs.get("t1"))
    await tab.next()
    assert setting.paired.remove(PAIRING.install)
    assert [known.tab_id for known in setting.tabs] == ["t2"]
    with pytest.raises(KaptureError, match="was closed or disconnected"):
        await setting.call(Tab("t1", "", "", PAIRING.install))
    for link in (worker, tab):
        await link.until_closed()
        assert link.heard[-1] == {"type": "unpaired"}
    with pytest.raises(KaptureError) as raised:
        await call
    assert raised.value.code == "OUTCOME_UNKNOWN"
    again = FakeExtension(setting.connections.listener.port, PAIRING)
    assert (await again.connect())["type"] == "refused"
    await again.close()
    assert other.heard[-1]["type"] == "registered"


async def test_a_browser_can_take_itself_off_but_a_tab_cannot(setting: Setting) -> None:
    tab = await setting.dial()
    await tab.send({"type": "unpair"})
    assert (await tab.until_closed())[0] == 1002
    assert setting.paired.find(PAIRING.install) is not None
    worker = await setting.dial(role="browser")
    await worker.send({"type": "unpair"})
    await worker.until_closed()
    assert worker.heard[-1] == {"type": "unpaired"}
    assert setting.paired.find(PAIRING.install) is None


async def test_a_browser_paired_while_the_panel_runs_is_let_in(setting: Setting) -> None:
    setting.paired.add("browser-3", "a third key", "Fake")
    await setting.dial(Pairing("browser-3", "a third key"), tab_id="t3")
    assert setting.tabs.get("t3").install == "browser-3"


async def test_a_browser_that_pairs_anew_is_let_in_with_its_new_key_alone(setting: Setting) -> None:
    setting.paired.add(PAIRING.install, "the new key", "Fake")
    old = FakeExtension(setting.connections.listener.port, PAIRING)
    await old.dial()
    await old.send(old.hello)
    challenge = await old.next()
    assert challenge["proof"] != old.proof("panel", challenge["nonce"])
    await old.close()
    await setting.dial(Pairing(PAIRING.install, "the new key"))


async def test_when_a_browser_was_here_is_known(setting: Setting) -> None:
    worker = await setting.dial(role="browser")
    changes = Changes(setting.paired.changed)
    await worker.close()
    await changes.until(lambda: not setting.paired.is_here(PAIRING.install))


async def test_a_tab_is_told_who_drives_it_once_and_again_when_it_comes_back(setting: Setting) -> None:
    extension = await setting.dial()
    tab = setting.tabs.get("t1")
    setting.tabs.update(tab, state="executing", driver="claude")
    setting.tabs.update(tab, state="connected")
    setting.tabs.update(tab, driver="codex")
    assert [(await extension.next()) for _ in range(2)] == [
        {"type": "settings", "driver": "claude"}, {"type": "settings", "driver": "codex"},
    ]  # fmt: skip
    setting.connections.apply(protocol.Settings(showCursor="on"))
    assert await extension.next() == {"type": "settings", "showCursor": "on", "driver": "codex"}
    again = FakeExtension(setting.connections.listener.port, PAIRING)
    registered = await again.connect()
    assert registered == {"type": "registered", "tabId": "t1", "showCursor": "on", "driver": "codex"}
    await again.close()


async def test_a_tab_is_told_that_its_holder_has_gone(setting: Setting) -> None:
    extension = await setting.dial()
    setting.connections.let_go("nobody")
    setting.connections.let_go("t1")
    assert await extension.next() == {"type": "letGo"}


async def test_a_tab_the_person_wants_shared_no_more_is_told(setting: Setting) -> None:
    extension = await setting.dial()
    setting.connections.disconnect("nobody")
    setting.connections.disconnect("t1")
    assert await extension.next() == {"type": "disconnect"}


async def test_what_the_person_asks_in_a_browsers_own_pages_is_told_with_that_browser(setting: Setting) -> None:
    asked: asyncio.Queue[tuple[Any, str, Any]] = asyncio.Queue()
    left: asyncio.Queue[Any] = asyncio.Queue()
    setting.connections.asked.connect(lambda *what: asked.put_nowait(what))
    setting.connections.left.connect(left.put_nowait)
    browser = await setting.dial(role="browser")
    run = {"type": "run", "id": "p1", "tabId": "t1", "command": "kapturemcp_click", "params": {"ref": "e1"}}
    await browser.send(run)
    link, install, message = await asked.get()
    wanted = protocol.DevToolsCommand(id="p1", tabId="t1", command="kapturemcp_click", params={"ref": "e1"})
    assert (install, message) == ("browser-1", wanted)
    await browser.send({"type": "cancel", "id": "p1"})
    assert (await asked.get())[2] == protocol.Cancel(id="p1")
    await browser.close()
    assert await left.get() is link


async def test_a_tabs_link_cannot_ask_for_runs(setting: Setting) -> None:
    tab = await setting.dial()
    await tab.send({"type": "run", "id": "p1", "tabId": "t1", "command": "kapturemcp_click", "params": {}})
    code, reason = await tab.until_closed()
    assert (code, "DevToolsCommand" in reason) == (1002, True)


async def broken(call: asyncio.Task[Any]) -> None:
    with pytest.raises(KaptureError) as raised:
        await call
    assert raised.value.code == "OUTCOME_UNKNOWN"


async def test_a_tab_that_comes_back_is_asked_for_the_answers_that_were_lost(setting: Setting) -> None:
    settled: list[protocol.Response] = []
    setting.connections.settled.connect(settled.append)
    extension, _other = await setting.dial(), await setting.dial(tab_id="t2")
    calls = [setting.call(setting.tabs.get("t1"), frame_id=frame_id) for frame_id in ("m.1", "m.2", "")]
    for _ in calls:
        await extension.next()
    extension.socket.transport.abort()
    for call in calls:
        await broken(call)

    again = await setting.dial()
    assert again.heard[-1]["open"] == ["m.1", "m.2"]
    other = await setting.dial(tab_id="t2")
    assert "open" not in other.heard[-1]
    for said in (again, other):  # a tab speaks of its own commands alone
        await said.send({"type": "response", "id": "m.1" if said is again else "m.2", "success": True})
        await said.send({"type": "event", "events": [{"kind": "tab", "title": "Told"}]})
    await setting.changes.until(lambda: all(tab.title == "Told" for tab in setting.tabs))
    assert [response.id for response in settled] == ["m.1"]
    await again.close()
    await setting.changes.until(lambda: setting.tabs.find("t1") is None)
    assert (await setting.dial()).heard[-1]["open"] == ["m.2"]


async def test_a_link_that_broke_for_the_extension_alone_is_replaced_and_its_answers_are_asked_for(
    setting: Setting,
) -> None:
    old = await setting.dial()
    call = setting.call(setting.tabs.get("t1"), frame_id="m.1")
    await old.next()
    new = await setting.dial()
    assert new.heard[-1]["open"] == ["m.1"]
    await broken(call)
    await old.until_closed()
    assert setting.tabs.find("t1") is not None


async def test_the_answer_to_a_command_that_was_given_up_is_told_over_the_link_that_stayed(setting: Setting) -> None:
    settled: list[str] = []
    setting.connections.settled.connect(lambda response: settled.append(response.id))
    extension, other = await setting.dial(), await setting.dial(tab_id="t2")
    call = setting.call(setting.tabs.get("t1"), frame_id="m.1")
    await extension.next()
    await tasks.end(call)
    assert await extension.next() == {"type": "cancel", "id": "m.1"}
    for said, title in ((other, "Other"), (extension, "Mine"), (extension, "Again")):
        await said.send({"type": "response", "id": "m.1", "success": True})
        await said.send({"type": "event", "events": [{"kind": "tab", "title": title}]})
        await setting.changes.until(lambda title=title: any(tab.title == title for tab in setting.tabs))
        assert settled == ([] if said is other else ["m.1"])


async def test_a_tab_whose_link_breaks_is_asked_for_what_was_given_up_before(setting: Setting) -> None:
    extension = await setting.dial()
    call = setting.call(setting.tabs.get("t1"), frame_id="m.1")
    await extension.next()
    await tasks.end(call)
    extension.socket.transport.abort()
    await setting.changes.until(lambda: setting.tabs.find("t1") is None)
    assert (await setting.dial()).heard[-1]["open"] == ["m.1"]


async def test_a_tab_that_said_that_it_goes_is_not_asked(setting: Setting) -> None:
    extension = await setting.dial()
    call = setting.call(setting.tabs.get("t1"), frame_id="m.1")
    await extension.next()
    await extension.send({"type": "event", "events": [{"kind": "closed"}]})
    await extension.close()
    with pytest.raises(KaptureError, match="the tab was closed"):
        await call
    assert "open" not in (await setting.dial()).heard[-1]


async def test_a_tab_is_known_by_what_it_remembers(setting: Setting) -> None:
    extension = FakeExtension(setting.connections.listener.port, PAIRING)
    extension.register["memory"] = "0badcafe"
    await extension.connect()
    assert setting.tabs.get("t1").memory == "0badcafe"
    await extension.close()


async def test_who_is_shown_out_in_the_middle_of_a_burst_is_gone_at_once(setting: Setting) -> None:
    extension, gone = await setting.dial(), asyncio.Event()
    setting.tabs.removed.connect(lambda _tab: gone.set())
    # Else the library would give up waiting for an answer that nobody reads.
    setting.connections.of_tabs["t1"]._connection.close_timeout = 10 * PATIENCE_S
    with suppress(ConnectionClosed):
        for frame in ["no frame", *100 * ['{"type":"ping"}']]:
            await extension.send(frame)
    async with asyncio.timeout(PATIENCE_S):
        assert (await extension.until_closed())[0] == 1002
        await gone.wait()
