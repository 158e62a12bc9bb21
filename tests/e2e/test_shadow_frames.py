"""What happens in a frame is seen, also where the frame is in a shadow root and no document counts it."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: A frame in a shadow root, with another in it, and a button outside that changes the text of either.
_MAKE = """new Promise((resolve) => {
  document.body.innerHTML = `<div id="host"></div><button id="outer">Outer</button><button id="inner">Inner</button>`;
  const frame = document.createElement("iframe");
  frame.srcdoc = "<p>0</p><iframe srcdoc='<p>0</p>'></iframe>";
  frame.onload = () => resolve(true);
  document.querySelector("#host").attachShadow({ mode: "open" }).append(frame);
  const within = () => frame.contentDocument;
  const adds = (doc) => (doc.querySelector("p").textContent += "1");
  document.querySelector("#outer").onclick = () => adds(within());
  document.querySelector("#inner").onclick = () => adds(within().querySelector("iframe").contentDocument);
})"""


@pytest.mark.parametrize("which", ["outer", "inner"])
async def test_a_change_in_a_frame_in_a_shadow_root_is_seen(visitor: Visit, pages: str, which: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        assert (await a.call("evaluate", code=_MAKE))["value"] is True
        assert (await a.call("evaluate", code="length"))["value"] == 0
        answer = await a.call("click", selector=f"#{which}")
    assert (answer["outcome"], answer["effects"]["changed"]) == ("done", True)
