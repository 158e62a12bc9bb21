"""What is read off a picture is where the picture says, at every device scale factor."""

from __future__ import annotations

import random
from typing import Any

import pytest
from PIL import Image

from tests.support.e2e.panel import Panel, Visit

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
CLICKS = 8


@pytest.mark.parametrize("factor", [1, 2, 0.5])
@pytest.mark.parametrize("way", WAYS)
async def test_a_cell_seen_in_a_picture_is_hit(
    visitor: Visit, pages: str, panel: Panel, way: str, factor: float
) -> None:
    async with visitor(f"{pages}/grid.html") as a:
        await a.call("resize", width=1000, height=700, deviceScaleFactor=factor)
        await a.call("screenshot", name=f"grid-{way}-{factor}", format="png", **WAYS[way])
        shot = list(panel.hub.services.shots)[-1]
        picture = Image.open(shot.path).convert("RGB")
        cells: dict[str, list[tuple[int, int]]] = {}
        step = 1 if shot.scale * factor < 1 else 3  # a cell is larger than that
        for x in range(0, picture.width, step):
            for y in range(0, picture.height, step):
                red, green, blue = picture.getpixel((x, y))  # type: ignore[misc]
                if blue == 128 and red % 5 == 0 and green % 2 == 0:
                    cells.setdefault(f"{red},{green}", []).append((x, y))
        visible = []
        for name, pixels in cells.items():
            x, y = pixels[len(pixels) // 2]
            at = ((x + 0.5) / shot.scale + shot.x, (y + 0.5) / shot.scale + shot.y)
            if 0 <= at[0] < 1000 and 0 <= at[1] < 700:
                visible.append((name, at))
        assert len(visible) >= (1 if way == "element" else 100)
        chosen = random.Random(7).sample(visible, min(CLICKS, len(visible)))
        for _, spot in chosen:
            await a.call("click", x=spot[0], y=spot[1])
        assert (await a.call("evaluate", code="hits.join(' ')"))["value"] == " ".join(name for name, _ in chosen)


@pytest.mark.parametrize(
    "clip",
    [
        {"x": 99999, "y": 0, "width": 20, "height": 20},
        {"x": 0, "y": 3000, "width": 20, "height": 20},
        {"x": -50, "y": -50, "width": 50, "height": 90},
    ],
)
async def test_a_clip_outside_the_page_is_no_picture(visitor: Visit, pages: str, clip: dict[str, int]) -> None:
    async with visitor(f"{pages}/pixels.html") as a:
        await a.call("resize", width=900, height=600)
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
        assert "then add" not in said
        assert "plus 0, 2980" in said


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
