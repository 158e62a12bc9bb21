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

from kapture_panel.demo.agent import Agent, ref_of
from kapture_panel.demo.site import DemoSite
from tests.support.e2e.frames import BANK, PAY, loaded, said
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, Visit, current_tab
from tests.support.hub.fakes import Changes
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def framed(pages: str) -> Iterator[str]:
    """A page with frames of another site, of a sandbox, and of another port of its own host."""
    with DemoSite(PAGES) as sister:
        yield f"{pages}/frames_top.html?sister={sister.url.rsplit(':', 1)[1]}"


async def asked(agent: Agent, command: str, **params: Any) -> Any:
    """The JSON of an answer, wherever it stands."""
    return json.loads(await agent.text(command, **params))


async def test_a_snapshot_goes_into_every_frame(visitor: Visit, framed: str) -> None:
    async with visitor(framed) as a:
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


async def test_what_is_offscreen_is_told_by_the_top_viewport(visitor: Visit, framed: str) -> None:
    async with visitor(framed) as a:
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


async def test_filters_depth_root_and_diff_go_across(visitor: Visit, framed: str) -> None:
    async with visitor(framed) as a:
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
    visitor: Visit, framed: str, pages: str, panel: Panel, tmp_path: Path, frame: str
) -> None:
    async with visitor(framed) as a:
        await loaded(a)
        far = "far" if frame == "far" else ""
        text = await a.text("snapshot", selector=f"#{frame}")
        assert (await a.call("click", ref=ref_of(text, "button", "Pay")))["effects"]["changed"] is True
        nothing = await a.call("click", ref=ref_of(text, "button", "Nothing"))
        assert nothing["effects"] == {"changed": False}
        assert nothing["outcome"] == "no_effect"
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
        policy = panel.hub.core.router.gates.policy
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
    visitor: Visit, framed: str, pages: str, panel: Panel
) -> None:
    async with visitor(framed) as a:
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


async def test_a_picture_shows_the_frames_that_have_just_come_into_view(visitor: Visit, framed: str) -> None:
    async with visitor(framed) as a:
        await loaded(a)
        await a.call("scroll", selector="#far")
        at = (await a.call("evaluate", code="scrollY"))["value"]
        box = (await asked(a, "check_visibility", selector="#far >>> #grab"))["box"]
        corner = (int(box["x"]) + 90, int(box["y"]) + 20)
        for _ in range(3):
            await a.call("scroll", toY=0)
            picture = await a.picture(name="jump", scrollY=at, scale=1)
            assert picture.convert("RGB").getpixel(corner) == (204, 204, 204)
            await a.call("scroll", toY=0)
            await a.call("scroll", toY=at)
            assert (await a.picture(name="then", scale=1)).convert("RGB").getpixel(corner) == (204, 204, 204)
        said = await a.text("screenshot", name="whole", fullPage=True)
        assert "3 frames of other sites beyond the viewport may be empty" in said
        assert "beyond the viewport" not in await a.text("screenshot", name="seen")


async def test_a_thing_is_dragged_from_one_frame_to_another(
    visitor: Visit, framed: str, pages: str, panel: Panel
) -> None:
    async with visitor(framed) as a:
        await loaded(a)
        await panel.witness(pages).see(
            "pay.before(far); scrollTo(0, 0); pay.height = far.height = 300; 1", "/frames_top.html"
        )
        await loaded(a)
        await a.call("drag", selector=f"{PAY}#grab", toSelector="#far >>> #drop")
        assert await said(panel, pages) == ["fardropped"]


async def test_questions_are_answered_from_all_frames(visitor: Visit, framed: str) -> None:
    async with visitor(framed) as a:
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
        assert "ELEMENT_NOT_FOUND" in await a.fails("click", selector=f"{PAY}#missing", wait=0)


async def test_what_is_covered_in_any_document_is_never_clicked(
    visitor: Visit, framed: str, pages: str, panel: Panel
) -> None:
    async with visitor(framed) as a:
        await loaded(a)
        cover = (
            "document.body.insertAdjacentHTML('beforeend', '<div id=cover style=\"position:fixed;inset:0\"></div>'); 1"
        )
        await panel.witness(pages).see(cover, "/frames_top.html")
        error = await a.fails("click", selector=f"{PAY}#paid", wait=0)
        assert "ELEMENT_NOT_VISIBLE" in error
        assert '<div id="cover"> covers' in error
        assert await said(panel, pages) == []


async def test_the_keyboard_goes_where_the_focus_is(visitor: Visit, framed: str, pages: str, panel: Panel) -> None:
    async with visitor(framed) as a:
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
    store = panel.hub.state.requests
    async with agent(framed) as a:
        await loaded(a)
        tab = await current_tab(a)
        # What a frame of another process asks for in its first moments may come before anybody listens there.
        fetches = "[pay, far].forEach((one) => one.contentWindow.postMessage('fetch', '*'))"
        await panel.witness(pages).see(f"{fetches}, 1", "/frames_top.html")
        names = {"frames_done.html?fetched", "frames_bank.html?fetched"}
        fetched = {name + frame for name in names for frame in ("", "far")}
        async with asyncio.timeout(PATIENCE_S):
            await Changes(store.changed).until(
                lambda: fetched <= {one.url.rpartition("/")[2] for one in store.all(tab)}
            )
        logs = (await a.text("logs")).splitlines()
        assert sum("loaded?far" in line for line in logs) == 1
        requests = (await a.text("list_requests", max=200)).splitlines()
        for wanted in (*fetched, "frames_pay.html?far", "frames_done.html?sister"):
            assert sum(line.endswith(wanted) or f"{wanted} " in line for line in requests) == 1, (wanted, requests)


async def test_a_dialog_of_a_frame_is_the_answer(visitor: Visit, framed: str) -> None:
    async with visitor(framed) as a:
        await loaded(a)
        answer = await a.call("click", selector=f"{PAY}#ask")
        assert [dialog["open"] for dialog in answer["effects"]["dialogs"]] == [True]
        await a.call("handle_dialog", accept=True)
        assert "asked true" in await a.text("get_visible_text", selector=f"{PAY}#out")


STYLES = ["transform:scale(.5);transform-origin:0 0", "zoom:.5", "transform:scale(1.5) translate(70px,90px)"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["other-process", "readable"])
@pytest.mark.parametrize("style", STYLES, ids=["scaled", "zoomed", "enlarged"])
async def test_points_and_boxes_of_a_scaled_frame(
    visitor: Visit, framed: str, pages: str, panel: Panel, style: str, host: str
) -> None:
    scale = 1.5 if "1.5" in style else 0.5
    async with visitor(f"{framed}&{urlencode({'style': style, 'host': host})}") as a:
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


async def test_what_covers_a_frame_covers_what_is_in_it(visitor: Visit, framed: str, pages: str, panel: Panel) -> None:
    async with visitor(framed) as a:
        await loaded(a)
        assert "coveredBy" not in await asked(a, "check_visibility", selector=f"{PAY}#paid")
        cover = "document.body.insertAdjacentHTML('beforeend', '<div id=cover style=\"position:fixed;inset:0\"></div>')"
        await panel.witness(pages).see(f"{cover}; 1", "/frames_top.html")
        for selector in (f"{PAY}#paid", f"{BANK}#confirm"):
            seen = await asked(a, "check_visibility", selector=selector)
            assert (seen["visible"], seen["coveredBy"]) == (True, '<div id="cover">')


async def test_a_long_frame_is_read_page_by_page(visitor: Visit, framed: str) -> None:
    async with visitor(f"{framed}&first=/large.html") as a:
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
