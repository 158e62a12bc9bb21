"""The extension's panel in DevTools, in a real browser: what the person runs there goes the way of all commands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.hub import Hub
from tests.support.e2e import dev_tools
from tests.support.e2e.dev_tools import DevTools
from tests.support.e2e.own_browser import OwnBrowser, paired
from tests.support.hub.fakes import Changes
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

_DONE = (
    "document.querySelector('#run').ariaDisabled !== 'true' && document.querySelector('.result .pill:not([hidden])')"
)


class Person:
    """Somebody in front of DevTools of one page. `page` and `panel` are CDP sessions."""

    def __init__(self, hub: Hub, browser: OwnBrowser, page: str, front: DevTools) -> None:
        self.hub, self.browser, self.page, self.front = hub, browser, page, front
        self.panel = front.panel
        self._since = hub.state.history.span[1]

    async def ready(self, url: str) -> None:
        """Wait until our panel is there for the page at `url`."""
        await self.until(f"document.querySelector('#run') && document.querySelector('#url')?.textContent === {url!r}")
        await self.until("document.querySelector('#title').textContent")
        await self.front.in_sight()

    async def see(self, expression: str) -> Any:
        """The value of an expression in our panel."""
        return await self.browser.see(self.panel, expression)

    async def until(self, expression: str) -> Any:
        """The same, once it holds."""
        return await self.browser.until(self.panel, expression)

    async def text(self, selector: str) -> str:
        return str(await self.see(f"document.querySelector({json.dumps(selector)}).textContent"))

    async def press(self, selector: str) -> None:
        """Press what can be pressed."""
        found = f"document.querySelector({json.dumps(selector)})"
        await self.until(f"{found} && !{found}.matches(':disabled, [aria-disabled=true]')")
        await self.see(f"{found}.click()")

    async def connect(self) -> Tab:
        await self.press("#toggle")
        await self.until("document.querySelector('.place:not([disabled], [aria-disabled=true])')")
        return self.tab

    @property
    def tab(self) -> Tab:
        (tab,) = self.hub.state.tabs
        return tab

    async def choose(self, command: str) -> None:
        await self.press(f"[data-name=kapturemcp_{command}]")

    async def enter(self, param: str, text: str) -> None:
        """Type into the field of a parameter with the keyboard."""
        field = f"document.querySelector('.form [data-names~={param}] :is(input, textarea):not([type=radio])')"
        await self.see(f"{field}.closest('details')?.setAttribute('open', '')")
        await self.see(f"({field}.focus(), {field}.select())")
        await self.browser.pipe.call("Input.insertText", {"text": text}, session=self.panel)

    async def run(self) -> str:
        """Press Run and wait; what is said of the outcome."""
        await self.press("#run")
        await self.until(_DONE)
        return await self.text(".result .pill")

    async def key(self, key: str, code: int, text: str = "", *, ctrl: bool = False) -> None:
        """Press a key where the focus is."""
        given = {"key": key, "code": key, "windowsVirtualKeyCode": code, "text": text, "modifiers": 2 * ctrl}
        for kind in ("keyDown", "keyUp"):
            await self.browser.pipe.call("Input.dispatchKeyEvent", {"type": kind, **given}, session=self.panel)

    def rows(self) -> list[Row]:
        """What history has of this test and this tab, newest first."""
        rows = self.hub.state.history.rows(limit=50)
        return [row for row in rows if row.id >= self._since and row.tab_id == self.tab.tab_id]


World = tuple[Hub, OwnBrowser]
#: Comes to the page at an address with our panel again.
Front = Callable[[str], AbstractAsyncContextManager[Person]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """One panel and one browser of a person for all tests."""
    async with paired(tmp_path_factory.mktemp("person"), "about:blank") as (hub, browser):
        yield hub, browser


@asynccontextmanager
async def opened(world: World, url: str) -> AsyncIterator[Person]:
    """DevTools of a new tab with `url`; the tab is closed at the end."""
    hub, browser = world
    page = await browser.open(url)
    await browser.until(page, "location.href !== 'about:blank' && document.body")
    target = (await browser.pipe.call("Target.getTargetInfo", session=page))["targetInfo"]["targetId"]
    front = await dev_tools.opened(browser.pipe, target)
    person = Person(hub, browser, page, front)
    try:
        await person.ready(url)
        yield person
    finally:
        await browser.pipe.call("Target.closeTarget", {"targetId": target})
        await without_tabs(hub)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def front(world: World, pages: str) -> AsyncIterator[Front]:
    """One DevTools for all tests that leave it open: each opens its page there, and our panel again."""
    hub, browser = world
    async with opened(world, f"{pages}/keys.html") as first:

        @asynccontextmanager
        async def come_to(url: str) -> AsyncIterator[Person]:
            await browser.pipe.call("Page.navigate", {"url": url}, session=first.page)
            # The document that is here yet has a mark.
            await first.see("document.before = setTimeout(() => location.reload())")
            await first.until("document.before === undefined && document.body")
            person = Person(hub, browser, first.page, first.front)
            await person.ready(url)
            try:
                yield person
            finally:
                if len(hub.state.tabs):
                    await person.press("#toggle")
                    await without_tabs(hub)

        yield come_to


async def without_tabs(hub: Hub) -> None:
    """Wait until the panel has no tab."""
    async with asyncio.timeout(PATIENCE_S):
        await Changes(hub.state.tabs.removed).until(lambda: not len(hub.state.tabs))


async def test_a_command_is_run_in_the_inspected_tab_and_written_down(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?run") as person:
        assert await person.text("#state") == "not connected"
        assert await person.see("document.querySelector('.place').disabled")
        assert await person.text("#url") == f"{pages}/keys.html?run"
        tab = await person.connect()
        assert await person.text("#state") == "connected"
        await person.choose("evaluate")
        await person.enter("code", "document.title = 'from DevTools'")
        assert await person.run() == "✓ done"
        assert "from DevTools" in await person.text(".result-body")
        assert await person.browser.see(person.page, "document.title") == "from DevTools"
        (row,) = person.rows()
        assert (row.client, row.kind, row.command, row.state) == ("DevTools", "person", "evaluate", "ok")
        assert tab.driver == "DevTools"
        await person.until("document.querySelector('#title').textContent === 'from DevTools'")
        await person.until("document.querySelector('#driver').textContent === 'last by DevTools'")


async def test_mouse_and_keys_do_as_well(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?keys") as person:
        browser, panel = person.browser, person.panel
        await browser.click(panel, "#toggle")
        await person.until("document.querySelector('.place:not([disabled], [aria-disabled=true])')")
        await browser.click(panel, "#search")
        await browser.pipe.call("Input.insertText", {"text": "evaluate"}, session=panel)
        await person.key("Enter", 13, "\r")
        await person.until("document.querySelector('h2').textContent === 'Run code'")
        await browser.click(panel, "[data-names=code] textarea")
        await browser.pipe.call("Input.insertText", {"text": "1 + 41"}, session=panel)
        await person.key("Enter", 13, "\r", ctrl=True)
        await person.until(_DONE)
        assert "42" in await person.text(".result-body")


async def test_a_screenshot_is_a_thumbnail_that_opens_in_a_tab_nobody_can_connect(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?shot") as person:
        await person.connect()
        await person.choose("screenshot")
        for title in ("One page", "Another page"):
            await person.browser.see(person.page, f"document.title = '{title}'")
            await person.until("document.querySelector('#title').textContent === '" + title + "'")
            assert await person.see("document.querySelector('[data-names=name] input').value") == title
        await person.enter("name", "the keys")
        assert await person.run() == "✓ done"
        await person.until("document.querySelector('.result img')?.naturalWidth > 100")
        await person.press("#tab-shots")
        assert await person.see("document.querySelectorAll('.shots li').length") == 1
        await person.press(".shot")
        page = await person.browser.page("devtools/shot.html")
        assert await person.browser.until(page, "document.querySelector('img')?.naturalWidth") > 100
        assert await person.browser.see(page, "document.title") == "the keys"
        number = await person.browser.see(page, "chrome.tabs.getCurrent().then(({ id }) => id)")
        ask = f"chrome.runtime.sendMessage({{ ask: 'connect', tabId: {number} }})"
        assert "own pages" in (await person.browser.see(page, ask))["error"]
        # The picture alone is of our origin, too: not even the panel's "Open image in new tab" lets anybody in.
        blob = await person.browser.see(page, "document.querySelector('img').src")
        made = await person.browser.see(page, f"chrome.tabs.create({{ url: '{blob}' }}).then(({{ id }}) => id)")
        ask = f"chrome.runtime.sendMessage({{ ask: 'connect', tabId: {made} }})"
        assert "own pages" in (await person.browser.see(page, ask))["error"]
        await person.browser.see(page, f"chrome.tabs.remove({made})")
        await person.browser.close("devtools/shot.html")


async def test_the_console_keeps_as_many_lines_as_the_person_wants(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?console") as person:
        await person.browser.see(person.page, "console.log('before <b>it</b>')")
        await person.connect()
        await person.until("document.querySelector('.lines .words')?.textContent === 'before <b>it</b>'")
        await person.see("document.querySelector('#console-max').value = '3'")
        await person.see("void document.querySelector('#console-max').dispatchEvent(new Event('change'))")
        await person.browser.see(person.page, "for (let n = 0; n < 50; n += 1) console.warn(`line ${n}`)")
        lines = "[...document.querySelectorAll('.lines .words')].map((one) => one.textContent).join()"
        await person.until(f"{lines} === 'line 47,line 48,line 49'")
        await person.press(".console button")
        assert await person.see("document.querySelectorAll('.lines li').length") == 0
        await person.browser.see(person.page, "console.error('after')")
        await person.until("document.querySelector('.lines [data-level=error] .words')?.textContent === 'after'")
        # The panel's own Clear logs empties this list, too.
        await person.hub.core.router.run(person.hub.state.person, "clear_logs", {"tabId": person.tab.tab_id})
        await person.until("document.querySelectorAll('.lines li').length === 0")
    async with front(f"{pages}/keys.html?again") as person:
        assert await person.see("document.querySelector('#console-max').value") == "3"
        await person.see("chrome.storage.local.remove('consoleMax')")


async def test_errors_are_said_where_they_belong(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?errors") as person:
        await person.connect()
        await person.choose("click")
        await person.press("#run")
        assert await person.text("[data-names~=selector] .problem") == "Needed: fill it in"
        assert person.rows() == []
        await person.enter("selector", "#nothing-like-it")
        assert await person.run() == "✗ ELEMENT_NOT_FOUND"
        assert "#nothing-like-it" in await person.text(".result .error")
        await person.enter("timeout", "0")
        assert await person.text("[data-names=timeout] .problem") == "Must be at least 1"
        # What only the panel knows is said below the field, too.
        await person.choose("select")
        await person.press("input[value=JSON]")
        await person.see('document.querySelector(\'.json textarea\').value = \'{"selector": "#x", "clickCount": 2}\'')
        assert await person.run() == "✗ INVALID_PARAMS"
        assert "clickCount" in await person.text("#json-problem")
        states = [(row.command, row.state) for row in person.rows()]
        assert states == [("click", "error")], "what cannot be meant is refused before it is a row"


async def test_a_command_can_be_cancelled(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?cancel") as person:
        await person.connect()
        await person.choose("wait")
        await person.enter("time", "60000")
        await person.press("#run")
        await person.press("#cancel:not([hidden])")
        await person.until(_DONE)
        assert await person.text(".result .pill") == "✗ OUTCOME_UNKNOWN"
        (row,) = person.rows()
        assert (row.command, row.state) == ("wait", "cancelled")


async def test_the_keys_still_do_after_run_was_pressed_with_the_mouse(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?focus") as person:
        await person.connect()
        await person.choose("wait")
        await person.enter("time", "60000")
        await person.browser.click(person.panel, "#run")
        await person.until("document.querySelector('#run').ariaDisabled === 'true'")
        assert await person.see("document.activeElement.id") == "run"
        await person.key("Escape", 27)
        await person.until(_DONE)
        assert [row.state for row in person.rows()] == ["cancelled"]
        await person.enter("time", "1")
        # Where nothing has the focus, the keys go to the body.
        await person.see("document.activeElement.blur()")
        await person.key("Enter", 13, "\r", ctrl=True)
        await person.until("document.querySelector('.result .pill')?.textContent === '✓ done'")
        assert [row.state for row in person.rows()] == ["ok", "cancelled"]


async def test_a_command_ends_with_the_devtools_it_was_given_in(world: World, pages: str) -> None:
    async with opened(world, f"{pages}/keys.html?closed") as person:
        await person.connect()
        await person.choose("wait")
        await person.enter("time", "60000")
        history = person.hub.state.history
        begun = {row.id for row in person.rows()}
        changes = Changes(history.began, history.settled)
        await person.press("#run")
        async with asyncio.timeout(PATIENCE_S):
            await changes.until(lambda: {row.id for row in person.rows()} > begun)
            await person.see("setTimeout(() => location.replace('about:blank'), 0)")
            await changes.until(lambda: person.rows()[0].state == "cancelled")


async def test_what_was_run_can_be_run_again(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?again") as person:
        await person.connect()
        await person.choose("evaluate")
        await person.enter("code", "window.times = (window.times ?? 0) + 1")
        await person.run()
        await person.choose("reload")
        await person.press("#tab-recent")
        await person.press(".again")
        await person.until("document.querySelectorAll('.recent li').length === 2")
        assert await person.browser.see(person.page, "window.times") == 2
        await person.press(".entry")
        assert await person.text("h2") == "Run code"
        assert "window.times" in await person.see("document.querySelector('[data-names=code] textarea').value")


async def test_without_a_panel_nothing_runs_and_one_button_leads_back(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?panel") as person:
        await person.connect()
        port = person.hub.port
        await person.hub.connections.listener.close()
        await person.until("document.querySelector('.place').disabled")
        await person.until("document.querySelector('#hint').textContent.startsWith('Start Kapture Panel')")
        await person.press("#toggle")
        await person.until("document.querySelector('#toggle').textContent === 'Connect this tab'")
        await person.press("#toggle")
        await person.until(
            "document.querySelector('#hint.error')?.textContent.includes('Start it, then connect again')"
        )
        await person.hub.connections.listener.open(port)
        await person.connect()
        await person.choose("evaluate")
        await person.enter("code", "6 * 7")
        assert await person.run() == "✓ done"


async def test_a_page_reaches_nothing_of_it(front: Front, pages: str) -> None:
    async with front(f"{pages}/keys.html?page") as person:
        await person.connect()
        see, page = person.browser.see, person.page
        assert await see(page, "typeof globalThis.chrome?.runtime?.connect") == "undefined"
        for name in ("devtools/panel.html", "devtools/shot.html", "popup/popup.html", "commands.json"):
            address = f"chrome-extension://{EXTENSION_ID}/{name}"
            assert await see(page, f"fetch('{address}').then(() => 'read', () => 'refused')") == "refused"
            framed = f"""new Promise((resolve) => {{
              const frame = Object.assign(document.createElement('iframe'), {{ src: '{address}' }});
              frame.onload = () => resolve(frame.contentDocument === null);
              document.body.append(frame);
            }})"""
            await see(page, framed)
        targets = (await person.browser.pipe.call("Target.getTargets", {"filter": [{}]}))["targetInfos"]
        ours = [one["url"] for one in targets if one["type"] == "iframe" and EXTENSION_ID in one["url"]]
        assert {url.rpartition("/")[2] for url in ours} <= {"panel.html", "devtools.html"}
        assert len([url for url in ours if url.endswith("panel.html")]) == 1, "the frame of the page stayed empty"
