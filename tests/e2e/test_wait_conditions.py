"""What a wait waits for: what code promises, any element that matches, and words."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Visit
from tests.support.patience import PATIENCE_MS

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/blank.html"


@pytest.mark.parametrize(
    "expression",
    [
        "Promise.resolve(false)",
        "fetch('/none.html').then(answer => answer.ok)",
        "1, false",
        "new Promise(() => {})",
        "await Promise.resolve(0)",
        "globalThis.ready;",
    ],
)
async def test_an_expression_is_not_true_before_what_it_promises_is(
    visitor: Visit, pages: str, expression: str
) -> None:
    async with visitor(pages + PAGE) as a:
        assert (await a.fails("wait", expression=expression, timeout=700)).startswith("COMMAND_TIMEOUT")
        assert (await a.call("evaluate", code="1 + 1"))["value"] == 2


@pytest.mark.parametrize(
    "expression",
    ["window.ready;", "window.ready ; ", "Promise.resolve(window.ready)", "await window.ready", "0, window.ready",
     "window.ready // until then"],
)  # fmt: skip
async def test_an_expression_that_becomes_true_ends_the_wait(visitor: Visit, pages: str, expression: str) -> None:
    async with visitor(pages + PAGE) as a:
        await a.call("evaluate", code="delete window.ready; setTimeout(() => window.ready = {of: 1}, 100); 1")
        assert (await a.call("wait", expression=expression, timeout=PATIENCE_MS))["expression"] is True


async def test_a_promise_that_is_refused_says_why(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        said = await a.fails("wait", expression="Promise.reject(new RangeError('no such thing'))")
        assert said.startswith("EXECUTION_ERROR: wait: RangeError: no such thing"), said


ITEMS = "document.body.innerHTML = '<p class=one style=display:none>first</p><p class=one id=second>second</p>'; 1"


@pytest.mark.parametrize("target", [{"selector": ".one"}, {"xpath": "//p"}])
async def test_any_match_may_be_visible_and_none_may_be_before_they_are_hidden(
    visitor: Visit, pages: str, target: dict[str, str]
) -> None:
    async with visitor(pages + PAGE) as a:
        await a.call("evaluate", code=ITEMS)
        assert (await a.call("wait", **target, timeout=PATIENCE_MS))["found"] == '<p id="second">'
        assert (await a.fails("wait", **target, state="hidden", timeout=500)).startswith("COMMAND_TIMEOUT")
        await a.call("evaluate", code="second.hidden = true")
        assert "waited" in await a.call("wait", **target, state="hidden", timeout=PATIENCE_MS)
        await a.call("evaluate", code="document.body.textContent = ''")
        assert (await a.call("wait", **target, state="hidden", timeout=PATIENCE_MS))["found"] is None
        assert (await a.fails("wait", **target, state="attached", timeout=500)).startswith("COMMAND_TIMEOUT")


FRAMES = """
for (const [id, sandbox, style] of [["own", "allow-same-origin", "display: none"], ["foreign", "allow-scripts", ""]])
  document.body.append(Object.assign(document.createElement("iframe"), {id, sandbox,
    srcdoc: `<p class=one id=it style="${style}">one</p><script>onmessage = () => it.remove()</script>`}));
1"""


async def test_one_that_a_frame_of_another_origin_shows_is_not_hidden(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        await a.call("evaluate", code=FRAMES)
        for frame in ("#own", "#foreign"):
            await a.call("wait", selector=f"{frame} >>> .one", state="attached", timeout=PATIENCE_MS)
        hidden = {"selector": "iframe >>> .one", "state": "hidden"}
        assert (await a.fails("wait", **hidden, timeout=500)).startswith("COMMAND_TIMEOUT")
        await a.call("evaluate", code="foreign.contentWindow.postMessage(1, '*')")
        assert "waited" in await a.call("wait", **hidden, timeout=PATIENCE_MS)


@pytest.mark.parametrize("state", ["visible", "hidden", "attached"])
async def test_spaces_are_no_text_to_wait_for(visitor: Visit, pages: str, state: str) -> None:
    async with visitor(pages + PAGE) as a:
        said = await a.fails("wait", text="  \u00a0 ", state=state)
        assert said.startswith("INVALID_PARAMS: text holds nothing but spaces"), said
