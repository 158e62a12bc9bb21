"""`make bench-tokens`: the same calls over pages of miniwob and the demo's job; what their answers cost a model.

Each page is begun with the same chance, so its task is always the same; after the calls the page itself says whether
the job is done. Tokens are a quarter of the bytes of the answers' text, as everywhere in this project.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_types import CallToolResult, TextContent

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.job import STEPS, CheckFailed, Job
from kapture_panel.demo.site import DemoSite
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.bench.tokens_pages import PAGES, Call
from tests.bench.tokens_record import RECORD, Record, Row, finish, steady
from tests.support.e2e.package_site import PackageSite
from tests.support.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp import Client

    from kapture_panel.hub.browsers.cdp_pipe import CdpPipe

#: The part of the wheel that `make bench-tokens` puts there.
SITE = ROOT / "build" / "miniwob" / "miniwob" / "html"
DEMO = "demo"
#: How long a page may take to say that its job is done. It says so at once; this ends a job that is not.
LONGEST_S = 10.0
#: The clock is stopped because the page shows it.
BEGIN = """
Math.seedrandom('7');
core.EPISODE_MAX_TIME = 1e8;
core.startEpisodeReal();
core.clearTimer();
globalThis.jobDone = new Promise(tell => {
  const end = core.endEpisode;
  core.endEpisode = (...all) => { end(...all); tell(WOB_RAW_REWARD_GLOBAL); };
});
0
"""


class CountedAgent(Agent):
    """An agent that counts its calls and the bytes of their answers' text.

    Args:
        client: its conversation.
        data_dir: the panel's data directory, which stands in paths.
        shows_answers: whether each call and its answer is printed.
    """

    def __init__(self, client: Client, data_dir: Path, *, shows_answers: bool) -> None:
        super().__init__(client)
        self._data_dir = data_dir
        self._shows_answers = shows_answers
        self._calls = 0
        self._answer_bytes = 0

    def row(self, page: str, failure: str) -> Row:
        """What was counted so far."""
        return Row(page, self._calls, round(self._answer_bytes / 4), failure)

    async def _call(self, command: str, params: Params) -> CallToolResult:
        result = await super()._call(command, params)
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        self._calls += 1
        self._answer_bytes += len(steady(text, self._data_dir).encode())
        if self._shows_answers:
            print(f"\n{command} {params}\n{text}", flush=True)
        return result


class Bench:
    """Does the jobs, each in a tab of its own, so that no page's refs depend on the pages before it."""

    def __init__(self, client: Client, pipe: CdpPipe, data_dir: Path, *, shows_answers: bool) -> None:
        self._client = client
        self._pipe = pipe
        self._data_dir = data_dir
        self._shows_answers = shows_answers

    async def page(self, site: str, page: str, calls: Sequence[Call]) -> Row:
        """Begin a page's task and do it."""
        agent, helper = self._agent(), Agent(self._client)
        tab_id = (await helper.call("new_tab", url="about:blank"))["tabId"]
        failure = ""
        try:
            await agent.call("navigate", url=f"{site}/miniwob/{page}.html")
            witness = Witness(self._pipe, site)
            await witness.see(BEGIN)
            await agent.text("snapshot")
            for command, params in calls:
                await agent.call(command, **params)
            async with asyncio.timeout(LONGEST_S):
                reward = await witness.see("jobDone")
            failure = "" if reward == 1 else f"the page's reward is {reward}"
        except TimeoutError:
            failure = "the page still waits for its job"
        except (ToolError, KaptureError) as error:
            failure = str(error)
        await helper.call("close_tab", tabId=tab_id)
        return agent.row(page, failure)

    async def demo(self, site: str) -> Row:
        """Do the demo's job, in the tab that the browser came with: it counts on no other."""
        agent = self._agent()
        job = Job(agent, Witness(self._pipe, site), site)
        for title, step in STEPS:
            try:
                await step(job)
            except (ToolError, KaptureError, CheckFailed) as error:
                return agent.row(DEMO, f"{title}: {error}")
        return agent.row(DEMO, "")

    def _agent(self) -> CountedAgent:
        return CountedAgent(self._client, self._data_dir, shows_answers=self._shows_answers)


@asynccontextmanager
async def opened(folder: Path, *, shows_answers: bool) -> AsyncIterator[Bench]:
    """The panel without its window, its browser, and an agent's conversation, in the data directory `folder`."""
    data = paths.DataDir.open(str(folder))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    try:
        await hub.start()
        await hub.browsers.open(in_front=True)
        assert hub.browsers.shared is not None
        async with connect(data.root, "bench") as client:
            yield Bench(client, hub.browsers.shared.pipe, data.root, shows_answers=shows_answers)
    finally:
        await hub.stop()
        instance.release()


async def measured(only: Sequence[str], *, shows_answers: bool) -> list[Row]:
    """A row of each job in `only`, or of all when it is empty."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        # The browser asks a site for it once, and would be told in some answer that it is not there.
        extra = Path(folder) / "site"
        extra.mkdir()
        (extra / "favicon.ico").touch()
        with PackageSite(extra, SITE) as site, DemoSite(paths.resources() / "demo_site") as shop:
            async with opened(Path(folder) / "data", shows_answers=shows_answers) as bench:
                if DEMO in (only or [DEMO]):
                    rows.append(await bench.demo(shop.url))
                for page, calls in PAGES.items():
                    if page in (only or PAGES):
                        rows.append(await bench.page(site.url, page, calls))
    return rows


def main() -> int:
    names = [DEMO, *PAGES]
    listed = textwrap.fill(f"pages: {', '.join(names)}", width=100, break_on_hyphens=False)
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.tokens",
        description=__doc__,
        epilog=listed,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("only", nargs="*", metavar="page", help="do only these")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}, which later runs are put beside")
    parser.add_argument("--answers", action="store_true", help="print each call and its answer")
    given = parser.parse_args()
    if unknown := sorted(set(given.only) - set(names)):
        parser.error(f"no page {unknown[0]!r}; there are {', '.join(names)}")
    if given.record and given.only:
        parser.error("--record is for a run of all pages: leave out their names")
    if not SITE.is_dir():
        parser.error(f"there are no pages in {SITE.relative_to(ROOT)}: run make bench-tokens, which fetches them")
    rows = asyncio.run(measured(given.only, shows_answers=given.answers))
    return finish(rows, Record(RECORD), renew=given.record)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
