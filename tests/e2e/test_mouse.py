"""The agent's mouse as pages and people see it: its way to a target, its cursor, and what a person chose for both."""

from __future__ import annotations

import asyncio
import base64
import io
import math
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.settings import NATURAL_MOUSE, SHOW_CURSOR
from kapture_panel.demo.agent import Agent
from kapture_panel.demo.witness import Witness
from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

BLUE = (37, 99, 235)
#: Inside the arrow, from its tip.
WITHIN = (3, 9)
PAGE = "/mouse.html"


@pytest.fixture(autouse=True)
def chosen(panel: Panel) -> Iterator[None]:
    """Each test leaves the person's choices as it found them."""
    yield
    for name in (NATURAL_MOUSE, SHOW_CURSOR):
        panel.hub.state.settings.set(name, "auto")


def choose(panel: Panel, **choices: str) -> None:
    names = {"natural": NATURAL_MOUSE, "cursor": SHOW_CURSOR}
    for name, choice in choices.items():
        panel.hub.state.settings.set(names[name], choice)


async def moves(witness: Witness) -> list[list[Any]]:
    """What the page's listener saw since it was asked last: [x, y, isTrusted, timeStamp]."""
    found: list[list[Any]] = await witness.see("seen.splice(0)", PAGE)
    return found


async def raw_picture(panel: Panel, witness: Witness) -> Image.Image:
    """What a person sees of the page, the browser's own drawing included."""
    assert panel.hub.browsers.shared is not None
    session = await witness.session(PAGE)
    shot = await panel.hub.browsers.shared.pipe.call("Page.captureScreenshot", {"format": "png"}, session=session)
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def has_cursor(picture: Image.Image, x: float, y: float, scale: float = 1) -> bool:
    return picture.convert("RGB").getpixel((round((x + WITHIN[0]) * scale), round((y + WITHIN[1]) * scale))) == BLUE


async def test_a_managed_browser_makes_one_move_unless_told_otherwise(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        witness = panel.witness(pages)
        for choice in ("auto", "off"):
            choose(panel, natural=choice, cursor=choice)
            await a.call("click", selector="#far")
            assert len(await moves(witness)) == 1
            await a.call("hover", selector="#near")
            assert not has_cursor(await raw_picture(panel, witness), 160, 120)
            await moves(witness)


async def test_the_mouse_goes_from_where_it_was_to_the_target_as_a_hand_does(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(pages + PAGE) as a:
        witness = panel.witness(pages)
        choose(panel, natural="on")
        seen: list[list[Any]] = []
        answer: dict[str, Any] = {}
        tries = 0
        async with asyncio.timeout(PATIENCE_S):
            while len(seen) <= 5:  # on a busy machine the way has fewer moves, for it is not to last longer
                await a.call("hover", selector="#near")
                await moves(witness)
                answer = await a.call("click", selector="#far")
                seen = await moves(witness)
                tries += 1
        assert len(seen) <= 41
        assert all(trusted for _x, _y, trusted, _at in seen)
        assert math.dist(seen[0][:2], (160, 120)) < 30
        assert seen[-1][:2] == [answer["x"], answer["y"]] == [960, 520]
        corner = [(x - 160) * (520 - 120) - (y - 120) * (960 - 160) for x, y, _trusted, _at in seen]
        assert any(abs(area) > 800 for area in corner), "not one straight line"
        assert await witness.see("clicks", PAGE) == [["far", True]] * tries


async def test_the_mouse_stays_where_it_was_in_its_tab_over_commands_and_pages(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        choose(panel, natural="on")
        await a.call("hover", x=700, y=600)
        async with agent(f"{pages}/keys.html") as other:
            await other.call("hover", x=20, y=20)
        await a.call("evaluate", code="1 + 1")
        await a.call("navigate", url=f"{pages}{PAGE}?again")
        await a.call("hover", selector="#near")
        assert math.dist((await moves(panel.witness(pages)))[0][:2], (700, 600)) < 30


async def test_a_target_that_jumps_away_is_followed_and_nothing_else_is_clicked(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(pages + PAGE) as a:
        witness = panel.witness(pages)
        choose(panel, natural="on")
        await witness.see("jump()", PAGE)
        answer = await a.call("click", selector="#far")
        assert (answer["x"], answer["y"]) == (660, 640)
        assert await witness.see("clicks", PAGE) == [["far", True]]
        await witness.see(
            "document.addEventListener('mousemove', () => document.querySelector('#near').remove())", PAGE
        )
        assert (await a.fails("click", selector="#near", wait=0)).startswith("ELEMENT_NOT_FOUND")
        assert await witness.see("clicks.length", PAGE) == 1


async def timed_out_on_its_way(a: Agent, witness: Witness) -> list[list[Any]]:
    """The first moves of a click whose time is over under it, as far as they have come to the page."""
    timeout = 250
    async with asyncio.timeout(PATIENCE_S):
        while True:
            assert (await a.fails("click", selector="#far", timeout=timeout)).startswith("COMMAND_TIMEOUT")
            if seen := await moves(witness):
                return seen
            timeout += 50  # on a busy machine it was over before the mouse began to move


async def cancelled_on_its_way(a: Agent, witness: Witness, panel: Panel) -> list[list[Any]]:
    """The first moves of a click that is cancelled once the page has seen one, as far as they have come to the page."""
    router, person = panel.hub.core.router, panel.hub.state.person
    moved = "new Promise((done) => document.addEventListener('mousemove', () => done(1), { once: true }))"
    params = {"selector": "#far", "tabId": await current_tab(a)}
    async with asyncio.timeout(PATIENCE_S):
        while True:
            first = tasks.spawn(witness.see(moved, PAGE), "first move")
            await witness.see("1", PAGE)  # answered behind the question above
            click = tasks.spawn(router.run(person, "click", params), "click")
            await first
            click.cancel()
            await asyncio.wait([click])
            seen = await moves(witness)
            if math.dist(seen[-1][:2], (960, 520)) > 20:
                assert click.cancelled()
                return seen
            await a.call("reload")  # on a busy machine the mouse was there before it was cancelled
            await a.call("hover", selector="#near")
            await moves(witness)


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
async def test_a_command_that_is_over_moves_no_more_and_clicks_nothing(
    agent: OpenAgent, pages: str, panel: Panel, how: str
) -> None:
    async with agent(pages + PAGE) as a:
        witness = panel.witness(pages)
        choose(panel, natural="on")
        seen: list[list[Any]] = []
        if how == "timed out":
            seen = await timed_out_on_its_way(a, witness)
        else:
            seen = await cancelled_on_its_way(a, witness, panel)
        await a.call("evaluate", code="new Promise((done) => setTimeout(done, 100))")
        seen += await moves(witness)
        assert seen
        assert math.dist(seen[-1][:2], (960, 520)) > 20
        await a.call("evaluate", code="new Promise((done) => setTimeout(done, 450))")
        assert await moves(witness) == []
        assert await witness.see("clicks", PAGE) == []


async def test_the_cursor_is_seen_by_people_not_in_screenshots_and_not_by_the_page(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        witness = panel.witness(pages)
        await witness.see("changes = 0", PAGE)
        choose(panel, cursor="on", natural="on")
        for x, y in ((60, 60), (500, 300)):  # over the page, over a frame
            await a.call("hover", x=x, y=y)
            assert has_cursor(await raw_picture(panel, witness), x, y)
            for _ in range(5):
                assert not has_cursor(await a.picture(name="mouse"), x, y)
            assert has_cursor(await raw_picture(panel, witness), x, y), "shown again after the picture"
        await a.call("click", x=60, y=60)
        assert await witness.see("[changes, Object.getOwnPropertyNames(window).length - globals]", PAGE) == [0, 0]
        assert await witness.see("document.elementFromPoint(63, 69).tagName", PAGE) == "BODY"
        choose(panel, cursor="off")
        await a.call("hover", x=60, y=60)
        assert not has_cursor(await raw_picture(panel, witness), 60, 60)


async def test_the_cursor_stays_over_the_next_page(agent: OpenAgent, pages: str, shop: str, panel: Panel) -> None:
    async with agent(f"{shop}/lab") as a:
        choose(panel, cursor="on")
        await a.call("hover", x=300, y=60)
        for query in ("?other-site", "?same-site"):
            await a.call("navigate", url=pages + PAGE + query)
            assert has_cursor(await raw_picture(panel, panel.witness(pages)), 300, 60), query


async def test_the_tip_is_on_the_point_on_a_dense_screen(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        witness = panel.witness(pages)
        choose(panel, cursor="on")
        metrics = {"width": 1000, "height": 700, "deviceScaleFactor": 2, "mobile": False}
        assert panel.hub.browsers.shared is not None
        pipe, session = panel.hub.browsers.shared.pipe, await witness.session(PAGE)
        await pipe.call("Emulation.setDeviceMetricsOverride", metrics, session=session)
        await a.call("hover", x=250, y=60)
        picture = await raw_picture(panel, witness)
        assert picture.size == (2000, 1400)
        assert has_cursor(picture, 250, 60, scale=2)
        assert not has_cursor(await a.picture(name="mouse", scale=2), 250, 60, scale=2)
