"""The executor: tabs and browsers come and go, the managed browser is started once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.requests import Requests
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.browsers.managed import Launch
from kapture_panel.hub.extension_door import links as links_module
from kapture_panel.hub.extension_door.links import Links
from kapture_panel.hub.extension_door.pairing import Pairer
from tests.support.hub.fakes import Changes, FakeExtension
from tests.support.patience import PATIENCE_S

PAIRING = Pairing(install="browser-1", key="the shared key")
OTHER = Pairing(install="browser-2", key="another key")


class FakeBrowser:
    """Stands for the browser process; the links of its extension are dialled by the test."""

    started: asyncio.Queue[FakeBrowser]
    may_start: asyncio.Event
    error: KaptureError | None

    def __init__(self, launch: Launch, pairing: Pairing, on_ended: Callable[[], None]) -> None:
        self.launch, self.pairing, self.on_ended = launch, pairing, on_ended
        self.ended, self.died, self.gone = False, "", asyncio.Event()
        self.guard: FakeGuard | None = None

    async def start(self) -> None:
        self.started.put_nowait(self)
        await self.may_start.wait()
        if self.error is not None:
            raise self.error

    async def end(self) -> None:
        self.ended = True
        self.gone.set()
        self.on_ended()

    def die(self) -> None:
        self.died = "ended by itself (code -5)"
        self.gone.set()
        self.on_ended()


class FakeGuard:
    """Keeps what happens between it and the commands."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @asynccontextmanager
    async def during(self, *, acts: bool) -> AsyncIterator[None]:
        self.seen.append("an act begins" if acts else "a look begins")
        yield
        self.seen.append("it ends")


class Setting:
    """Links on a free port, two paired browsers, and whatever dials."""

    def __init__(self, ending: AsyncExitStack, folder: Path) -> None:
        self.tabs, self.console, self.requests = Tabs(), Console(), Requests()
        self.paired, desk = PairedBrowsers(folder / "paired.json"), PairingDesk()
        for pairing in (PAIRING, OTHER):
            self.paired.add(pairing.install, pairing.key, "Fake")
        pairer = Pairer(desk, self.paired)
        self.links = Links(
            self.tabs, self.console, self.requests, self._launch, self.paired, pairer,
            reads=frozenset(["kapturemcp_snapshot"]),
        )  # fmt: skip
        self.changes = Changes(self.tabs.added, self.tabs.changed, self.tabs.removed)
        self._ending = ending

    @staticmethod
    def _launch(port: int, _session: str) -> Launch:
        return Launch(Path("profile"), Path("extension"), port, True, Path("downloads"))

    async def dial(self, pairing: Pairing = PAIRING, **options: Any) -> FakeExtension:
        extension = FakeExtension(self.links.listener.port, pairing, **options)
        assert (await extension.connect())["type"] == "registered"
        self._ending.push_async_callback(extension.close)
        return extension

    def call(self, tab: Tab, command: str = "kapturemcp_click") -> asyncio.Task[Any]:
        return tasks.spawn(self.links.run_in_tab(tab, command, {}, 1000), command)


@pytest.fixture
async def setting(ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Setting]:
    FakeBrowser.started, FakeBrowser.may_start, FakeBrowser.error = asyncio.Queue(), asyncio.Event(), None
    FakeBrowser.may_start.set()
    monkeypatch.setattr(links_module, "ManagedBrowser", FakeBrowser)
    made = Setting(ending, tmp_path)
    await made.links.listener.open(0)
    yield made
    await made.links.close()


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
    thief = FakeExtension(setting.links.listener.port, OTHER)
    refused = await thief.connect()
    assert (refused["type"], refused["message"]) == ("refused", "the tabId t1 is taken by another browser")
    assert setting.tabs.get("t1").install == "browser-1"
    await thief.close()


async def test_a_tab_without_an_id_is_refused(setting: Setting) -> None:
    nameless = FakeExtension(setting.links.listener.port, PAIRING, tab_id="")
    assert (await nameless.connect())["message"] == "a tab needs a tabId"
    await nameless.close()


async def test_a_browser_link_takes_browser_commands_and_is_no_tab(setting: Setting) -> None:
    with pytest.raises(KaptureError, match="no browser is connected") as raised:
        await setting.links.run_in_browser("", "kapturemcp_new_tab", {}, 1000)
    assert raised.value.code == "TAB_NOT_FOUND"
    first, second = await setting.dial(role="browser"), await setting.dial(OTHER, role="browser")
    assert len(setting.tabs) == 0
    call = tasks.spawn(setting.links.run_in_browser("", "kapturemcp_new_tab", {}, 1000), "new tab")
    await second.answer({"tabId": "t7"})
    assert (await call).result == {"tabId": "t7"}
    assert first.heard[-1]["type"] == "registered"


async def test_a_new_tab_goes_to_the_managed_browser_though_a_persons_own_came_later(setting: Setting) -> None:
    setting.links._pairings["managed"] = Pairing("managed", "key", managed=True)
    managed = await setting.dial(setting.links._pairings["managed"], role="browser")
    own = await setting.dial(role="browser")
    for command, asked in (("kapturemcp_new_tab", managed), ("kapturemcp_connect_tab", own)):
        call = tasks.spawn(setting.links.run_in_browser("", command, {}, 1000), command)
        await asked.answer({"from": asked is managed})
        assert (await call).result == {"from": asked is managed}


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


async def test_a_cut_tab_leaves_its_command_unknown(setting: Setting) -> None:
    extension = await setting.dial()
    call = setting.call(setting.tabs.get("t1"))
    await extension.next()
    extension.socket.transport.abort()
    with pytest.raises(KaptureError) as raised:
        await call
    assert raised.value.code == "OUTCOME_UNKNOWN"


async def test_many_callers_start_one_browser_and_all_get_its_tab(setting: Setting) -> None:
    FakeBrowser.may_start.clear()
    callers = [tasks.spawn(setting.links.open_browser(), "open") for _ in range(10)]
    browser = await FakeBrowser.started.get()
    await tasks.end(callers.pop())
    FakeBrowser.may_start.set()
    assert browser.launch.port == setting.links.listener.port
    await setting.dial(browser.pairing, tab_id="m1")
    found = [await caller for caller in callers]
    assert {tab.tab_id for tab in found} == {"m1"}
    assert found[0].managed
    assert (await setting.links.open_browser()).tab_id == "m1"
    assert FakeBrowser.started.empty()


async def test_the_keyboard_is_guarded_from_what_is_done_in_the_panels_browser(setting: Setting) -> None:
    opening = tasks.spawn(setting.links.open_browser(), "open")
    browser = await FakeBrowser.started.get()
    browser.guard = guard = FakeGuard()
    worker = await setting.dial(browser.pairing, role="browser")
    page = await setting.dial(browser.pairing, tab_id="m1")
    tab = await opening
    for extension, run in (
        (page, partial(setting.links.run_in_tab, tab, "kapturemcp_click", {}, 1000)),
        (page, partial(setting.links.run_in_tab, tab, "kapturemcp_snapshot", {}, 1000)),
        (worker, partial(setting.links.run_in_browser, "", "kapturemcp_new_tab", {}, 1000)),
    ):
        call = tasks.spawn(run(), "a command")
        guard.seen.append(str((await extension.answer("done"))["command"]))
        await call
    first, second, third = guard.seen[:3], guard.seen[3:6], guard.seen[6:]
    assert first == ["an act begins", "kapturemcp_click", "it ends"]
    assert second == ["a look begins", "kapturemcp_snapshot", "it ends"]
    assert third == ["an act begins", "kapturemcp_new_tab", "it ends"]


async def test_a_running_browser_without_tabs_gets_a_new_one(setting: Setting) -> None:
    opening = tasks.spawn(setting.links.open_browser(), "open")
    pairing = (await FakeBrowser.started.get()).pairing
    worker = await setting.dial(pairing, role="browser")
    tab = await setting.dial(pairing, tab_id="m1")
    await opening
    await tab.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    again = tasks.spawn(setting.links.open_browser(), "open again")
    command = await worker.next()
    assert command["command"] == "kapturemcp_new_tab"
    await setting.dial(pairing, tab_id="m2")
    await worker.send({"type": "response", "id": command["id"], "success": True, "result": {"tabId": "m2"}})
    assert (await again).tab_id == "m2"
    assert FakeBrowser.started.empty()


async def test_a_tab_that_does_not_open_is_asked_for_once_and_told(setting: Setting) -> None:
    opening = tasks.spawn(setting.links.open_browser(), "open")
    pairing = (await FakeBrowser.started.get()).pairing
    worker = await setting.dial(pairing, role="browser")
    tab = await setting.dial(pairing, tab_id="m1")
    await opening
    await tab.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    again = tasks.spawn(setting.links.open_browser(), "open again")
    refusal = {"code": "TAB_DISCONNECTED", "message": "the tab does not answer"}
    await worker.answer(success=False, error=refusal)
    with pytest.raises(KaptureError, match="the tab does not answer") as raised:
        await asyncio.wait_for(again, PATIENCE_S)
    assert raised.value.code == "TAB_DISCONNECTED"
    assert [frame["type"] for frame in worker.heard].count("command") == 1
    # One that opened and is slow to dial is waited for, not opened again.
    third = tasks.spawn(setting.links.open_browser(), "open once more")
    await worker.answer({"tabId": "m3"})
    await setting.dial(pairing, tab_id="m3")
    assert (await asyncio.wait_for(third, PATIENCE_S)).tab_id == "m3"
    assert [frame["type"] for frame in worker.heard].count("command") == 2


async def test_a_browser_that_dies_under_a_command_is_told_and_started_again(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links_module, "DEATH_S", PATIENCE_S)
    opening = tasks.spawn(setting.links.open_browser(), "open")
    browser = await FakeBrowser.started.get()
    worker = await setting.dial(browser.pairing, role="browser")
    extension = await setting.dial(browser.pairing, tab_id="m1")
    calls = [
        setting.call(await opening, "kapturemcp_navigate"),
        tasks.spawn(setting.links.run_in_browser("", "kapturemcp_new_tab", {}, 1000), "new tab"),
    ]
    await extension.next()
    await worker.next()
    await extension.close()
    await worker.close()
    again = tasks.spawn(setting.links.open_browser(), "open again")
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
    listing = tasks.spawn(setting.links.run_in_browser("", "kapturemcp_list_browser_tabs", {}, 1000), "list")
    await first.answer({"tabs": [{"browserTabId": 1}]})
    await second.answer({"tabs": [{"browserTabId": 2}]})
    assert (await listing).result == {"tabs": [{"browserTabId": 1}, {"browserTabId": 2}]}
    asked = {"browserTabId": 1}
    connecting = tasks.spawn(setting.links.run_in_browser("", "kapturemcp_connect_tab", asked, 1000), "connect")
    await second.answer(success=False, error={"code": "TAB_NOT_FOUND", "message": "no tab 1"})
    assert (await first.answer({"tabId": "t1"}))["params"] == asked
    assert (await connecting).result == {"tabId": "t1"}


async def test_a_browser_that_does_not_start_leaves_no_key_behind(setting: Setting) -> None:
    FakeBrowser.error = KaptureError("INTERNAL", "it did not come up")
    before = dict(setting.links._pairings)
    for _ in range(2):
        with pytest.raises(KaptureError, match="it did not come up"):
            await setting.links.open_browser()
    assert setting.links._pairings == before
    assert FakeBrowser.started.qsize() == 2


async def test_a_browser_that_ended_is_started_anew_with_another_key(setting: Setting) -> None:
    opening = tasks.spawn(setting.links.open_browser(), "open")
    first = await FakeBrowser.started.get()
    tab = await setting.dial(first.pairing, tab_id="m1")
    await opening
    ended: list[str] = []
    setting.tabs.browser_ended.connect(ended.append)
    first.on_ended()
    assert ended == [""]
    await tab.close()
    await setting.changes.until(lambda: len(setting.tabs) == 0)
    stranger = FakeExtension(setting.links.listener.port, first.pairing)
    assert (await stranger.connect())["type"] == "refused"
    await stranger.close()
    again = tasks.spawn(setting.links.open_browser(), "open again")
    second = await FakeBrowser.started.get()
    assert second.pairing.key != first.pairing.key
    await setting.dial(second.pairing, tab_id="m2")
    assert (await again).tab_id == "m2"


async def test_a_browser_whose_tab_does_not_come_is_an_error(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_module, "FIRST_TAB_S", 0.0)
    with pytest.raises(KaptureError, match="the browser runs, but no tab connected within 0 s"):
        await setting.links.open_browser()


async def test_closing_ends_the_browser_even_while_it_starts(setting: Setting) -> None:
    opening = tasks.spawn(setting.links.open_browser(), "open")
    browser = await FakeBrowser.started.get()
    await setting.dial(browser.pairing)
    await opening
    await setting.links.close()
    assert browser.ended
    FakeBrowser.may_start.clear()
    starting = tasks.spawn(setting.links.open_browser(), "open again")
    await FakeBrowser.started.get()
    await setting.links.close()
    await asyncio.wait([starting])
    assert starting.cancelled()


async def test_tabs_are_told_what_the_person_chose_for_the_mouse_now_and_when_they_connect(setting: Setting) -> None:
    extension = await setting.dial()
    setting.links.apply(protocol.Settings(naturalMouse="on"))
    assert await extension.next() == {"type": "settings", "naturalMouse": "on"}
    late = FakeExtension(setting.links.listener.port, PAIRING, tab_id="t2")
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
    again = FakeExtension(setting.links.listener.port, PAIRING)
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
    old = FakeExtension(setting.links.listener.port, PAIRING)
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
    setting.links.apply(protocol.Settings(showCursor="on"))
    assert await extension.next() == {"type": "settings", "showCursor": "on", "driver": "codex"}
    again = FakeExtension(setting.links.listener.port, PAIRING)
    registered = await again.connect()
    assert registered == {"type": "registered", "tabId": "t1", "showCursor": "on", "driver": "codex"}
    await again.close()


async def test_what_the_person_asks_in_a_browsers_own_pages_is_told_with_that_browser(setting: Setting) -> None:
    asked: asyncio.Queue[tuple[Any, str, Any]] = asyncio.Queue()
    left: asyncio.Queue[Any] = asyncio.Queue()
    setting.links.asked.connect(lambda *what: asked.put_nowait(what))
    setting.links.left.connect(left.put_nowait)
    browser = await setting.dial(role="browser")
    run = {"type": "run", "id": "p1", "tabId": "t1", "command": "kapturemcp_click", "params": {"ref": "e1"}}
    await browser.send(run)
    link, install, message = await asked.get()
    wanted = protocol.Run(id="p1", tabId="t1", command="kapturemcp_click", params={"ref": "e1"})
    assert (install, message) == ("browser-1", wanted)
    await browser.send({"type": "cancel", "id": "p1"})
    assert (await asked.get())[2] == protocol.Cancel(id="p1")
    await browser.close()
    assert await left.get() is link


async def test_a_tabs_link_cannot_ask_for_runs(setting: Setting) -> None:
    tab = await setting.dial()
    await tab.send({"type": "run", "id": "p1", "tabId": "t1", "command": "kapturemcp_click", "params": {}})
    code, reason = await tab.until_closed()
    assert (code, "Run" in reason) == (1002, True)
