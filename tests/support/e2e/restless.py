"""Actions on a page that never stands still, and what each of them really did."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from kapture_panel.demo.agent import Agent, ToolError

PAGE = "/restless.html"
#: What moves the page; under "keys" it still scrolls from a key when the action comes.
MODES = ("still", "keys", "animate", "insert", "shift", "renew", "late")
KEYS = ("End", "Home", "PageDown", "PageUp", "ArrowDown")
ROWS = 200
#: Rows that hold a field, something to drag, somewhere to drop it; the others are buttons.
FIELDS, CHIPS, ZONES = 3, 5, 7


@dataclass
class Tally:
    """How many actions were right, refused, or done to another element; examples of what was not right."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, kind: str, example: str) -> None:
        self.counts[kind] += 1
        if kind != "right":
            self.examples.append(f"{kind}: {example}")

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Restless:
    """A tab with the page, in one of its modes."""

    def __init__(self, agent: Agent, url: str, seed: int) -> None:
        self._agent = agent
        self._url = url + PAGE
        self._lot = random.Random(seed)
        self.tally = Tally()

    async def begin(self, mode: str) -> None:
        """Load the page again and let it move."""
        self._mode = mode
        await self._agent.call("navigate", url=self._url)
        if mode != "keys":
            await self._agent.call("evaluate", code=f"modes.{mode}()")

    async def act(self, kind: str) -> None:
        """Click, fill or drag one by lot, and count what came of it."""
        if self._mode == "keys":
            await self._agent.call("press_key", key=self._lot.choice(KEYS))
        command, params, wanted, others = getattr(self, f"_{kind}")()
        await self._agent.call("evaluate", code="heard.length = 0")
        try:
            await self._agent.call(command, **params)
            failed = ""
        except ToolError as error:
            failed = str(error)
        heard: list[str] = (await self._agent.call("evaluate", code="heard"))["value"]
        # A press here and a release there are a click on what is around both.
        wrong = [one for one in heard if others not in one.split() and one != "click list"]
        if command == "drag":
            # The browser selects text on the way, and a field it comes upon takes the focus, as under a hand.
            is_drop_told = "was dropped on" in failed or "let go of on the way" in failed
            others_told = ("focusin ", "drop ") if is_drop_told else ("focusin ",)
            wrong = [one for one in wrong if not one.startswith(others_told)]
        example = f"{self._mode} {command} {params}: heard {heard}; said {failed or 'done'}"
        if wrong or (not failed and wanted not in heard):
            self.tally.add("wrong", example)
        else:
            self.tally.add("refused" if failed else "right", example)

    def _row(self, *kinds: int) -> int:
        return self._lot.choice([row for row in range(ROWS) if row % 10 in kinds])

    def _click(self) -> tuple[str, dict[str, str], str, str]:
        button = f"b{self._row(0, 1, 2, 4, 6, 8, 9)}"
        return "click", {"selector": f"#{button}"}, f"click {button}", button

    def _fill(self) -> tuple[str, dict[str, str], str, str]:
        name = f"f{self._row(FIELDS)}"
        return "fill", {"selector": f"#{name}", "value": f"v{self._lot.random()}"}, f"input {name}", name

    def _drag(self) -> tuple[str, dict[str, str], str, str]:
        row = self._row(CHIPS)
        chip, zone = f"c{row}", f"z{row - row % 10 + ZONES}"
        return "drag", {"selector": f"#{chip}", "toSelector": f"#{zone}"}, f"drop {chip} {zone}", chip
