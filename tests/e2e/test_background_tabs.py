"""A tab in the background, where most agents work, is drawn while a command runs there."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import BOTH_KINDS, OpenAgent

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]

#: How many times a timer of 100 ms comes while a page paints twenty frames; the browser gives a page that nobody sees
#: one a second.
TIMES = """new Promise((resolve) => {
  let times = 0, frames = 0;
  const timer = setInterval(() => (times += 1), 100);
  const draw = () => {
    frames += 1;
    document.body.style.background = `rgb(${frames}, 0, 0)`;
    if (frames < 20) return requestAnimationFrame(draw);
    clearInterval(timer);
    resolve(times);
  };
  requestAnimationFrame(draw);
})"""


async def test_frames_come_there_as_in_front(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="open('blank.html', 'in-front'); 1")
        # The browser goes on for some frames after it hid the page.
        seen = [(await a.call("evaluate", code=TIMES))["value"] for _ in range(2)]
        assert seen[1] < 80
