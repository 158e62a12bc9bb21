"""A page that floods its console pays for it alone: it is slowed, each line is counted, and other tabs answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.doctor import Check
from kapture_panel.core.stores.console import ConsoleLine
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, heard
from tests.support.patience import PATIENCE_MS, PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

FLOOD = (
    "window.written = 0; window.flood = setInterval(() => "
    "{ for (let line = 0; line < 50; line += 1) console.log(`line ${++written}`); }, 10); 0"
)
SLOWED = "Kapture slows this page: it floods its console, which holds up all tabs"
STOPPED_WORKER = SLOWED.replace("slows this page", "stops a worker of this page")
SLOWED_FRAME = SLOWED.replace("this page", "a frame of this page")
#: The frame says in its page how many lines it wrote, and how long a loop takes in it.
FRAMED = """
window.frame = document.body.appendChild(Object.assign(document.createElement("iframe"), {{ src: "{frame}" }}));
window.asked = (what) => new Promise((resolve) => {{
  addEventListener("message", ({{ data }}) => resolve(data), {{ once: true }});
  frame.contentWindow.postMessage(what, "*");
}});
0"""
#: The page's is its best of five, lest a busy machine count as a brake.
SPEEDS = """
const times = [];
for (let round = 0; round < 5; round += 1) {
  const started = performance.now();
  for (let sum = 0, at = 0; at < 5e5; at += 1) sum += at % 7;
  times.push(performance.now() - started);
}
({ frame: await asked("speed"), page: Math.min(...times) })"""
STOP = "clearInterval(flood); console.log('the end'); written + 1"
#: The worker says when it is told to stop how many lines it wrote.
FLOODING_WORKER = """
const source = `
  let written = 0;
  const flood = setInterval(() => { for (let line = 0; line < 50; line += 1) console.log("line " + ++written); }, 10);
  onmessage = () => { clearInterval(flood); console.log("the end"); postMessage(written + 1); };`;
window.worker = new Worker(URL.createObjectURL(new Blob([source])));
0"""
STOP_WORKER = "new Promise((done) => { worker.onmessage = ({ data }) => done(data); worker.postMessage('stop'); })"


class Others:
    """What else the console of a tab is told, such as by Kapture: how often it brakes depends on the machine."""

    def __init__(self) -> None:
        self._lines: list[ConsoleLine] = []

    def hear(self, lines: list[ConsoleLine]) -> None:
        self._lines += [line for line in lines if not line.text.startswith("line ") and line.text != "the end"]

    def of(self, tab_id: str) -> list[str]:
        return [line.text for line in self._lines if line.tab_id == tab_id]


@pytest.fixture
def others(panel: Panel) -> Iterator[Others]:
    """From before there is a tab."""
    heard_here = Others()
    appended = panel.hub.state.console.appended
    appended.connect(heard_here.hear)
    yield heard_here
    appended.disconnect(heard_here.hear)


def told_of(panel: Panel, tab_id: str) -> int:
    """How many lines were kept or counted."""
    console = panel.hub.state.console
    return len(console.lines(tab_id)) + console.dropped.get(tab_id, 0)


async def examined(panel: Panel) -> Check:
    """What the doctor says of the tabs."""
    checks = [check async for check in panel.hub.doctor.examine()]
    return next(check for check in checks if check.link == "tab")


async def test_a_flooding_page_is_slowed_and_every_line_is_counted(
    panel: Panel, agent: OpenAgent, pages: str, others: Others
) -> None:
    async with agent(f"{pages}/blank.html") as loud, agent(f"{pages}/blank.html") as quiet:
        tab_id = await current_tab(loud)
        async with heard(panel, SLOWED):
            await loud.call("evaluate", code=FLOOD)
        for number in range(20):
            assert (await quiet.call("evaluate", code=f"{number} + 1"))["value"] == number + 1
        async with heard(panel, "the end"):
            written = (await loud.call("evaluate", code=STOP, timeout=PATIENCE_MS))["value"]
        assert told_of(panel, tab_id) == written + len(others.of(tab_id))
        kept = (await panel.hub.core.router.run(panel.hub.state.person, "logs", {"tabId": tab_id})).result
        assert kept["kept"] + kept["dropped"] == told_of(panel, tab_id)


def is_slowed(answer: JsonObject) -> bool:
    """Whether the frame is, and the page around it is not."""
    speeds = answer["value"]
    return bool(speeds["frame"] > 4 * speeds["page"])


async def test_a_worker_that_floods_stands_still_for_some_seconds_and_every_line_is_counted(
    panel: Panel, agent: OpenAgent, pages: str, others: Others
) -> None:
    async with agent(f"{pages}/blank.html") as loud, agent(f"{pages}/blank.html") as quiet:
        tab_id = await current_tab(loud)
        async with heard(panel, STOPPED_WORKER):
            await loud.call("evaluate", code=FLOODING_WORKER)
        assert (await quiet.call("evaluate", code="1 + 1"))["value"] == 2
        async with heard(panel, "the end"):
            written = (await loud.call("evaluate", code=STOP_WORKER, timeout=PATIENCE_MS))["value"]
        assert told_of(panel, tab_id) == written + len(others.of(tab_id))
        texts = [line.text for line in panel.hub.state.console.lines(tab_id)]
        assert texts.index("Kapture no longer stops a worker of this page") < texts.index("the end")


async def test_a_frame_of_another_site_pays_for_its_flood_not_the_page_around_it(
    panel: Panel, agent: OpenAgent, pages: str, others: Others
) -> None:
    async with agent(f"{pages}/blank.html") as loud:
        tab_id = await current_tab(loud)
        frame = f"{pages.replace('127.0.0.1', 'localhost')}/flooding.html"
        await loud.call("evaluate", code=FRAMED.format(frame=frame))
        await loud.call("wait", text="Floods when it is told to.")  # then it is listened to
        async with heard(panel, SLOWED_FRAME):
            await loud.call("evaluate", code="frame.contentWindow.postMessage('flood', '*')")
        async with asyncio.timeout(PATIENCE_S):  # on a busy machine the flooded worker may answer too late
            while f"{tab_id}: it floods its console" not in (check := await examined(panel)).words:
                pass
        assert check.state == "failed"
        async with asyncio.timeout(PATIENCE_S):  # on a busy machine the page is held up, too
            while not is_slowed(await loud.call("evaluate", code=SPEEDS, timeout=PATIENCE_MS)):
                pass
        async with heard(panel, "the end"):
            written = (await loud.call("evaluate", code="asked('stop')", timeout=PATIENCE_MS))["value"]
        assert told_of(panel, tab_id) == written + len(others.of(tab_id))
