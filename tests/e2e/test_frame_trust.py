"""Nothing is left in a frame, a frame bends nothing, and the policy holds in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kapture_panel.demo.agent import ref_of
from kapture_panel.demo.site import DemoSite
from tests.support.e2e.frames import PAY, loaded, said
from tests.support.e2e.panel import PAGES, OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def framed(pages: str) -> Iterator[str]:
    """A page with frames of another site, of a sandbox, and of another port of its own host."""
    with DemoSite(PAGES) as sister:
        yield f"{pages}/frames_top.html?sister={sister.url.rsplit(':', 1)[1]}"


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
    assert panel.hub.browsers.shared is not None
    pipe = panel.hub.browsers.shared.pipe
    frames = (await pipe.call("Target.getTargets", {"filter": [{"type": "iframe"}]}))["targetInfos"]
    found = next(frame["targetId"] for frame in frames if part in frame["url"])
    return str((await pipe.call("Target.attachToTarget", {"targetId": found, "flatten": True}))["sessionId"])


async def evaluated(panel: Panel, session: str, expression: str) -> Any:
    """The value of an expression in the frame's own world."""
    assert panel.hub.browsers.shared is not None
    asking = {"expression": expression, "returnByValue": True}
    return (await panel.hub.browsers.shared.pipe.call("Runtime.evaluate", asking, session=session))["result"].get(
        "value"
    )


async def traces(panel: Panel, session: str) -> tuple[Any, list[list[str]]]:
    """What a frame's document holds, and what listens on its window and document, in whichever world."""
    assert panel.hub.browsers.shared is not None
    pipe = panel.hub.browsers.shared.pipe
    listening = []
    for target in ("window", "document"):
        thing = (await pipe.call("Runtime.evaluate", {"expression": target}, session=session))["result"]["objectId"]
        found = await pipe.call("DOMDebugger.getEventListeners", {"objectId": thing}, session=session)
        listening.append(sorted(listener["type"] for listener in found["listeners"]))
    return await evaluated(panel, session, TRACE), listening


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
