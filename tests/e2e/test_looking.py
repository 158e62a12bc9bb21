"""Snapshots and screenshots of real pages."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import ref_of
from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab
from tests.support.patience import PATIENCE_MS
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

RED, BLUE = (255, 0, 0), (0, 0, 255)


async def test_a_snapshot_names_what_a_reader_finds(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/checkout") as a:
        await a.call("wait", selector="main[aria-busy=false]", state="attached")
        text = await a.text("snapshot")
        for wanted in (
            'textbox "Full name" [ref=',
            'combobox "Country" [ref=',
            'radio "',
            'checkbox "Wrap as a gift" [ref=',
            'slider "Tip for the courier" [ref=',
            'textbox "Customer number" [ref=',
            'textbox "Note to the courier" [ref=',
            'searchbox "Find a pick-up point" [ref=',
            'listbox "Extras" [ref=',
            'button "Place order" [ref=',
        ):
            assert wanted in text, wanted
        assert "[readonly]" in text
        assert "[disabled]" in text
        assert "[required]" in text
        assert "offscreen" in text


async def test_interactive_only_roles_depth_and_a_root_narrow_it(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/checkout") as a:
        full = await a.text("snapshot")
        controls = await a.text("snapshot", interactiveOnly=True)
        assert "- text:" not in controls
        assert len(controls) < len(full)
        buttons = (await a.text("snapshot", roles=["button"])).splitlines()[1:]
        assert buttons
        assert all("- button" in line for line in buttons)
        assert all(not line.startswith("  ") for line in (await a.text("snapshot", maxDepth=2)).splitlines()[1:])
        part = await a.text("snapshot", selector="#delivery")
        assert "Express" in part
        assert "Full name" not in part


async def test_a_form_of_fifty_fields_fits_in_450_tokens(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/form50.html") as a:
        text = await a.text("snapshot")
        assert text.count("- textbox") == 50
        assert len(a.raw.encode()) / 4 <= 450


@pytest.mark.parametrize(("page", "line", "count"), [("large", "- link", 2500), ("cyrillic", "- button", 600)])
async def test_a_long_snapshot_comes_in_pages_of_8_000_tokens_that_leave_nothing_out(
    visitor: Visit, pages: str, page: str, line: str, count: int
) -> None:
    async with visitor(f"{pages}/{page}.html") as a:
        text = await a.text("snapshot")
        seen = text.count(line)
        assert _cursor(text)
        while cursor := _cursor(text):
            assert len(a.raw.encode()) <= 32_000
            text = await a.text("snapshot", cursor=cursor)
            seen += text.count(line)
        assert seen == count


async def test_a_diff_is_of_what_was_looked_at_last_and_tells_what_moved(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        rows = "".join(f"<li>Row {number}" for number in range(9))
        await a.call(
            "evaluate",
            code=f"""document.body.innerHTML = `<button onclick="
            document.querySelector('ul').prepend(document.querySelector('ul').lastChild);
            document.querySelector('h1').textContent = 'After'">Sort</button><h1>Before</h1><ul>{rows}</ul>`""",
        )
        await a.text("snapshot")
        await a.text("snapshot", interactiveOnly=True)
        said = await a.text("click", selector="button", snapshot="diff")
        assert '+ - heading "After"' in said
        assert "Row" not in said
        whole = await a.text("snapshot", diff=True)
        assert [line for line in whole.splitlines() if "Row" in line] == ["~ moved - text: Row 8"]
        await a.text("snapshot", selector="ul")
        assert '"After"' not in await a.text("click", selector="button", snapshot="diff")
        gone = await a.text("navigate", url=f"{pages}/keys.html", snapshot="diff")
        assert "Row" not in gone
        assert "− " not in gone


async def test_a_diff_of_8_000_tokens_says_how_much_it_leaves_out(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/cyrillic.html") as a:
        await a.text("snapshot")
        await a.call("evaluate", code="for (const it of document.querySelectorAll('button')) it.append('!')")
        text = await a.text("snapshot", diff=True)
        assert len(a.raw.encode()) <= 32_000
        told = re.search(r"^\((\d+) more changed; take a new snapshot\)$", text, re.MULTILINE)
        assert told
        assert len(text.splitlines()) - 2 + int(told[1]) == 2 * 600


async def test_a_diff_of_a_page_that_did_not_change_is_one_line(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/form50.html") as a:
        await a.text("snapshot")
        head, *said = (await a.text("snapshot", diff=True)).splitlines()
        assert head.startswith("# ")
        assert said == ["(nothing changed since the last snapshot)"]


async def test_the_pages_of_a_snapshot_are_of_one_moment_though_the_page_changes(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/large.html") as a:
        text = await a.text("snapshot")
        links = re.findall(r'link "Link (\d+)"', text)
        await a.call("evaluate", code="m.firstChild.remove(); m.prepend('new'); m.lastChild.remove()")
        while cursor := _cursor(text):
            text = await a.text("snapshot", cursor=cursor)
            links += re.findall(r'link "Link (\d+)"', text)
        assert links == [str(number) for number in range(2500)]
        assert "STALE_REF" in await a.fails("hover", ref=ref_of(text, "link", "Link 2499"))
        await a.call("hover", ref=ref_of(text, "link", "Link 2498"))


LEAVINGS = {
    "snapshot": "an older snapshot", "reload": "a page the tab has left", "route": "a page the tab has left",
}  # fmt: skip


async def test_a_cursor_of_a_page_that_was_left_is_refused_with_the_next_step(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/large.html") as a:
        for leave, why in LEAVINGS.items():
            with naming(leave):
                cursor = _cursor(await a.text("snapshot"))
                if leave == "route":
                    await a.call("evaluate", code="history.pushState(null, '', '/another')")
                else:
                    await a.call(leave)
                said = await a.fails("snapshot", cursor=cursor)
                assert said.startswith("INVALID_PARAMS")
                assert why in said
                assert said.endswith("take a new one")


def _cursor(text: str) -> str:
    _, found, rest = text.partition('cursor "')
    return rest.split('"')[0] if found else ""


async def test_a_diff_shows_only_what_changed(visitor: Visit, shop: str) -> None:
    async with visitor(f"{shop}/lab") as a:
        await a.text("snapshot")
        assert "nothing changed" in await a.text("snapshot", diff=True)
        answer = await a.text("click", selector="#counter-button", snapshot="diff")
        changes = [line for line in answer.splitlines() if line.startswith(("+ ", "− "))]
        assert changes
        assert len(changes) < 12


async def test_a_hostile_page_neither_bends_nor_sees_the_walker(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/hostile.html") as a:
        text = await a.text("snapshot")
        assert 'textbox "Children"' in text
        await a.call("click", ref=ref_of(text, "button", "Go"))
        assert await panel.witness(pages).see("document.title", "/hostile.html") == "went"


async def test_a_strict_policy_of_the_page_hinders_nothing(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/csp.html") as a:
        await a.call("fill", selector="#name", value="Ada")
        assert (await a.call("evaluate", code="document.querySelector('#name').value"))["value"] == "Ada"
        assert 'textbox "Name"' in await a.text("snapshot")


async def test_nothing_is_left_in_the_page(visitor: Visit, pages: str, panel: Panel) -> None:
    trace = "document.documentElement.outerHTML + JSON.stringify(Object.getOwnPropertyNames(window).sort())"
    async with visitor(f"{pages}/popup.html") as a:
        witness = panel.witness(pages)
        before = await witness.see(trace, "/popup.html")
        await a.text("snapshot")
        await a.call("hover", selector="#open")
        await a.picture(name="trace")
        await a.call("wait", text="Open")
        assert await witness.see(trace, "/popup.html") == before


async def test_a_screenshot_of_the_viewport_after_scrolling(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        picture = (await a.picture(name="scrolled", scrollY=1100)).convert("RGB")
        assert picture.getpixel((110, 110)) == RED
        assert picture.getpixel((90, 110)) == (255, 255, 255)


def pixel(picture: Image.Image, x: int, y: int) -> tuple[int, int, int]:
    found = picture.getpixel((x, y))
    assert isinstance(found, tuple)
    return int(found[0]), int(found[1]), int(found[2])


def is_red(found: tuple[int, int, int]) -> bool:
    """What is drawn smaller has no hard edges."""
    red, green, _blue = found
    return red > 200 and green < 100


#: Below what is in sight.
SLOW_TO_DRAW = """for (let at = 0; at < 400; at += 1) {
  const slow = document.createElement("div");
  slow.style = `position: absolute; left: ${400 + at}px; top: ${1400 + at}px; width: 300px; height: 300px;
    background: #eee; filter: blur(${20 + at / 50}px)`;
  document.body.append(slow);
}"""


async def test_an_element_a_clip_and_the_full_page(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        element = (await a.picture(name="element", selector="#red")).convert("RGB")
        assert element.size == (50, 40)
        assert element.getpixel((1, 1)) == RED
        clip = {"x": 290, "y": 40, "width": 100, "height": 60}
        part = (await a.picture(name="clip", clip=clip, scale=2)).convert("RGB")
        assert part.size == (200, 120)
        assert part.getpixel((22, 22)) == BLUE
        assert part.getpixel((18, 18)) == (255, 255, 255)
        whole = (await a.picture(name="whole", fullPage=True)).convert("RGB")
        assert max(whole.size) <= 1568
        scale = whole.size[1] / 3000
        assert is_red(pixel(whole, round(120 * scale), round(1220 * scale)))


async def test_the_full_page_is_right_after_a_part_of_it_even_if_it_takes_long_to_draw(
    visitor: Visit, pages: str
) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("evaluate", code=SLOW_TO_DRAW)
        for number in range(6):
            await a.picture(name="clip", clip={"x": 0, "y": 40, "width": 100, "height": 60})
            whole = (await a.picture(name="whole", fullPage=True)).convert("RGB")
            scale = whole.size[1] / 3000
            assert is_red(pixel(whole, round(120 * scale), round(1220 * scale))), number


async def test_every_format_is_what_it_says(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        for form in ("png", "jpeg", "webp"):
            picture = await a.picture(name="format", format=form, width=300)
            assert (picture.format, picture.size[0]) == (form.upper(), 300)


async def test_a_pixel_of_the_picture_is_hit_by_the_mapping_it_states(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("screenshot", name="map", scrollY=1000, scale=0.5)
        shot = list(panel.hub.state.shots)[-1]
        picture = Image.open(shot.path).convert("RGB")
        pixels = [
            (x, y) for x in range(picture.width) for y in range(picture.height) if picture.getpixel((x, y)) == RED
        ]
        x, y = pixels[len(pixels) // 2]
        await a.call("click", x=x / shot.scale + shot.x, y=y / shot.scale + shot.y)
        assert (await panel.witness(pages).see("document.title", "/pixels.html")).startswith("red ")


async def test_a_tab_in_the_background_is_pictured_without_coming_forward(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/pixels.html") as a:
        behind = await current_tab(a)
        front = await a.call("new_tab", url=f"{pages}/blank.html")
        picture = (await a.picture(name="behind", tabId=behind, timeout=PATIENCE_MS)).convert("RGB")
        assert picture.getpixel((310, 60)) == BLUE
        assert await panel.witness(pages).see("document.visibilityState", "/pixels.html") is not None
        await a.call("close_tab", tabId=front["tabId"])


async def test_the_store_keeps_the_file_the_answer_names_for_its_owner_only(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        said = await a.text("screenshot", name="kept/../name")
        path = Path(said.rsplit("Saved as ", 1)[1])
        assert path.parent == panel.data.screenshots
        assert path.stat().st_mode & 0o777 == 0o600
        assert Image.open(io.BytesIO(path.read_bytes())).format == "PNG"


def buttons_in_view(snapshot: str) -> Iterator[tuple[str, bool]]:
    """Each button's name and whether it is said to be in the viewport; a run of those that are not is said once."""
    out_of_sight = 0
    for line in snapshot.splitlines():
        if run := re.match(r"\(the next (\d+) lines are offscreen\)", line):
            out_of_sight = int(run[1]) + 1
        if button := re.match(r'- button "([^"]+)"', line):
            yield button[1], out_of_sight == 0 and not line.endswith("offscreen")
        out_of_sight = max(0, out_of_sight - 1)


async def test_what_is_in_the_viewport_is_what_the_browser_says(visitor: Visit, pages: str) -> None:
    """More than half of the area, after every scroller, clip and transform: an IntersectionObserver is the judge."""
    judge = """new Promise((resolve) => {
        const seen = new IntersectionObserver((entries) => resolve(Object.fromEntries(
            entries.map(({ target, intersectionRatio }) => [target.textContent, intersectionRatio]))));
        for (const button of document.querySelectorAll("button")) seen.observe(button);
    })"""
    async with visitor(f"{pages}/in_view.html") as a:
        ratios = (await a.call("evaluate", code=judge))["value"]
        text = await a.text("snapshot", roles=["button"])
        told = dict(buttons_in_view(text))
        assert len(ratios) == len(told) > 300
        wrong = [name for name, ratio in ratios.items() if told[name] != (ratio > 0.5)]
        assert len(wrong) <= 0.02 * len(ratios), f"{len(wrong)} of {len(ratios)}: {wrong}"
        assert 80 < sum(ratio > 0.5 for ratio in ratios.values()) < len(ratios) - 80


async def test_a_document_that_has_lost_its_root_is_an_empty_page(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html?rootless") as a:
        await panel.witness(pages).see("document.documentElement.remove(); 1", "?rootless")
        assert (await a.text("snapshot")).startswith("# untitled")
        assert await a.text("get_visible_text") == "(no visible text)"
        assert (await a.picture(name="rootless")).width > 0
        for state in ("attached", "visible"):
            assert "COMMAND_TIMEOUT" in await a.fails("wait", text="Back again", state=state, timeout=200)
        waiting = tasks.spawn(a.call("wait", text="Back again", timeout=PATIENCE_MS), "wait")
        await panel.executing(await current_tab(a))
        await panel.witness(pages).see(
            "document.append(document.createElement('p')), document.querySelector('p').textContent = 'Back again'",
            "?rootless",
        )
        assert (await waiting)["text"] == "Back again"
