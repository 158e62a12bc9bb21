"""Where a command spends its time in the extension's worker: each call to the browser, when it begins and is answered.

`python -m tests.bench.where` prints them for a read, an evaluate, a click, a fill, a snapshot, a screenshot and a
navigation.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Any

from kapture_panel import paths
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.bench.harness import PAGES

WARM_UP = 8
#: In the worker: notes of each call when it began, its method, what it is about, and when it was answered.
NOTING = """(() => {
  globalThis.noted = [];
  const real = chrome.debugger.sendCommand.bind(chrome.debugger);
  chrome.debugger.sendCommand = (target, method, params) => {
    const about = method === "Runtime.callFunctionOn" ? params.arguments?.[0]?.value : params?.type;
    const note = [performance.now(), method, about ?? "", 0];
    globalThis.noted.push(note);
    const answered = () => (note[3] = performance.now());
    const sending = real(target, method, params);
    sending.then(answered, answered);
    return sending;
  };
})()"""

Page = Callable[[str], Awaitable[Any]]


async def told(in_worker: Page, name: str, work: Callable[[], Awaitable[object]]) -> None:
    """Print the calls of one command, after some that are not counted."""
    for _ in range(WARM_UP):
        await work()
    await in_worker("void (noted.length = 0)")
    began = time.perf_counter()
    await work()
    took = (time.perf_counter() - began) * 1000
    notes = await in_worker("noted")
    print(f"{name}: {took:.1f} ms, {len(notes)} calls")
    for start, method, about, end in notes:
        print(f"  {start - notes[0][0]:8.1f} {end - notes[0][0]:8.1f}   {method} {about}")


async def measure(hub: Hub, agent: Agent, site: str) -> None:
    """Each command in turn."""
    assert hub.browsers.shared is not None
    pipe = hub.browsers.shared.pipe
    targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "service_worker"}]}))["targetInfos"]
    worker = {"targetId": targets[0]["targetId"], "flatten": True}
    session = (await pipe.call("Target.attachToTarget", worker))["sessionId"]

    async def in_worker(expression: str) -> Any:
        given = {"expression": expression, "returnByValue": True}
        return (await pipe.call("Runtime.evaluate", given, session))["result"].get("value")

    await in_worker(NOTING)
    await agent.call("navigate", url=f"{site}/afterwards.html")
    await told(in_worker, "read", lambda: agent.call("count_elements", selector="p"))
    await told(in_worker, "evaluate", lambda: agent.call("evaluate", code="1+1"))
    await told(in_worker, "click", lambda: agent.call("click", selector="#now"))
    await agent.call("navigate", url=f"{site}/form50.html")
    await told(in_worker, "fill", lambda: agent.call("fill", selector="#i7", value="filled"))
    await told(in_worker, "snapshot", lambda: agent.text("snapshot"))
    await told(in_worker, "screenshot", lambda: agent.call("screenshot", name="where"))
    await told(in_worker, "navigate", lambda: agent.call("navigate", url=f"{site}/form50.html"))


async def main() -> None:
    """Measure with a panel of its own."""
    with tempfile.TemporaryDirectory() as folder, DemoSite(PAGES) as site:
        data = paths.DataDir.open(folder)
        instance = Instance(data.lock)
        assert instance.acquire(lambda: False)
        hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
        try:
            await hub.start()
            await hub.browsers.open(in_front=True)
            async with connect(data.root, "where") as client:
                await measure(hub, Agent(client), site.url)
        finally:
            await hub.stop()
            instance.release()


if __name__ == "__main__":
    asyncio.run(main())
