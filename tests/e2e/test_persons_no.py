"""The person's brake and no in a real browser of theirs, where something stands in the way: a page that hangs, code
without end, a tab where no extension may follow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kapture_panel.core.wire import handshake
from kapture_panel.demo.agent import ToolError
from tests.support.e2e import tab_news
from tests.support.e2e.own_browser import OwnBrowser, paired
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

HANGS = "setTimeout(() => { for (;;); }, 0), 0"


async def come(panel: Panel, condition: Callable[[], object]) -> None:
    """Wait until `condition()` holds of the panel's tabs."""
    await tab_news.until(panel.hub.state.tabs, condition)


def states(panel: Panel) -> set[str]:
    return {tab.state for tab in panel.hub.state.tabs}


def own(panel: Panel) -> OwnBrowser:
    assert panel.own is not None
    return panel.own


async def let_go(browser: OwnBrowser, *urls: str) -> None:
    """Wait until no debugger is attached to the tabs at the end of whose addresses these stand."""
    popup = await browser.popup(urls[0])
    await browser.until(popup, "globalThis.chrome?.debugger")
    attached = "chrome.debugger.getTargets().then((all) => all.filter((one) => one.attached).map((one) => one.url))"
    async with asyncio.timeout(PATIENCE_S):
        while any(url.endswith(urls) for url in await browser.see(popup, attached)):
            pass  # each look is a call of its own
    await browser.close("popup.html")


async def test_a_page_that_hangs_with_a_key_held_down_keeps_no_tab_from_being_let_go_of(
    own_panel: Panel, own_agent: OpenAgent, pages: str
) -> None:
    pause = own_panel.hub.core.router.gates.pause
    async with own_agent(f"{pages}/wheels.html") as other, own_agent(f"{pages}/blank.html?hangs") as a:
        hanging = await current_tab(a)
        await a.call("press_key", key="Shift", action="down")
        with suppress(ToolError):  # on a busy machine it hangs before it has answered
            await a.call("evaluate", code=HANGS, timeout=1000)
        pause.hold()
        try:
            await let_go(own(own_panel), "wheels.html", "?hangs")
            assert states(own_panel) == {"paused"}
        finally:
            await own(own_panel).close("?hangs")
            pause.lift()
        await come(own_panel, lambda: own_panel.hub.state.tabs.find(hanging) is None)
        await come(own_panel, lambda: states(own_panel) <= {"connected", "executing"})
        assert (await other.call("evaluate", code="6 * 7"))["value"] == 42


async def test_a_kept_script_ends_with_its_tabs_connection_and_no_pause_brings_it_back(
    own_panel: Panel, own_agent: OpenAgent, pages: str
) -> None:
    browser, pause = own(own_panel), own_panel.hub.core.router.gates.pause
    async with own_agent(f"{pages}/blank.html?kept") as a:
        before = await current_tab(a)
        await a.call("inject_script", source="globalThis.kept = 7", keep=True)
        await a.call("reload")
        assert (await a.call("evaluate", code="globalThis.kept"))["value"] == 7
        popup = await browser.popup("?kept")
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await come(own_panel, lambda: own_panel.hub.state.tabs.find(before) is None)
        await browser.until(popup, "document.querySelector('#tab').textContent !== 'connected'")
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        await browser.close("popup.html")
        pause.hold()
        try:
            await let_go(browser, "?kept")
        finally:
            pause.lift()
        await come(own_panel, lambda: states(own_panel) == {"connected"})
        (again,) = [tab.tab_id for tab in own_panel.hub.state.tabs if tab.url.endswith("?kept")]
        await a.call("reload", tabId=again)
        assert (await a.call("evaluate", tabId=again, code="String(globalThis.kept)"))["value"] == "undefined"
        await a.call("close_tab", tabId=again)


async def test_code_that_goes_on_after_its_time_keeps_no_file_chooser_from_the_person(
    own_panel: Panel, own_agent: OpenAgent, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = own(own_panel)
    async with own_agent(f"{pages}/uploads.html?goes-on") as a:
        assert (await a.fails("evaluate", code="await new Promise(() => {})", timeout=100)).startswith(
            "COMMAND_TIMEOUT"
        )
        page = await browser.page("?goes-on")
        await browser.show_choosers(page)
        await browser.click(page, "#open")
        await browser.chooser_shown(2)  # by the page, and once more because it was given back
        assert "fileChooser" not in (await a.call("evaluate", code="1")).get("lateEffects", {})
        (tmp_path / "one.txt").write_text("one")
        monkeypatch.setattr(own_panel.hub.core.router.gates.policy, "allow_dirs", (tmp_path.resolve(),))
        assert "no file chooser waits" in await a.fails("upload_file", paths=[str(tmp_path / "one.txt")])


async def test_a_tab_that_is_away_when_its_browser_is_unpaired_is_not_the_next_panels(
    pages: str, tmp_path: Path
) -> None:
    async with paired(tmp_path, f"{pages}/keys.html?away") as (hub, browser):
        await browser.connect("?away")
        # A page of the browser, where no extension may follow.
        away = await browser.page("?away")
        await browser.pipe.call("Page.navigate", {"url": "chrome://version/"}, session=away)
        await browser.page("chrome://version")
        async with asyncio.timeout(PATIENCE_S):
            while len(hub.state.tabs):
                await browser.pages()
        here = await browser.open(f"{pages}/keys.html?here")
        await browser.until(here, "location.search === '?here' && document.body")
        popup = await browser.popup("?here")
        await browser.click(popup, "#unpair")
        await browser.click(popup, "#unpair")
        await browser.until(popup, "document.querySelector('#pairing').textContent === 'Not paired'")

        key = handshake.new_secret()
        hub.state.paired.add("another", key, "Chromium")
        pairing = {"install": "another", "key": key, "port": hub.port, "managed": False}
        await browser.see(popup, f"chrome.storage.local.set({{ pairing: {json.dumps(pairing)} }})")
        await browser.until(popup, "document.querySelector('#panel').textContent === 'connected'")
        await browser.pipe.call("Page.navigate", {"url": f"{pages}/keys.html?back"}, session=away)
        over = await browser.popup("?back")
        await browser.until(over, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
        assert await browser.see(over, "document.querySelector('#tab').textContent") != "connected"
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        assert [tab.url for tab in hub.state.tabs] == [f"{pages}/keys.html?here"]
