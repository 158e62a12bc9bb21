"""The popup and the toolbar's icon in a person's own browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.hub import Hub
from tests.support.e2e.own_browser import OwnBrowser, paired
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

_PDF = (
    b"%PDF-1.0\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]/Count 1>>endobj "
    b"3 0 obj<</MediaBox[0 0 300 300]>>endobj\ntrailer<</Root 1 0 R>>"
)
#: What sticks out of the popup, and what is cut within it without three dots.
_CLIPPED = """[...document.querySelectorAll('body *')].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 &&
    getComputedStyle(one).textOverflow !== 'ellipsis' && getComputedStyle(one).display !== 'inline';
  return width > 0 && (left < 0 || right > 320 || isCut);
}).map((one) => one.id || one.tagName)"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def person(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Hub, OwnBrowser]]:
    """One panel and one browser of a person for all tests."""
    async with paired(tmp_path_factory.mktemp("person"), "about:blank") as (hub, browser):
        yield hub, browser


@pytest_asyncio.fixture(loop_scope="session")
async def world(person: tuple[Hub, OwnBrowser]) -> AsyncIterator[tuple[Hub, OwnBrowser]]:
    """The same for one test: the pages it had connected are gone for the panel, too, before the next one begins."""
    hub, browser = person
    yield hub, browser
    async with asyncio.timeout(PATIENCE_S):
        while pages_of(hub):
            await browser.pages()


def pages_of(hub: Hub) -> list[Tab]:
    """The connected tabs but the browser's first, which is empty and stays."""
    return [tab for tab in hub.state.tabs if tab.url != "about:blank"]


async def popup_over(browser: OwnBrowser, url: str) -> str:
    """The session of the popup over the tab with this address, 320 pixels wide and ready."""
    popup = await browser.popup(url)
    size = {"width": 320, "height": 600, "deviceScaleFactor": 1, "mobile": False}
    await browser.pipe.call("Emulation.setDeviceMetricsOverride", size, session=popup)
    await browser.until(popup, "document.querySelector('#title')?.textContent")
    return popup


async def text(browser: OwnBrowser, popup: str, selector: str) -> str:
    return str(await browser.see(popup, f"document.querySelector('{selector}').textContent"))


async def icon(browser: OwnBrowser, popup: str, url: str) -> list[str]:
    """The badge and the title of the toolbar's icon over a tab."""
    found: list[str] = await browser.see(
        popup,
        f"""chrome.tabs.query({{}}).then(async (all) => {{
          const tabId = all.find((tab) => tab.url.includes('{url}')).id;
          return [await chrome.action.getBadgeText({{ tabId }}), await chrome.action.getTitle({{ tabId }})];
        }})""",
    )
    return found


async def icon_until(browser: OwnBrowser, popup: str, url: str, badge: str, words: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            shown, title = await icon(browser, popup, url)
            if shown == badge and words in title:
                return


async def test_popup_and_icon_tell_live_who_drives_the_tab(world: tuple[Hub, OwnBrowser], pages: str) -> None:
    hub, browser = world
    page = await browser.open(f"{pages}/keys.html?driven")
    await browser.until(page, "location.href !== 'about:blank' && document.body")
    popup = await popup_over(browser, "?driven")
    assert await text(browser, popup, "#server") == f"ws://127.0.0.1:{hub.port}"
    assert await text(browser, popup, "#debugger") == "not attached to this tab"
    assert await icon(browser, popup, "?driven") == ["", "Kapture Panel"]
    await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
    await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
    await browser.until(popup, "document.querySelector('#debugger').textContent === 'attached to this tab'")
    assert await icon(browser, popup, "?driven") == [
        "on",
        "Kapture Panel: this tab is connected, nobody has driven it yet",
    ]
    (tab,) = pages_of(hub)
    agent = Client("claude-code\u202e", "agent")
    late = {"tabId": tab.tab_id, "selector": "#late", "wait": 60_000}
    running = tasks.spawn(hub.core.router.run(agent, "click", late), "agent")
    await browser.until(popup, "document.querySelector('#driver').textContent === 'by claude-code'")
    assert await text(browser, popup, "#tab") == "being driven"
    await icon_until(browser, popup, "?driven", "▶", "claude-code is driving it")
    await browser.see(page, "document.body.insertAdjacentHTML('beforeend', '<button id=late>Go on</button>')")
    await running
    await browser.until(popup, "document.querySelector('#driver').textContent === 'last by claude-code'")
    await icon_until(browser, popup, "?driven", "on", "claude-code drove it last")
    # A page that loads takes the tab's own badge away; it is put back.
    await hub.core.router.run(agent, "reload", {"tabId": tab.tab_id})
    await icon_until(browser, popup, "?driven", "on", "claude-code drove it last")
    await browser.click(popup, "#toggle")
    await browser.until(popup, "document.querySelector('#tab').textContent === 'not connected'")
    assert await icon(browser, popup, "?driven") == ["", "Kapture Panel"]
    await browser.close("?driven")
    await browser.close("popup.html")


@pytest.mark.parametrize(
    ("url", "words"),
    [("chrome://version/", "page of the browser itself"), ("view-source:{pages}/keys.html", "source text of a page")],
)
async def test_a_protected_page_is_explained(world: tuple[Hub, OwnBrowser], pages: str, url: str, words: str) -> None:
    _hub, browser = world
    address = url.replace("{pages}", pages)
    await browser.open(address)
    popup = await popup_over(browser, address.partition(":")[0] + ":")
    assert words in await text(browser, popup, "#hint")
    assert await browser.see(popup, "document.querySelector('#toggle').disabled")
    await browser.close("popup.html")
    await browser.close(address)


async def test_every_tab_of_the_window_is_connected_and_the_others_are_named(
    world: tuple[Hub, OwnBrowser], pages: str, tmp_path: Path
) -> None:
    hub, browser = world
    local = tmp_path / "local.html"
    local.write_text("<title>A file of mine</title>")
    for url in (f"{pages}/keys.html?one", f"{pages}/keys.html?two", "chrome://version/", local.as_uri()):
        await browser.open(url)
    popup = await popup_over(browser, "?one")
    await browser.click(popup, "#all:not([disabled], [aria-disabled=true])")
    await browser.until(popup, "document.querySelector('#refused').children.length > 0")
    shared = {tab.url for tab in hub.state.tabs}
    assert {f"{pages}/keys.html?one", f"{pages}/keys.html?two"} <= shared
    refused = await browser.see(popup, "[...document.querySelectorAll('#refused li')].map((one) => one.textContent)")
    assert any("browser itself" in one for one in refused), refused
    assert any("Allow access to file URLs" in one for one in refused) or local.as_uri() in shared, refused
    said = await text(browser, popup, "#hint")
    assert said == f"{len(shared)} tabs are connected, {len(refused)} could not be:"
    assert await browser.see(popup, _CLIPPED) == []
    for url in ("?one", "?two", "chrome://version", "local.html", "popup.html"):
        await browser.close(url)


async def test_a_long_title_is_shown_and_nothing_is_clipped(world: tuple[Hub, OwnBrowser], pages: str) -> None:
    _hub, browser = world
    page = await browser.open(f"{pages}/keys.html?{'long' * 60}")
    await browser.until(page, "location.href !== 'about:blank' && document.body")
    await browser.see(page, f"document.title = {json.dumps('Unbreakable' * 30)}")
    popup = await popup_over(browser, "?longlong")
    await browser.until(popup, "document.querySelector('#title').textContent.startsWith('Unbreakable')")
    assert await browser.see(popup, _CLIPPED) == []
    assert await browser.see(popup, "document.documentElement.scrollWidth") == 320
    assert await browser.see(popup, "document.querySelector('#title').getBoundingClientRect().height") < 45
    await browser.close("?longlong")
    await browser.close("popup.html")


async def test_it_can_be_used_by_keys_alone_and_every_button_has_a_name(
    world: tuple[Hub, OwnBrowser], pages: str
) -> None:
    _hub, browser = world
    page = await browser.open(f"{pages}/keys.html?keyboard")
    await browser.until(page, "location.href !== 'about:blank' && document.body")
    popup = await popup_over(browser, "?keyboard")
    await browser.until(popup, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
    met: list[Any] = []
    for _ in range(4):
        await _press(browser, popup, "Tab", 9)
        met.append(await browser.see(popup, "document.activeElement.id"))
    assert met == ["toggle", "all", "brake", "unpair"]
    await browser.see(popup, "document.querySelector('#toggle').focus()")
    await _press(browser, popup, "Enter", 13)
    await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
    assert await browser.see(popup, "document.activeElement.id") == "toggle", "the next key does something, too"
    nodes = (await browser.pipe.call("Accessibility.getFullAXTree", session=popup))["nodes"]
    buttons = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "button"]
    assert buttons == ["Disconnect this tab", "Connect every tab of this window", "Pause agents", "Unpair"]
    await browser.close("?keyboard")
    await browser.close("popup.html")


async def test_a_pdf_is_explained_when_it_cannot_be_connected(world: tuple[Hub, OwnBrowser], tmp_path: Path) -> None:
    _hub, browser = world
    (tmp_path / "paper.pdf").write_bytes(_PDF)
    with DemoSite(tmp_path) as site:
        await browser.open(f"{site.url}/paper.pdf")
        popup = await popup_over(browser, "paper.pdf")
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await browser.until(popup, "document.querySelector('#hint.error, #tab[data-state=connected]')")
        hint = await text(browser, popup, "#hint")
        # Where the viewer is an extension Chrome refuses the debugger; where it is built in, the tab is like any other.
        assert "PDF viewer" in hint or await text(browser, popup, "#tab") == "connected"
        await browser.close("paper.pdf")
        await browser.close("popup.html")


async def test_unpairing_in_the_popup_ends_it_on_both_sides(pages: str, tmp_path: Path) -> None:
    async with paired(tmp_path, f"{pages}/keys.html?unpair") as (hub, browser):
        popup = await popup_over(browser, "?unpair")
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        await browser.click(popup, "#unpair")
        assert len(list(hub.state.paired)) == 1
        await browser.click(popup, "#unpair")
        await browser.until(popup, "document.querySelector('#pairing').textContent === 'Not paired'")
        assert await text(browser, popup, "#toggle") == "Pair with Kapture Panel"
        async with asyncio.timeout(PATIENCE_S):
            while list(hub.state.paired) or len(hub.state.tabs):
                await browser.pages()


async def _press(browser: OwnBrowser, page: str, key: str, code: int) -> None:
    given = {"key": key, "code": key, "windowsVirtualKeyCode": code, **({"text": "\r"} if key == "Enter" else {})}
    for kind in ("keyDown", "keyUp"):
        await browser.pipe.call("Input.dispatchKeyEvent", {"type": kind, **given}, session=page)
