"""Pages show dialogs: what opened one says so and how to go on, its tab waits, and other tabs answer meanwhile."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e.panel import PAGES
from tests.support.e2e.processes import Serve, unbounded

EACH, FULL = 25, 1_000
#: How a page is brought to show each kind. One that asks before it is left does so only after a press in it.
OPENED_BY = {kind: ("evaluate", {"code": f"{kind}('well?'); 1"}) for kind in ("alert", "confirm", "prompt")}
OPENED_BY["beforeunload"] = ("click", {"selector": "#link"})
NEXT = "answer it with kapturemcp_handle_dialog"


async def measure(folder: Path, count: int) -> Figure:
    """Open each kind by turns, look around, answer it."""
    root, seen, wrong = folder / "data", Counter[str](), Counter[str]()
    unbounded(root)
    serve = Serve(root, "--browser", "--headless")
    try:
        with DemoSite(PAGES) as site:
            async with connect(root, "asked") as one, connect(root, "beside") as other:
                asked, beside = Agent(one), Agent(other)
                for agent in (asked, beside):
                    await agent.call("new_tab", url=f"{site.url}/dialogs.html")
                for _ in range(count):
                    for kind in OPENED_BY:
                        await answered(asked, beside, kind, f"{site.url}/dialogs.html", wrong)
                        seen[kind] += 1
    finally:
        code = serve.end()
    shown = f"{dict(seen)} dialogs, wrong: {dict(wrong) or 'none'}; the panel ended with {code}"
    return Figure(shown, not wrong and set(seen.values()) == {count} and code == 0)


async def answered(asked: Agent, beside: Agent, kind: str, url: str, wrong: Counter[str]) -> None:
    """One dialog, from what opens it to what its answer leads to; what is not as it must be is counted in `wrong`."""
    if kind == "beforeunload":
        await asked.call("navigate", url=url)
        await asked.call("click", selector="#arm")
    command, params = OPENED_BY[kind]
    told = await asked.call(command, **params)
    (dialog,) = told["effects"].get("dialogs") or [{}]
    wrong.update({f"{kind}: not told": 1} if (dialog.get("type"), dialog.get("next")) != (kind, NEXT) else {})
    for agent, expected in ((asked, "DIALOG_OPEN"), (beside, "ok")):
        code = await said(agent, "evaluate", code="6 * 7")
        wrong.update({f"{kind}: {code} instead of {expected}": 1} if code != expected else {})
    handled = await asked.call("handle_dialog", accept=True)
    wrong.update({f"{kind}: {handled['handled']} handled": 1} if handled["handled"] != kind else {})
    code = await said(asked, "evaluate", code="6 * 7")
    wrong.update({f"{kind}: {code} afterwards": 1} if code != "ok" else {})


async def said(agent: Agent, name: str, **params: Any) -> str:
    """ "ok" or the error's code."""
    try:
        await agent.call(name, **params)
    except ToolError as error:
        return str(error).partition(":")[0]
    return "ok"


CHECK = Check(
    "dialogs",
    f"pages show {', '.join(OPENED_BY)}: what opened one names it and handle_dialog, what meets it ends with "
    "DIALOG_OPEN, other tabs answer, and its answer lets the tab go on",
    measure,
    longest_s=200,
    amount=Amount(EACH, FULL, "of each kind"),
)
