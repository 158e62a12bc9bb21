"""A panel and an extension of two versions, in a real browser: which is to be updated, and that the pairing stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.wire import protocol
from tests.support.e2e.own_browser import paired

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What the popup says, and what is over the tab it was opened for.
_SAID = """(async () => {
  const tabId = Number(new URLSearchParams(location.search).get('tab'));
  const text = (id) => document.querySelector(id).textContent;
  const icon = [await chrome.action.getBadgeText({ tabId }), await chrome.action.getTitle({ tabId })];
  return [text('#panel'), text('#hint'), text('#toggle'), document.querySelector('#toggle').disabled, ...icon];
})()"""
#: Dials at once, and answers what was in the way.
_CONNECT = """chrome.runtime.sendMessage({
  ask: 'connect', tabId: Number(new URLSearchParams(location.search).get('tab')),
}).then(({ error }) => error ?? '')"""


async def test_the_popup_and_the_icon_say_which_of_the_two_is_to_be_updated(
    pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = protocol.VERSION
    async with paired(tmp_path, f"{pages}/keys.html?versions") as (hub, browser):
        popup = await browser.popup("?versions")
        await browser.until(popup, "document.querySelector('#toggle:not([disabled])')")

        async def said(panel: str) -> list[Any]:
            await browser.until(popup, f"document.querySelector('#panel').dataset.state === '{panel}'")
            found: list[Any] = await browser.see(popup, _SAID)
            return found

        # The tab has had a look of its own, which is not that of all others.
        assert await browser.see(popup, _CONNECT) == ""
        await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        port = hub.port
        monkeypatch.setattr(protocol, "VERSION", ours + 1)
        await hub.connections.listener.close()
        await hub.connections.listener.open(port)
        # Sharing can be ended, and is: what is left is the button to connect.
        words, hint, *_ = await said("outdated")
        assert (words, hint[:47]) == ("newer than this extension", "Reload Kapture Panel on the extensions page (ch")
        await browser.click(popup, "#toggle")
        await browser.until(popup, "document.querySelector('#toggle').textContent === 'Connect this tab'")
        assert (await said("outdated"))[2:] == [
            "Connect this tab", True, "!", "Kapture Panel: reload it on the extensions page",
        ]  # fmt: skip
        monkeypatch.setattr(protocol, "VERSION", ours - 1)
        assert "Update Kapture Panel" in await browser.see(popup, _CONNECT)
        words, hint, _, is_disabled, badge, title = await said("ahead")
        assert (words, is_disabled, badge) == ("older than this extension", True, "!")
        assert hint.startswith("Update Kapture Panel")
        assert "the panel is older" in title
        monkeypatch.setattr(protocol, "VERSION", ours)
        assert await browser.see(popup, _CONNECT) == ""
        assert (await said("connected"))[-2] == "on"
        assert len(list(hub.state.paired)) == 1
