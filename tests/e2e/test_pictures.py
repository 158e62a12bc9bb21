"""What is read off a picture is where the picture says, at every device scale factor."""

from __future__ import annotations

import random
from typing import Any

import pytest
from PIL import Image

from tests.e2e.conftest import OpenAgent, Panel

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


@pytest.mark.parametrize("factor", [1, 2, 0.5])
@pytest.mark.parametrize("way", WAYS)
async def test_a_cell_seen_in_a_picture_is_hit(
    agent: OpenAgent, pages: str, panel: Panel, way: str, factor: float
) -> None:
    async with agent(f"{pages}/grid.html") as a:
        await a.call("resize", width=1000, height=700, deviceScaleFactor=factor)
        await a.call("screenshot", name=f"grid-{way}-{factor}", format="png", **WAYS[way])
        shot = list(panel.hub.services.shots)[-1]
        picture = Image.open(shot.path).convert("RGB")
        cells: dict[str, list[tuple[int, int]]] = {}
        for x in range(picture.width):
            for y in range(picture.height):
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
        chosen = random.Random(7).sample(visible, min(25, len(visible)))
        for _, spot in chosen:
            await a.call("click", x=spot[0], y=spot[1])
        assert (await a.call("evaluate", code="hits.join(' ')"))["value"] == " ".join(name for name, _ in chosen)
