"""Clicks while the extension's links are cut at any byte: none happens twice, and what became of each is told."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from kapture_panel.demo.agent import ToolError
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure, percentile, spread
from tests.support.cutting_proxy import Direction, Passing
from tests.support.e2e.cutting import PRESSES, Cut, behind_a_proxy
from tests.support.e2e.panel import PAGES

CLICKS, FULL = 500, 10_000
#: A link is cut after any number of bytes below this: within a click, or some clicks later.
MOST_BYTES = 2500
#: One cut in so many breaks every link, the browser's own, too.
ALL_IN = 5
MAX_P50_S, MAX_S = 0.5, 3.0
DIRECTIONS: tuple[Direction, ...] = ("to_panel", "to_browser")


async def measure(folder: Path, count: int) -> Figure:
    """Compare the clicks that the page counted with those that the history calls done."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"          seed {seed}", flush=True)
    with DemoSite(PAGES) as site:
        async with behind_a_proxy(folder / "data", site.url) as opened, opened() as cut:
            answers, back_s = await click(cut, count, random.Random(seed))
            return await figure(cut, answers, back_s)


async def click(cut: Cut, count: int, lot: random.Random) -> tuple[Counter[str], list[float]]:
    """What the clicks were answered, and how long the tab was away after each cut."""
    answers: Counter[str] = Counter()
    back_s = []
    link = await armed(cut, lot)
    for _ in range(count):
        try:
            await cut.agent.call("click", selector="#count")
            answers["ok"] += 1
        except ToolError as error:
            answers[str(error).partition(":")[0]] += 1
        if link.is_cut:
            if lot.randrange(ALL_IN) == 0:
                cut.proxy.cut_all()
            back_s.append((await cut.link()).registered_at - link.cut_at)
            await cut.is_back()
            link = await armed(cut, lot)
    link.left.clear()
    return answers, back_s


async def armed(cut: Cut, lot: random.Random) -> Passing:
    """The tab's link, which breaks after so many more bytes."""
    link = await cut.link()
    link.left[lot.choice(DIRECTIONS)], link.cuts_at_end = lot.randrange(MOST_BYTES), True
    return link


async def figure(cut: Cut, answers: Counter[str], back_s: list[float]) -> Figure:
    """What the page and the history say of them."""
    history = cut.hub.state.history
    clicks = f"tab:{cut.tab_id} cmd:click"
    await cut.until(lambda: not any(row.state == "running" for row in history.rows(limit=10)))
    rows = history.rows(limit=2 * sum(answers.values()), matching=clicks)
    states = Counter(row.state for row in rows)
    pressed = await cut.witness.see(PRESSES)
    shown = (
        f"{len(back_s)} cuts, {pressed} presses for {states['ok']} rows that say so; of {answers['OUTCOME_UNKNOWN']} "
        f"answers OUTCOME_UNKNOWN {states['unknown'] + states['running']} were never settled; "
        f"answers {dict(answers)}; back after {spread(back_s)}"
    )
    is_right = pressed == states["ok"] and not states["unknown"] and len(rows) == answers.total()
    is_fast = percentile(back_s, 50) <= MAX_P50_S and max(back_s) <= MAX_S
    return Figure(shown, is_right and is_fast and states["ok"] >= answers["ok"])


CHECK = Check(
    "cuts",
    "clicks over links that are cut at random bytes: none is done twice, each OUTCOME_UNKNOWN is settled, the tab is "
    f"back after p50 <= {MAX_P50_S} s, max <= {MAX_S:.0f} s",
    measure,
    longest_s=300,
    amount=Amount(CLICKS, FULL, "clicks"),
)
