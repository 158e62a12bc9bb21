"""A panel that refuses a paired browser, in a real one: its person is told what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.hub import Hub
from tests.support.e2e.own_browser import OwnBrowser, paired

pytestmark = pytest.mark.asyncio(loop_scope="session")

_PAIR_PAGE = f"chrome-extension://{EXTENSION_ID}/pair/pair.html"
#: What the popup says, and what is over the tab it was opened for.
_SAID = """(async () => {
  const tabId = Number(new URLSearchParams(location.search).get('tab'));
  const text = (id) => document.querySelector(id).textContent;
  const icon = [await chrome.action.getBadgeText({ tabId }), await chrome.action.getTitle({ tabId })];
  return [text('#panel'), text('#hint'), text('#toggle'), document.querySelector('#toggle').disabled, ...icon];
})()"""


class Person:
    """Somebody with the popup open over a tab, and the pair page in another tab."""

    def __init__(self, hub: Hub, browser: OwnBrowser, popup: str, pair: str) -> None:
        self.hub, self.browser, self.popup, self.pair = hub, browser, popup, pair

    async def said(self, panel: str) -> list[Any]:
        """What popup and icon say once the panel's state is this."""
        await self.browser.until(self.popup, f"document.querySelector('#panel').dataset.state === '{panel}'")
        found: list[Any] = await self.browser.see(self.popup, _SAID)
        return found

    async def pair_page(self, state: str) -> str:
        """What the pair page says once it is in this state."""
        await self.browser.until(self.pair, f"document.body?.dataset.state === '{state}'")
        return str(await self.browser.see(self.pair, "document.querySelector('#words').textContent"))

    async def ask(self, what: str) -> str:
        """Ask the worker for what a button asks; what was in the way. To connect, the panel is dialled at once."""
        tab = "Number(new URLSearchParams(location.search).get('tab'))"
        asked = f"chrome.runtime.sendMessage({{ ask: '{what}', tabId: {tab} }})"
        return str(await self.browser.see(self.popup, f"{asked}.then(({{ error }}) => error ?? '')"))

    async def panel_restarts(self) -> None:
        port = self.hub.port
        await self.hub.connections.listener.close()
        await self.hub.connections.listener.open(port)


@pytest_asyncio.fixture(loop_scope="session")
async def person(pages: str, tmp_path: Path) -> AsyncIterator[Person]:
    async with paired(tmp_path, f"{pages}/keys.html?refused") as (hub, browser):
        popup = await browser.popup("?refused")
        await browser.until(popup, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
        made = Person(hub, browser, popup, await browser.open(_PAIR_PAGE))
        assert (await made.pair_page("paired")).startswith("This browser is paired")
        yield made


async def test_popup_icon_and_pair_page_say_which_of_two_versions_is_to_be_updated(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = protocol.VERSION
    # The tab has had a look of its own, which is not that of all others.
    assert await person.ask("connect") == ""
    monkeypatch.setattr(protocol, "VERSION", ours + 1)
    await person.panel_restarts()
    words, hint, *_ = await person.said("outdated")
    assert words == "newer than this extension"
    assert hint.startswith("Reload Kapture Panel on the extensions page")
    assert await person.pair_page("outdated") == hint
    assert await person.ask("disconnect") == ""
    await person.browser.until(person.popup, "document.querySelector('#tab').dataset.state === 'idle'")
    assert (await person.said("outdated"))[2:] == [
        "Connect this tab", True, "!", "Kapture Panel: reload it on the extensions page",
    ]  # fmt: skip
    monkeypatch.setattr(protocol, "VERSION", ours - 1)
    assert "Update Kapture Panel" in await person.ask("connect")
    words, hint, _, is_disabled, badge, title = await person.said("ahead")
    assert (words, is_disabled, badge) == ("older than this extension", True, "!")
    assert hint.startswith("Update Kapture Panel")
    assert await person.pair_page("ahead") == hint
    assert "the panel is older" in title
    monkeypatch.setattr(protocol, "VERSION", ours)
    assert await person.ask("connect") == ""
    assert (await person.said("connected"))[-2] == "on"
    await person.pair_page("paired")
    assert len(list(person.hub.state.paired)) == 1


async def test_a_pair_page_that_stayed_open_leads_to_pairing_again(person: Person) -> None:
    # The panel has lost it, and could not say so.
    await person.hub.connections.listener.close()
    person.hub.state.paired.remove("a-browser")
    await person.hub.connections.listener.open(person.hub.port)
    words, hint, button, *_ = await person.said("refused")
    assert (words, button) == ("does not know this browser", "Pair with Kapture Panel")
    assert "Pair it again" in hint
    assert "does not know this browser any more" in await person.pair_page("forgotten")
    assert await person.browser.see(person.pair, "document.querySelector('#again').checkVisibility()")
