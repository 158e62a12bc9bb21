"""Frames of other origins: in processes of their own, nested, sandboxed, or only unreadable."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent, ref_of
from kapture_panel.demo.site import DemoSite
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, current_tab
from tests.support.hub.fakes import Changes
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAY = "#pay >>> "
BANK = "#pay >>> #bank >>> "


@pytest.fixture(scope="module")
def framed(pages: str) -> Iterator[str]:
    """A page with frames of another site, of a sandbox, and of another port of its own host."""
    with DemoSite(PAGES) as sister:
        yield f"{pages}/frames_top.html?sister={sister.url.rsplit(':', 1)[1]}"


async def loaded(a: Agent) -> None:
    """Wait until all frames show their documents."""
    await a.call("wait", selector=f"{BANK}#confirm")
    await a.call("wait", selector="#far >>> #bank >>> #confirm", state="attached")
    await a.call("wait", selector="#sister >>> button")
    await a.call("wait", selector="#sand >>> button")


async def asked(agent: Agent, command: str, **params: Any) -> Any:
    """The JSON of an answer, wherever it stands."""
    return json.loads(await agent.text(command, **params))


async def said(panel: Panel, pages: str) -> list[str]:
    """What the frames told the top page."""
    return list(await panel.witness(pages).see("said", "/frames_top.html"))


async def test_a_snapshot_goes_into_every_frame(agent: OpenAgent, framed: str) -> None:
    async with agent(framed) as a:
        await loaded(a)
        text = await a.text("snapshot")
        lines = text.splitlines()
        wanted = [
            '- heading "Shop"', '- iframe "Payment"', ' - heading "Payment"', ' - textbox "Card"', ' - iframe "Bank"',
            '  - textbox "Pin"', '- iframe "Sister"', ' - button "Thank"', '- iframe "Sandbox"', ' - button "Sand"',
            "- text: After the frames", '- iframe "Far"', ' - heading "Payment"', '  - button "Confirm"',
        ]  # fmt: skip
        at = 0
        for start in wanted:
            found = [index for index, line in enumerate(lines[at:], at) if line.startswith(start)]
            assert found, f"{start!r} is missing after line {at} of\n{text}"
            at = found[0] + 1
        refs = re.findall(r"\[ref=(e\d+)\]", text)
        assert len(refs) == len(set(refs))
        assert "geheim" not in text
        assert "another origin" not in text
        again = await a.text("snapshot")
        assert re.findall(r"\[ref=(e\d+)\]", again) == refs


async def test_what_is_offscreen_is_told_by_the_top_viewport(agent: OpenAgent, framed: str) -> None:
    async with agent(framed) as a:
        await loaded(a)
        near = {name: "offscreen" in line for name, line in await buttons(a, "#pay")}
        assert not near["Pay"]
        assert near["Deep"]
        far = await buttons(a, "#far")
        assert {name for name, _ in far} >= {"Pay", "Confirm", "Deep"}
        assert all(line.endswith("offscreen") for _, line in far)


async def buttons(a: Agent, frame: str) -> list[tuple[str, str]]:
    """The names and lines of a frame's buttons."""
    lines = (await a.text("snapshot", selector=frame, roles=["button"])).splitlines()[1:]
    return [(line.split('"')[1], line) for line in lines]


async def test_filters_depth_root_and_diff_go_across(agent: OpenAgent, framed: str) -> None:
    async with agent(framed) as a:
        await loaded(a)
        buttons = (await a.text("snapshot", roles=["button"])).splitlines()[1:]
        assert sum("Confirm" in line for line in buttons) == 2
        assert all(line.startswith("- button") or line.startswith("(the next") for line in buttons)
        shallow = await a.text("snapshot", maxDepth=1)
        assert "Payment" in shallow
        assert "Card" not in shallow
        part = await a.text("snapshot", selector="#pay")
        assert 'textbox "Pin"' in part
        assert "Thank" not in part
        inner = await a.text("snapshot", selector=f"{PAY}#bank")
        assert 'textbox "Pin"' in inner
        assert "Card" not in inner
        assert "Shop with frames" in inner
        assert 'textbox "Card"' in await a.text("get_filtered_aria_tree", roles=["textbox"])
        await a.text("snapshot")
        assert "nothing changed" in await a.text("snapshot", diff=True)
        diff = await a.text("click", selector=f"{BANK}#confirm", snapshot="diff")
        assert '+ - button "Confirmed"' in diff


@pytest.mark.parametrize("frame", ["pay", "far"])
async def test_everything_can_be_done_in_a_frame(
    agent: OpenAgent, framed: str, pages: str, panel: Panel, tmp_path: Path, frame: str
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        far = "far" if frame == "far" else ""
        text = await a.text("snapshot", selector=f"#{frame}")
        assert (await a.call("click", ref=ref_of(text, "button", "Pay")))["effects"]["changed"] is True
        nothing = await a.call("click", ref=ref_of(text, "button", "Nothing"))
        assert nothing["effects"] == {"changed": False}
        await a.call("fill", ref=ref_of(text, "textbox", "Card"), value="4111")
        await a.call("type", selector=f"#{frame} >>> [name=card]", text="22")
        await a.call("fill", selector=f"#{frame} >>> [name=agree]", value="true")
        await a.call("select", selector=f"#{frame} >>> select", labels=["Allied"])
        await a.call("fill", selector=f"#{frame} >>> #bank >>> [name=pin]", value="1234")
        assert (await a.call("click", selector=f"#{frame} >>> #bank >>> #confirm"))["effects"]["changed"] is True
        assert (await a.call("click", selector=f"#{frame} >>> #deep"))["effects"]["changed"] is True
        assert (await a.call("press_key", selector=f"#{frame} >>> [name=card]", key="F2"))["effects"]["changed"] is True
        assert (await a.call("hover", selector=f"#{frame} >>> #paid"))["hovered"] == '<button id="paid">'
        slip = tmp_path / "slip.txt"
        slip.write_text("12345")
        policy = panel.hub.services.router.gates.policy
        allowed, policy.allow_dirs = policy.allow_dirs, (tmp_path.resolve(),)
        try:
            await a.call("upload_file", selector=f"#{frame} >>> #slip", paths=[str(slip)])
        finally:
            policy.allow_dirs = allowed
        dragged = await a.call("drag", selector=f"#{frame} >>> #grab", toSelector=f"#{frame} >>> #drop")
        assert dragged["kind"] == "html5"
        heard = await said(panel, pages)
        for wanted in (
            f"{far}paid true", f"{far}input card 4111 true", f"{far}input card 411122 true",
            f"{far}input agree true true", "bank 1234", "confirmed", f"{far}deep", f"{far}file slip.txt 5",
            f"{far}dropped",
        ):  # fmt: skip
            assert wanted in heard, (wanted, heard)
        values = (await asked(a, "get_form_values"))["fields"]
        assert {"411122", "1234"} <= {field.get("value") for field in values}
        assert sum(field.get("secret", False) for field in values) == 2


async def test_points_and_pictures_are_of_the_top_viewport(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        spot = await a.call("click", selector=f"{PAY}#paid")
        again = await a.call("click", x=spot["x"], y=spot["y"])
        assert again["clicked"] == '<button id="paid">'
        assert (await said(panel, pages)).count("paid true") == 2
        box = (await asked(a, "check_visibility", selector=f"{BANK}#confirm"))["box"]
        assert (await a.call("click", x=box["x"] + 3, y=box["y"] + 3))["clicked"] == '<button id="confirm">'
        picture = await a.picture(name="grab", selector="#far >>> #grab")
        assert picture.size == (100, 24)
        assert picture.convert("RGB").getpixel((90, 20)) == (204, 204, 204)
        await a.call("scroll", toX=0, toY=0)
        await a.call("scroll", selector="#far >>> #deep")
        assert (await asked(a, "check_visibility", selector="#far >>> #deep"))["inViewport"] is True


async def test_a_thing_is_dragged_from_one_frame_to_another(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        await panel.witness(pages).see(
            "pay.before(far); scrollTo(0, 0); pay.height = far.height = 300; 1", "/frames_top.html"
        )
        await loaded(a)
        await a.call("drag", selector=f"{PAY}#grab", toSelector="#far >>> #drop")
        assert await said(panel, pages) == ["fardropped"]


async def test_questions_are_answered_from_all_frames(agent: OpenAgent, framed: str) -> None:
    async with agent(framed) as a:
        await loaded(a)
        text = await a.text("get_visible_text")
        parts = ["Shop", "Card", "Pin", "Confirm", "Deep", "All done", "Sand", "After the frames", "Card"]
        at = 0
        for part in parts:
            at = text.index(part, at) + 1
        assert (await asked(a, "find_by_text", text="Confirm"))["count"] == 2
        assert (await asked(a, "count_elements", selector="iframe >>> button"))["count"] == 12
        found = await asked(a, "query_dom", selector="iframe >>> #bank >>> input")
        assert [element["name"] for element in found["elements"]] == ["Pin", "Pin"]
        await a.call("fill", ref=found["elements"][1]["ref"], value="99")
        state = await asked(a, "check_element_state", selector=f"{PAY}[name=agree]")
        assert state["checked"] is False
        attributes = await asked(a, "get_attributes", selector=f"{BANK}input")
        assert attributes["attributes"] == {"name": "pin"}
        styles = await asked(a, "get_computed_styles", selector=f"{PAY}#grab", properties=["width"])
        assert styles["styles"] == {"width": "100px"}
        assert "ELEMENT_NOT_FOUND" in await a.fails("click", selector=f"{PAY}#missing")


async def test_what_is_covered_in_any_document_is_never_clicked(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        cover = (
            "document.body.insertAdjacentHTML('beforeend', '<div id=cover style=\"position:fixed;inset:0\"></div>'); 1"
        )
        await panel.witness(pages).see(cover, "/frames_top.html")
        error = await a.fails("click", selector=f"{PAY}#paid")
        assert "ELEMENT_NOT_VISIBLE" in error
        assert '<div id="cover"> covers' in error
        assert await said(panel, pages) == []


async def test_the_keyboard_goes_where_the_focus_is(agent: OpenAgent, framed: str, pages: str, panel: Panel) -> None:
    async with agent(framed) as a:
        await loaded(a)
        for number in range(10):
            await a.call("type", selector=f"{BANK}[name=pin]", text=f"{number}", clear=True)
            await a.call("type", selector=f"{PAY}[name=card]", text=f"{number}", clear=True)
            assert (await a.call("press_key", key="x"))["effects"]["changed"] is True
        heard = await said(panel, pages)
        for number in range(10):
            assert f"bank {number}" in heard
            assert f"input card {number}x true" in heard
        await a.call("insert_text", text="yz")
        assert "input card 9xyz true" in await said(panel, pages)


async def test_lines_and_requests_of_frames_are_kept_once(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    store = panel.hub.services.requests
    async with agent(framed) as a:
        await loaded(a)
        tab = await current_tab(a)
        # What a frame of another process asks for in its first moments may come before anybody listens there.
        fetches = "[pay, far].forEach((one) => one.contentWindow.postMessage('fetch', '*'))"
        await panel.witness(pages).see(f"{fetches}, 1", "/frames_top.html")
        fetched = {"frames_done.html?fetched", "frames_done.html?fetchedfar"}
        async with asyncio.timeout(PATIENCE_S):
            await Changes(store.changed).until(
                lambda: fetched <= {one.url.rpartition("/")[2] for one in store.all(tab)}
            )
        logs = (await a.text("logs")).splitlines()
        assert sum("loaded?far" in line for line in logs) == 1
        requests = (await a.text("list_requests", max=200)).splitlines()
        for wanted in ("frames_done.html?fetchedfar", "frames_pay.html?far", "frames_done.html?sister"):
            assert sum(wanted in line for line in requests) == 1, (wanted, requests)
        assert sum("frames_bank.html" in line for line in requests) == 2


async def test_a_dialog_of_a_frame_ends_the_command(agent: OpenAgent, framed: str) -> None:
    async with agent(framed) as a:
        await loaded(a)
        assert "DIALOG_OPEN" in await a.fails("click", selector=f"{PAY}#ask")
        await a.call("handle_dialog", accept=True)
        assert "asked true" in await a.text("get_visible_text", selector=f"{PAY}#out")


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
        error = await a.fails("hover", ref=ref_of(text, "button", "Pay"), timeout=10_000)
        assert "STALE_REF" in error
        assert a.times_ms["hover"][-1] < 3000
        assert "STALE_REF" in await a.fails("click", ref=ref_of(text, "button", "Pay"))
        assert "ELEMENT_NOT_FOUND" in await a.fails("click", selector=f"{PAY}#paid")
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
        assert "COMMAND_TIMEOUT" in await a.fails("click", selector=f"{PAY}#loop", timeout=1500)
        text = await a.text("snapshot")
        assert "does not answer" in text
        assert 'button "Sand"' in text
        refs = re.findall(r"\[ref=(e\d+)\]", text)
        assert len(refs) == len(set(refs))


TRACE = """(() => {
  const attributes = [...document.querySelectorAll("*")].map((element) => element.getAttributeNames().join());
  return [document.documentElement.outerHTML, attributes, Object.getOwnPropertyNames(window).sort()];
})()"""
MARKED = "Object.defineProperty(window, 'kapture', {configurable: true, get() { document.title = 'seen'; }}); 1"


async def test_nothing_is_left_in_a_frame(agent: OpenAgent, framed: str, pages: str, panel: Panel) -> None:
    async with agent(framed) as a:
        await loaded(a)
        witness = panel.witness(pages)
        frame = await frame_session(panel, "/frames_pay.html?far")
        before = await witness.see(TRACE, "/frames_top.html"), await traces(panel, frame)
        await a.text("snapshot")
        await a.call("hover", selector="#far >>> #paid")
        await a.call("get_form_values")
        await a.text("get_visible_text")
        assert "COMMAND_TIMEOUT" in await a.fails("wait", text="nowhere", timeout=300)
        await a.call("scroll", toX=0, toY=0)
        await a.call("hover", x=1, y=1)
        assert (await witness.see(TRACE, "/frames_top.html"), await traces(panel, frame)) == before
        await evaluated(panel, frame, MARKED)
        await a.call("click", selector="#far >>> #paid")
        assert await evaluated(panel, frame, "document.title") == "Pay"


async def frame_session(panel: Panel, part: str) -> str:
    """A CDP session of our own on a frame that runs in another process."""
    assert panel.hub.links.browser is not None
    pipe = panel.hub.links.browser.pipe
    frames = (await pipe.call("Target.getTargets", {"filter": [{"type": "iframe"}]}))["targetInfos"]
    found = next(frame["targetId"] for frame in frames if part in frame["url"])
    return str((await pipe.call("Target.attachToTarget", {"targetId": found, "flatten": True}))["sessionId"])


async def evaluated(panel: Panel, session: str, expression: str) -> Any:
    """The value of an expression in the frame's own world."""
    assert panel.hub.links.browser is not None
    asking = {"expression": expression, "returnByValue": True}
    return (await panel.hub.links.browser.pipe.call("Runtime.evaluate", asking, session=session))["result"].get("value")


async def traces(panel: Panel, session: str) -> tuple[Any, list[list[str]]]:
    """What a frame's document holds, and what listens on its window and document, in whichever world."""
    assert panel.hub.links.browser is not None
    pipe = panel.hub.links.browser.pipe
    listening = []
    for target in ("window", "document"):
        thing = (await pipe.call("Runtime.evaluate", {"expression": target}, session=session))["result"]["objectId"]
        found = await pipe.call("DOMDebugger.getEventListeners", {"objectId": thing}, session=session)
        listening.append(sorted(listener["type"] for listener in found["listeners"]))
    return await evaluated(panel, session, TRACE), listening


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
    assert panel.hub.links.browser is not None
    pipe = panel.hub.links.browser.pipe
    only = {"filter": [{"type": "service_worker"}]}
    workers = (await pipe.call("Target.getTargets", only))["targetInfos"]
    worker = next(found["targetId"] for found in workers if found["url"].startswith("chrome-extension://"))
    tabs = panel.hub.services.tabs
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


STYLES = ["transform:scale(.5);transform-origin:0 0", "zoom:.5", "transform:scale(1.5) translate(70px,90px)"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["other-process", "readable"])
@pytest.mark.parametrize("style", STYLES, ids=["scaled", "zoomed", "enlarged"])
async def test_points_and_boxes_of_a_scaled_frame(
    agent: OpenAgent, framed: str, pages: str, panel: Panel, style: str, host: str
) -> None:
    scale = 1.5 if "1.5" in style else 0.5
    async with agent(f"{framed}&{urlencode({'style': style, 'host': host})}") as a:
        await loaded(a)
        assert (await a.call("click", selector=f"{PAY}#paid"))["clicked"] == '<button id="paid">'
        await a.call("fill", selector=f"{BANK}[name=pin]", value="12")
        spot = await a.call("click", selector=f"{BANK}[name=pin]")
        assert (await a.call("click", x=spot["x"], y=spot["y"]))["clicked"] == "<input>"
        await a.call("click", selector=f"{BANK}#confirm")
        grab = await asked(a, "check_visibility", selector=f"{PAY}#grab")
        assert (grab["box"]["width"], grab["box"]["height"]) == (100 * scale, 24 * scale)
        for x, y, there in [(2, 2, True), (97, 21, True), (103, 21, False), (97, -4, False)]:
            point = {"x": grab["box"]["x"] + x * scale, "y": grab["box"]["y"] + y * scale}
            assert ("grab" in (await a.call("hover", **point))["hovered"]) is there, point
        picture = await a.picture(name="grab", selector=f"{PAY}#grab")
        assert picture.size == (100 * scale, 24 * scale)
        assert picture.convert("RGB").getpixel((picture.width - 6, picture.height - 3)) == (204, 204, 204)
        assert (await a.call("click", selector=f"{PAY}#deep"))["effects"]["changed"] is True
        assert (await asked(a, "check_visibility", selector=f"{PAY}#deep"))["inViewport"] is True
        shown = dict(await buttons(a, "#pay"))
        assert not shown["Deep"].endswith("offscreen")
        assert shown["Pay"].endswith("offscreen")
        heard = await said(panel, pages)
        assert [heard.count(one) for one in ("paid true", "bank 12", "confirmed", "deep")] == [1, 1, 1, 1]


async def test_what_covers_a_frame_covers_what_is_in_it(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        assert "coveredBy" not in await asked(a, "check_visibility", selector=f"{PAY}#paid")
        cover = "document.body.insertAdjacentHTML('beforeend', '<div id=cover style=\"position:fixed;inset:0\"></div>')"
        await panel.witness(pages).see(f"{cover}; 1", "/frames_top.html")
        for selector in (f"{PAY}#paid", f"{BANK}#confirm"):
            seen = await asked(a, "check_visibility", selector=selector)
            assert (seen["visible"], seen["coveredBy"]) == (True, '<div id="cover">')


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["other-process", "readable"])
async def test_a_hostile_frame_bends_nothing(
    agent: OpenAgent, framed: str, pages: str, panel: Panel, host: str
) -> None:
    async with agent(f"{framed}&first=/frames_hostile.html&host={host}") as a:
        await a.call("wait", selector=f"{PAY}#go")
        await a.call("wait", selector=f"{PAY}#deep >>> button")
        text = await a.text("snapshot")
        assert "lies" not in text
        await a.call("fill", ref=ref_of(text, "textbox", "Children"), value="kept")
        await a.call("click", ref=ref_of(text, "button", "Go"))
        await a.call("click", ref=ref_of(text, "button", "Deeper"))
        after = await a.text("snapshot", selector="#pay")
        assert 'button "Gone"' in after
        assert 'button "Went deep"' in after
        assert '"Children"' in after
        assert 'value="kept"' in after
        assert (await a.call("wait", text="Gone"))["text"] == "Gone"
        heard = await said(panel, pages)
        assert "went true" in heard
        assert "filled kept" in heard
        assert "seen" not in heard


async def test_a_long_frame_is_read_page_by_page(agent: OpenAgent, framed: str) -> None:
    async with agent(f"{framed}&first=/large.html") as a:
        await a.call("wait", selector=f"{PAY}a")
        await a.call("wait", selector="#far >>> #bank >>> #confirm", state="attached")
        text = await a.text("snapshot")
        whole = [text]
        while cursor := re.search(r'cursor "(s\d+:\d+)"', whole[-1]):
            whole.append(await a.text("snapshot", cursor=cursor[1]))
        assert len(whole) > 2
        every = "\n".join(whole)
        assert re.findall(r'link "Link (\d+)"', every) == [str(number) for number in range(2500)]
        refs = re.findall(r"\[ref=(e\d+)\]", every)
        assert len(refs) == len(set(refs))
        assert every.index("Link 2499") < every.index('button "Sand"') < every.index('button "Deep"')
        assert "nothing changed" in await a.text("snapshot", diff=True)
        last = re.search(r'"Link 2499" \[ref=(e\d+)\]', every)
        assert last
        assert (await a.call("click", ref=last[1]))["clicked"] == "<a>"


async def test_refs_of_an_answer_that_came_too_late_are_given_up(
    agent: OpenAgent, framed: str, pages: str, panel: Panel
) -> None:
    async with agent(framed) as a:
        await loaded(a)
        await panel.witness(pages).see("pay.contentWindow.postMessage(2500, '*'); 1", "/frames_top.html")
        early = await a.text("snapshot")
        assert "does not answer" in early
        await a.call("wait", selector=f"{PAY}#paid", timeout=10_000)
        text = await a.text("snapshot")
        refs = re.findall(r"\[ref=(e\d+)\]", text)
        assert len(refs) == len(set(refs))
        assert ref_of(text, "button", "Sand") == ref_of(early, "button", "Sand")
        for name, tag in (("Pay", "paid"), ("Confirm", "confirm"), ("Own", "own")):
            assert (await a.call("click", ref=ref_of(text, "button", name)))["clicked"] == f'<button id="{tag}">'


async def test_frames_under_a_strict_policy(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/frames_csp.html") as a:
        assert (await a.call("wait", text="Deep text"))["text"] == "Deep text"
        text = await a.text("snapshot")
        await a.call("fill", ref=ref_of(text, "textbox", "Name"), value="Ada")
        await a.call("fill", ref=ref_of(text, "checkbox", "Agree"), value="true")
        assert (await a.call("click", selector="#data >>> #go"))["clicked"] == '<button id="go">'
        after = await a.text("snapshot")
        assert 'value="Ada"' in after
        assert '"Agree"' in after
        assert "[checked]" in after


async def test_a_frame_that_never_ends_loading_holds_nothing_up(agent: OpenAgent, framed: str) -> None:
    async with agent() as a:
        await a.call("navigate", url=f"{framed}&first=/never.html", waitUntil="none")
        assert (await a.call("wait", text="Never done"))["text"] == "Never done"
        answer = await a.call("click", selector=f"{PAY}#go")
        assert answer["clicked"] == '<button id="go">'
        assert 'heading "Never done"' in await a.text("snapshot")
        for command in ("wait", "click", "snapshot"):
            assert a.times_ms[command][-1] < 5000, (command, a.times_ms)


async def test_windows_that_a_frame_opens_are_told(agent: OpenAgent, framed: str) -> None:
    async with agent(f"{framed}&first=/frames_popup.html") as a:
        await a.call("wait", selector=f"{PAY}#opens")
        tab = await current_tab(a)
        for selector, page in (("#opens", "blank.html"), ("#link", "inner.html")):
            answer = await a.call("click", selector=f"{PAY}{selector}", tabId=tab)
            tabs = answer["effects"]["newTabs"]
            assert [tab["url"].rsplit("/", 1)[1] for tab in tabs] == [page]
            await a.call("close_tab", tabId=tabs[0]["tabId"])
        effects = (await a.call("click", selector=f"{PAY}#over", tabId=tab))["effects"]
        assert effects["url"].endswith("/blank.html?over")
