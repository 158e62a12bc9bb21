"""Frames that go, load, hang or start again leave commands and refs right."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import ref_of
from kapture_panel.demo.site import DemoSite
from tests.support.e2e.frames import PAY, loaded, said
from tests.support.e2e.late import told
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, current_tab
from tests.support.patience import PATIENCE_MS, PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def framed(pages: str) -> Iterator[str]:
    """A page with frames of another site, of a sandbox, and of another port of its own host."""
    with DemoSite(PAGES) as sister:
        yield f"{pages}/frames_top.html?sister={sister.url.rsplit(':', 1)[1]}"


async def test_a_frame_that_goes_elsewhere_is_followed_and_its_refs_are_stale(agent: OpenAgent, framed: str) -> None:
    async with agent(framed) as a:
        await loaded(a)
        text = await a.text("snapshot")
        answer = await a.text("click", selector=f"{PAY}#done", snapshot="full")
        assert "All done" in answer
        for ref in (ref_of(text, "button", "Pay"), ref_of(text, "textbox", "Pin")):
            error = await a.fails("click", ref=ref)
            assert "STALE_REF" in error
        assert (await a.call("click", selector=f"{PAY}button"))["effects"]["changed"] is True
        own = ref_of(text, "button", "Own")
        assert (await a.call("click", ref=own))["clicked"] == '<button id="own">'


async def test_a_frame_that_goes_under_a_command_ends_it_at_once(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        text = await a.text("snapshot")
        # The frame's script never ends, so the call into it is under way when the frame is removed.
        stuck = "pay.contentWindow.postMessage(Infinity, '*')"
        going = f"setTimeout(() => document.getElementById('pay').remove(), 300); {stuck}"
        await panel.witness(pages).see(going, "/frames_top.html")
        async with asyncio.timeout(PATIENCE_S):  # its own time is longer
            assert "STALE_REF" in await a.fails("hover", ref=ref_of(text, "button", "Pay"), timeout=600_000)
        assert "STALE_REF" in await a.fails("click", ref=ref_of(text, "button", "Pay"))
        assert "ELEMENT_NOT_FOUND" in await a.fails("click", selector=f"{PAY}#paid", wait=0)
        assert (await a.call("wait", selector=f"{PAY}#paid", state="hidden"))["found"] is None


async def test_waiting_goes_on_in_the_frames_next_document(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        waiting = tasks.spawn(a.call("wait", selector=f"{PAY}p", timeout=10_000), "wait")
        await panel.executing(await current_tab(a))
        await panel.witness(pages).see("pay.src = pay.src.replace('_pay', '_done'); 1", "/frames_top.html")
        assert (await waiting)["found"] == "<p>"


async def test_a_frame_stuck_in_a_script_does_not_hang_a_snapshot(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        await panel.witness(pages).see("pay.contentWindow.postMessage(Infinity, '*'); 1", "/frames_top.html")
        text = ""
        async with asyncio.timeout(PATIENCE_S):
            while "does not answer" not in text:  # it gets the message a moment later
                text = await a.text("snapshot")
        assert "COMMAND_TIMEOUT" in await a.fails("click", selector=f"{PAY}#loop", timeout=1500)
        assert 'button "Sand"' in text
        refs = re.findall(r"\[ref=(e\d+)\]", text)
        assert len(refs) == len(set(refs))


async def test_a_worker_that_starts_again_finds_the_frames_and_their_refs(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        text = await a.text("snapshot")
        await worker_restarted(panel, pages, await current_tab(a))
        assert (await a.call("click", ref=ref_of(text, "button", "Pay")))["effects"]["changed"] is True
        assert "paid true" in await said(panel, pages)
        assert (await a.call("click", ref=ref_of(text, "button", "Confirm")))["effects"]["changed"] is True


async def worker_restarted(panel: Panel, pages: str, tab_id: str) -> None:
    """Kill the extension's worker and wait until it has connected the tab again."""
    assert panel.hub.browsers.shared is not None
    pipe = panel.hub.browsers.shared.pipe
    only = {"filter": [{"type": "service_worker"}]}
    workers = (await pipe.call("Target.getTargets", only))["targetInfos"]
    worker = next(found["targetId"] for found in workers if found["url"].startswith("chrome-extension://"))
    tabs = panel.hub.state.tabs
    gone, back = asyncio.Event(), asyncio.Event()

    def look(_tab: Tab) -> None:
        if tabs.find(tab_id) is None:
            gone.set()
        elif gone.is_set():
            back.set()

    for signal in (tabs.added, tabs.removed):
        signal.connect(look)
    await pipe.call("Target.closeTarget", {"targetId": worker})
    await gone.wait()
    # An event of the debugger wakes the worker, as anything that happens in the page does.
    await panel.witness(pages).see("console.log('wake')", "/frames_top.html")
    await back.wait()
    for signal in (tabs.added, tabs.removed):
        signal.disconnect(look)


async def test_a_text_is_waited_for_in_every_frame(agent: OpenAgent, framed: str, pages: str, panel: Panel) -> None:
    async with agent(framed) as a:
        await loaded(a)
        witness = panel.witness(pages)
        for text in ("Confirm", "All done", "Sand", "After the frames"):
            assert (await a.call("wait", text=text))["text"] == text
        assert "COMMAND_TIMEOUT" in await a.fails("wait", text="Confirmed", timeout=600)

        tab = await current_tab(a)

        async def meanwhile(change: str, text: str, state: str = "visible") -> None:
            begun = tasks.spawn(panel.executing(tab), "begun")
            waiting = tasks.spawn(a.call("wait", text=text, state=state, timeout=15_000), "wait")
            await begun
            assert not waiting.done(), f"{text!r} was there before"
            await witness.see(change, "/frames_top.html")
            assert (await waiting)["text"] == text

        await meanwhile("sand.srcdoc = '<p>Quicksand</p>'; 1", "Quicksand")
        await meanwhile("sand.style.display = 'none'; 1", "Quicksand", "hidden")
        assert (await a.call("wait", text="Quicksand", state="attached"))["text"] == "Quicksand"
        await meanwhile("sand.style.display = 'block'; 1", "Quicksand")
        await meanwhile("pay.src = pay.src.replace('_pay', '_done') + '?moved'; 1", "Moved here")
        await meanwhile("pay.remove(); far.remove(); 1", "Confirm", "hidden")
        own = "Object.assign(document.createElement('iframe'), {id: 'own2', srcdoc: '<p>Once</p><iframe></iframe>'})"
        await meanwhile(f"document.body.append({own}); 1", "Once")
        deep = "own2.contentDocument.querySelector('iframe').src = sister.src.replace('_done', '_bank')"
        await meanwhile(f"{deep}; 1", "Confirm", "attached")
        await meanwhile("location.hash = 'x'; document.body.append('Later'); 1", "Later")
        await meanwhile("location.reload(); 1", "Payment")


async def test_refs_of_an_answer_that_came_too_late_are_given_up(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        stuck, early = 1250, ""
        async with asyncio.timeout(PATIENCE_S):
            while "does not answer" not in early:  # on a busy machine it was asked when that was over
                stuck *= 2
                await panel.witness(pages).see(f"pay.contentWindow.postMessage({stuck}, '*'); 1", "/frames_top.html")
                early = await a.text("snapshot")
        await a.call("wait", selector=f"{PAY}#paid", timeout=PATIENCE_MS)
        text = await a.text("snapshot")
        refs = re.findall(r"\[ref=(e\d+)\]", text)
        assert len(refs) == len(set(refs))
        assert ref_of(text, "button", "Sand") == ref_of(early, "button", "Sand")
        for name, tag in (("Pay", "paid"), ("Confirm", "confirm"), ("Own", "own")):
            assert (await a.call("click", ref=ref_of(text, "button", name)))["clicked"] == f'<button id="{tag}">'


async def test_a_frame_that_never_ends_loading_holds_nothing_up(agent: OpenAgent, framed: str) -> None:
    async with agent() as a:
        await a.call("navigate", url=f"{framed}&first=/never.html", waitUntil="none")
        async with asyncio.timeout(PATIENCE_S):  # their own times are longer
            assert (await a.call("wait", text="Never done", timeout=600_000))["text"] == "Never done"
            answer = await a.call("click", selector=f"{PAY}#go", timeout=600_000)
            assert answer["clicked"] == '<button id="go">'
            assert 'heading "Never done"' in await a.text("snapshot", timeout=600_000)


async def test_windows_that_a_frame_opens_are_told(agent: OpenAgent, framed: str) -> None:
    async with agent(f"{framed}&first=/frames_popup.html") as a:
        await a.call("wait", selector=f"{PAY}#opens")
        tab = await current_tab(a)
        for selector, page in (("#opens", "blank.html"), ("#link", "inner.html")):
            answer = await a.call("click", selector=f"{PAY}{selector}", tabId=tab)
            (new,) = await told(a, answer, "newTabs", tabId=tab)
            assert new["url"].endswith(f"/{page}")
            await a.call("close_tab", tabId=new["tabId"])
        effects = (await a.call("click", selector=f"{PAY}#over", tabId=tab))["effects"]
        assert effects["url"].endswith("/blank.html?over")
