"""Clicks while the extension's links are cut at any byte: none happens twice, and what became of each is told."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
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
#: The clicks go to these by turns, each of an agent of its own.
TABS = 10
DIRECTIONS: tuple[Direction, ...] = ("to_panel", "to_browser")


async def measure(folder: Path, count: int) -> Figure:
    """Compare the clicks that the page counted with those that the history calls done."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"          seed {seed}", flush=True)
    with DemoSite(PAGES) as site:
        async with behind_a_proxy(folder / "data", site.url) as opened, AsyncExitStack() as stack:
            cuts = [await stack.enter_async_context(opened()) for _ in range(TABS)]
            answers, back_s = await click(cuts, count, random.Random(seed))
            return await figure(cuts, answers, back_s)


async def click(cuts: list[Cut], count: int, lot: random.Random) -> tuple[Counter[str], list[float]]:
    """What the clicks were answered, and how long a tab was away after each cut."""
    answers: Counter[str] = Counter()
    back_s = []
    links = [await armed(cut, lot) for cut in cuts]
    for number in range(count):
        at = number % len(cuts)
        cut, link = cuts[at], links[at]
        if link.is_cut:  # with another tab's
            back_s.append((await cut.link()).registered_at - link.cut_at)
            await cut.is_back()
            link = links[at] = await armed(cut, lot)
        try:
            await cut.agent.call("click", selector="#count", tabId=cut.tab_id)
            answers["ok"] += 1
        except ToolError as error:
            answers[str(error).partition(":")[0]] += 1
        if link.is_cut:
            if lot.randrange(ALL_IN) == 0:
                cut.proxy.cut_all()
            back_s.append((await cut.link()).registered_at - link.cut_at)
            await cut.is_back()
            links[at] = await armed(cut, lot)
    for link in links:
        link.left.clear()
    return answers, back_s


async def armed(cut: Cut, lot: random.Random) -> Passing:
    """The tab's link, which breaks after so many more bytes."""
    link = await cut.link()
    link.left[lot.choice(DIRECTIONS)], link.cuts_at_end = lot.randrange(MOST_BYTES), True
    return link


def has_none(history: History, matching: str) -> bool:
    """Whether no row is found by a search."""
    return not history.rows(limit=1, matching=matching)


async def figure(cuts: list[Cut], answers: Counter[str], back_s: list[float]) -> Figure:
    """What the pages and the history say of them."""
    rows: list[Row] = []
    pressed, is_same = 0, True
    for cut in cuts:
        await cut.is_back()
        history = cut.hub.state.history
        clicks = f"tab:{cut.tab_id} cmd:click"
        await cut.until(partial(has_none, history, f"{clicks} status:running"))
        mine = history.rows(limit=2 * answers.total(), matching=clicks)
        presses = await cut.witness.see(PRESSES)
        rows, pressed = rows + mine, pressed + presses
        is_same = is_same and presses == sum(row.state == "ok" for row in mine)
    states = Counter(row.state for row in rows)
    shown = (
        f"{len(cuts)} tabs, {len(back_s)} cuts, {pressed} presses for {states['ok']} rows that say so; of "
        f"{answers['OUTCOME_UNKNOWN']} "
        f"answers OUTCOME_UNKNOWN {states['unknown'] + states['running']} were never settled; "
        f"answers {dict(answers)}; back after {spread(back_s)}"
    )
    is_right = is_same and not states["unknown"] and len(rows) == answers.total()
    is_fast = percentile(back_s, 50) <= MAX_P50_S and max(back_s) <= MAX_S
    return Figure(shown, is_right and is_fast and states["ok"] >= answers["ok"])


CHECK = Check(
    "cuts",
    f"clicks in {TABS} tabs over links that are cut at random bytes: none is done twice, each OUTCOME_UNKNOWN is "
    f"settled, the tab is back after p50 <= {MAX_P50_S} s, max <= {MAX_S:.0f} s",
    measure,
    longest_s=300,
    amount=Amount(CLICKS, FULL, "clicks"),
)
