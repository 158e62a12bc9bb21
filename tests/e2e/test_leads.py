"""What a page opens beside itself: files in tabs of their own, windows that come later."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.paths import DataDir
from tests.support.e2e import own_browser
from tests.support.e2e.late import told
from tests.support.e2e.panel import Panel, Visit, extension_target
from tests.support.e2e.tab_person import person
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: The answer to /slow is held back until a test says so.
LET_GO = threading.Event()

#: The extension enters no tab until `letIn` is called.
HELD_OUTSIDE = """{
  const attach = chrome.debugger.attach;
  const gate = new Promise((open) => (globalThis.letIn = open));
  chrome.debugger.attach = async (...args) => {
    await gate;
    chrome.debugger.attach = attach;
    return attach.apply(chrome.debugger, args);
  };
}"""


class Attachments(BaseHTTPRequestHandler):
    """Each address is a file to keep."""

    def do_GET(self) -> None:
        if self.path == "/slow":
            LET_GO.wait()
        body = b"a,b\n"
        self.send_response(200)
        self.send_header("Content-Disposition", 'attachment; filename="r.csv"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    """The address of a server of attachments."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Attachments) as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        LET_GO.set()
        server.shutdown()
        serving.join()


async def test_downloads_of_one_name_are_files_of_their_own(visitor: Visit, pages: str, files: str) -> None:
    async with visitor(f"{pages}/leads.html?files={files}") as a:
        paths = []
        for link in ("#here", "#blank", "#opener", "#window", "#here"):
            (download,) = await told(a, await a.call("click", selector=link), "downloads")
            assert (download["fileName"], download["state"]) == ("r.csv", "completed")
            assert download["url"] == f"{files}/r.csv"
            paths.append(Path(download["path"]))
        assert len(set(paths)) == 5
        assert {path.read_text() for path in paths} == {"a,b\n"}
        assert all(path.name.startswith("r") and path.suffix == ".csv" for path in paths)


@pytest.mark.parametrize("link", ["#blank", "#opener", "#window"])
async def test_a_download_that_began_before_its_tab_could_be_entered_is_told_once(
    visitor: Visit, pages: str, files: str, panel: Panel, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert panel.hub.browsers.shared is not None
    downloads, arrived = panel.hub.browsers.shared.downloads, asyncio.Event()
    take = downloads.on_event

    def on_event(method: str, params: JsonObject) -> None:
        take(method, params)
        if params.get("state") == "completed":
            arrived.set()

    monkeypatch.setattr(downloads, "on_event", on_event)
    async with visitor(f"{pages}/leads.html?files={files}") as a:
        worker = {"targetId": (await extension_target(panel, "service_worker"))["targetId"], "flatten": True}
        session = (await panel.pipe.call("Target.attachToTarget", worker))["sessionId"]
        await panel.pipe.call("Runtime.evaluate", {"expression": HELD_OUTSIDE}, session)
        clicking = tasks.spawn(a.call("click", selector=link), "click")
        await asyncio.wait_for(arrived.wait(), PATIENCE_S)
        await panel.pipe.call("Runtime.evaluate", {"expression": "letIn()"}, session)
        await panel.pipe.call("Target.detachFromTarget", {"sessionId": session})
        (download,) = await told(a, await clicking, "downloads")
        assert (download["fileName"], download["state"], download["url"]) == ("r.csv", "completed", f"{files}/r.csv")
        # Nothing is told twice: not with the next answer, and not by the tab if it was entered in time.
        assert "lateEffects" not in await a.call("wait", time=100)


async def test_a_download_that_a_new_tab_turns_into_later_is_told_with_the_next_answer(
    visitor: Visit, pages: str, files: str
) -> None:
    async with visitor(f"{pages}/leads.html?files={files}") as a:
        clicked = await a.call("click", selector="#slow")
        assert await told(a, clicked, "newTabs") == [{"url": f"{files}/slow"}]  # it answers nothing yet
        LET_GO.set()
        looked: dict[str, Any] = {}
        async with asyncio.timeout(PATIENCE_S):
            while not (late := looked.get("lateEffects", {}).get("downloads")):
                looked = await a.call("wait", time=100)
        assert late[0]["fileName"] == "r.csv"


async def test_a_window_that_opens_late_is_told_with_the_next_answer(visitor: Visit, pages: str, files: str) -> None:
    async with visitor(f"{pages}/leads.html?files={files}") as a:
        # Only on a busy machine the click's own answer is later still.
        (tab,) = await told(a, await a.call("click", selector="#late"), "newTabs")
        assert tab["url"] == f"{pages}/blank.html"
        await a.call("close_tab", tabId=tab["tabId"])


async def test_in_a_persons_browser_a_new_tab_is_told_without_being_entered(
    tmp_path: Path, pages: str, files: str
) -> None:
    async with (
        own_browser.paired(tmp_path, f"{pages}/leads.html?files={files}") as (hub, browser),
        connect(tmp_path / "data", "clicker") as client,
    ):
        hub.core.router.gates.policy.own_preset = "trusting"
        popup = await browser.popup("/leads.html")
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await browser.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        a = Agent(client)
        for link in ("#blank", "#opener"):
            clicked = await a.call("click", selector=link)
            assert await told(a, clicked, "newTabs") == [{"url": f"{files}/r.csv", "closed": True}]
        (late,) = await told(a, await a.call("click", selector="#late"), "newTabs")
        assert (late["host"], "url" in late) == (pages.removeprefix("http://"), False)
        # A link into a new tab says so, too, and the tab can be asked for as the answer says.
        (new,) = await told(a, await a.call("click", selector="#away"), "newTabs")
        assert new.keys() == {"browserTabId", "host", "next"}
        assert new["next"] == "not connected: ask for it with kapturemcp_connect_tab"
        assert len(list(hub.state.tabs)) == 1
        listed = (await a.call("list_browser_tabs"))["tabs"]
        assert new["browserTabId"] in [tab["browserTabId"] for tab in listed]
        async with person(Panel(hub, DataDir(tmp_path / "data")), hub.core.router.gates.approvals.allow):
            answer = await a.call("connect_tab", browserTabId=new["browserTabId"])
        assert answer["url"] == f"{pages}/keys.html?away"
