"""What is read off a picture is where the picture says, at every device scale factor."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.support.e2e.panel import Panel, Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

WAYS: dict[str, dict[str, Any]] = {
    "viewport": {},
    "clip": {"clip": {"x": 100, "y": 60, "width": 300, "height": 240}},
    "fullPage": {"fullPage": True},
    "scaled": {"scale": 0.5},
    "enlarged": {"scale": 2, "clip": {"x": 0, "y": 0, "width": 400, "height": 300}},
    "scrolled": {"scrollY": 737},
    "element": {"selector": "#one"},
}

#: So many cells are hit in each picture.
CLICKS = 3
#: What the colour of every cell has.
BLUE = b"\x80"


async def test_a_cell_seen_in_a_picture_is_hit(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/grid.html") as a:
        for factor in (1, 2, 0.5):
            await a.call("resize", width=1000, height=700, deviceScaleFactor=factor)
            await a.call("evaluate", code="scrollTo(0, 0)")
            for way, params in WAYS.items():
                with naming(factor, way):
                    await a.call("screenshot", name=f"grid-{way}-{factor}", format="png", **params)
                    shot = list(panel.hub.state.shots)[-1]
                    visible = []
                    for name, (x, y) in cells_in(shot.path).items():
                        at = ((x + 0.5) / shot.scale + shot.x, (y + 0.5) / shot.scale + shot.y)
                        if 0 <= at[0] < 1000 and 0 <= at[1] < 700:
                            visible.append((name, at))
                    assert len(visible) >= (1 if way == "element" else 100)
                    chosen = random.Random(7).sample(visible, min(CLICKS, len(visible)))
                    for _, spot in chosen:
                        await a.call("click", x=spot[0], y=spot[1])
                    hits = (await a.call("evaluate", code="hits.splice(0).join(' ')"))["value"]
                    assert hits == " ".join(name for name, _ in chosen)


def cells_in(path: Path) -> dict[str, tuple[int, int]]:
    """The middle pixel of each cell that a picture shows whole or in part, by the cell's colour."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    size_px, pixels = picture.width, picture.tobytes()
    cells: dict[str, list[int]] = {}
    # Few pixels have a cell's blue: the search for that byte leaps over all others.
    at = pixels.find(BLUE)
    while at >= 0:
        red, green, place = pixels[at - 2], pixels[at - 1], at // 3
        if at % 3 == 2 and red % 5 == 0 and green % 2 == 0:
            cells.setdefault(f"{red},{green}", []).append(place)
        at = pixels.find(BLUE, at + 1)
    middles = {name: sorted(places, key=lambda place: (place % size_px, place)) for name, places in cells.items()}
    return {
        name: (places[len(places) // 2] % size_px, places[len(places) // 2] // size_px)
        for name, places in middles.items()
    }


OUTSIDE = [
    {"x": 99999, "y": 0, "width": 20, "height": 20},
    {"x": 0, "y": 3000, "width": 20, "height": 20},
    {"x": -50, "y": -50, "width": 50, "height": 90},
]


async def test_a_clip_outside_the_page_is_no_picture(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("resize", width=900, height=600)
        for clip in OUTSIDE:
            with naming(clip):
                said = await a.fails("screenshot", name="nowhere", clip=clip)
                assert said.startswith("INVALID_PARAMS: "), said
                assert f"{clip['x']}, {clip['y']}" in said
                assert "900 × 3000" in said


async def test_a_clip_partly_outside_is_cut_to_the_page_and_says_so(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("resize", width=900, height=600)
        clip = {"x": -10, "y": 2980, "width": 60, "height": 500}
        said = await a.text("screenshot", name="edge", clip=clip)
        assert said.startswith("50 × 20 png, scale 1"), said
        assert "cut to the page, which is 900 × 3000" in said
        assert "click x, y = pixel + (0, 2980)." in said


async def test_an_element_outside_the_page_cannot_be_pictured(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("evaluate", code="document.querySelector('#red').style = 'position: absolute; left: -9999px'")
        said = await a.fails("screenshot", name="away", selector="#red")
        assert said.startswith("ELEMENT_NOT_VISIBLE: "), said
        assert '<div id="red">' in said


async def test_a_page_that_scrolls_to_the_left_is_pictured_where_it_is_scrolled_to(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("resize", width=900, height=600)
        wide = "<div style='width: 3000px; height: 99px; background: linear-gradient(90deg, #00f 50%, #f00 50%)'></div>"
        await a.call("evaluate", code=f"document.dir = 'rtl'; document.body.innerHTML = {wide!r}")
        await a.call("scroll", deltaX=-1900)
        picture = (await a.picture(name="left")).convert("RGB")
        assert picture.size == (900, 600)
        assert picture.getpixel((400, 50)) == (0, 0, 255)


async def test_a_picture_too_large_to_make_names_the_limit_and_what_to_do(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("resize", width=1000, height=600)
        await a.call("evaluate", code="document.body.style.height = '45000px'")
        said = await a.fails("screenshot", name="huge", fullPage=True, scale=3)
        assert said.startswith("INVALID_PARAMS: "), said
        for word in ("3000 × 135000", "40 million", "scale", "0.94", "clip", "scrollY"):
            assert word in said, word
        assert (await a.picture(name="huge", fullPage=True, scale=0.5)).size == (500, 22500)


async def test_a_picture_too_small_to_read_says_how_to_get_a_larger_one(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("resize", width=1000, height=600)
        assert "too small" not in await a.text("screenshot", name="whole", fullPage=True)
        await a.call("evaluate", code="document.body.style.height = '45000px'")
        said = await a.text("screenshot", name="whole", fullPage=True)
        assert "too small to read" in said
        for word in ("clip", "scrollY", "scale"):
            assert word in said
        assert "too small" not in await a.text("screenshot", name="thumb", fullPage=True, height=200)
        assert "too small" not in await a.text("screenshot", name="thumb", fullPage=True, scale=0.05)
