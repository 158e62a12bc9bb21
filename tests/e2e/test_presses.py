"""Long and many clicks, and the keys of the number pad."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_click_is_made_ten_times_and_held(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/presses.html") as a:
        await a.call("click", selector="#held", clickCount=10)
        seen = (await a.call("evaluate", code="seen.splice(0)"))["value"]
        assert [count for count, _ in seen] == list(range(1, 11))
        await a.call("click", selector="#held", holdMs=700)
        ((_, held_ms),) = (await a.call("evaluate", code="seen.splice(0)"))["value"]
        assert held_ms >= 690  # never shorter than asked for; how much longer is the machine's
        assert "clickCount" in await a.fails("click", selector="#held", clickCount=11)


async def test_the_number_pad_writes_and_is_told_from_the_other_keys(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/presses.html") as a:
        for key in ("Numpad4", "NumpadAdd", "Numpad2", "NumpadEnter"):
            await a.call("press_key", selector="#pad", key=key)
        assert (await a.call("evaluate", code="seen"))["value"] == [
            ["4", "Numpad4", 3], ["+", "NumpadAdd", 3], ["2", "Numpad2", 3], ["Enter", "NumpadEnter", 3],
        ]  # fmt: skip
        assert (await a.call("evaluate", code="pad.value"))["value"] == "4+2"
