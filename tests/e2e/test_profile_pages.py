"""Profiles on pages that show dialogs, download, and are left."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from PIL import Image

from kapture_panel.core.catalogue.catalogue import PREFIX
from kapture_panel.demo.agent import connect
from tests.support.e2e.panel import OpenAgent, Panel, dialog_shown, heard
from tests.support.e2e.profiles import TOLD, Row, Walk, page_for, tab_of_the_person, witness_of
from tests.support.hub.profiles import FIRST
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What an action did, and what came of a page besides.
WENT = '"outcome":"confirmed","effects":{<requests>"changed":true}<late>}'
NOTHING = '"outcome":"no_effect","effects":{"changed":false}<late>}'
READ_BACK = '"outcome":"confirmed","effects":{"changed":true,"target":{<any>}}<late>}'

#: The first eleven tools of Kapture, called as an agent that was made for them does.
KAPTURE = [
    Row("kapturemcp_list_tabs", {},
        '{"tabs":[<any>{"tabId":"<tab>","url":"<page>","title":"Profiles","state":"connected",'
        '"connectedAt":"<any>","driver":"kapture","holder":"kapture",'
        '"current":true}]}'),
    Row("kapturemcp_navigate", {"tabId": "<tab>", "url": "<page>?2", "timeout": 5000},
        '{"title":"Profiles","url":"<page>?2",' + WENT, ("location.search", "?2")),
    Row("kapturemcp_go_back", {"tabId": "<tab>"}, '{"title":"Profiles","url":"<page>",' + WENT,
        ("location.search", "")),
    Row("kapturemcp_go_forward", {"tabId": "<tab>"}, '{"title":"Profiles","url":"<page>?2",' + WENT,
        ("location.search", "?2")),
    Row("kapturemcp_click", {"tabId": "<tab>", "selector": "#button"},
        '{"clicked":"<button id=\\"button\\">","x":<number>,"y":<number>,' + NOTHING,
        (TOLD, "clicked true")),
    Row("kapturemcp_click", {"tabId": "<tab>", "selector": "#missing", "wait": 0},
        'ELEMENT_NOT_FOUND: nothing matches "#missing"; look at a snapshot', fails=True),
    Row("kapturemcp_click", {"tabId": "<tab>", "selector": "#["},
        'INVALID_SELECTOR: "#[" is not a CSS selector; write one like #id or [name=to]', fails=True),
    Row("kapturemcp_click", {"tabId": "gone", "selector": "#button"},
        "TAB_NOT_FOUND: no connected tab is called 'gone'; connected are <any><tab> (<any>)", fails=True),
    Row("kapturemcp_hover", {"tabId": "<tab>", "selector": "#hover"},
        '{"hovered":"<button id=\\"hover\\">","x":<number>,"y":<number>,' + NOTHING,
        (TOLD, "hovered")),
    Row("kapturemcp_fill", {"tabId": "<tab>", "selector": "#field", "value": "new"},
        '{"value":"new","outcome":"confirmed","effects":{"changed":true}<late>}', ("field.value", "new")),
    Row("kapturemcp_select", {"tabId": "<tab>", "selector": "#pick", "value": "b"},
        '{"labels":["Bread"],"values":["b"],' + READ_BACK, ("pick.value", "b")),
    Row("kapturemcp_evaluate", {"tabId": "<tab>", "code": "({ a: [1, 'ü'] })"},
        '{"value":{"a":[1,"ü"]},"outcome":"done","effects":{"changed":false}<late>}'),
    Row("kapturemcp_evaluate", {"tabId": "<tab>", "code": "foo"},
        "EXECUTION_ERROR: ReferenceError: foo is not defined (line 1, column 1)<any>", fails=True),
    Row("kapturemcp_evaluate", {"tabId": "<tab>", "code": "new Promise(() => {})", "timeout": 200},
        "COMMAND_TIMEOUT: not done after 200 ms; give a longer timeout or check the page<any>", fails=True),
    Row("kapturemcp_logs", {"tabId": "<tab>", "max": 2},
        "<number> error two\n    lines\n<number> warn a 1\n(2 of <number> lines, newest first)<any>",
        before="[console.log('first'), console.warn('a', 1), console.error('two\\nlines')]"),
    Row("kapturemcp_screenshot", {"tabId": "<tab>", "name": "pad", "selector": "#pad", "width": 50, "height": 50},
        "50 × 25 png, scale 0.5; click x, y = pixel / 0.5 + (400, 100). Saved as <path>",
        picture=(50, 25)),
]  # fmt: skip


Call = tuple[str, dict[str, Any]]


#: By profile: a tool that opens the page, one that looks at it, and one that leaves it.
DIALOGS: dict[str, tuple[Call | None, Call, Call]] = {
    "unibrowse": (None, ("browser_click", {"selector": "#pad"}), ("browser_navigate", {"url": "<page>?left"})),
    "webpilot": (
        ("browser_create_tab", {"url": "<page>"}), ("browser_click", {"tab_id": "<tab>", "selector": "#pad"}),
        ("browser_execute_js", {"tab_id": "<tab>", "code": "location.search = '?left'"}),
    ),
    "phoenix": (
        ("browser_navigate", {"url": "<page>"}), ("browser_eval", {"expression": "1"}),
        ("browser_navigate", {"url": "<page>?left"}),
    ),
    "browserx": (
        None, ("PageScreenShotTool", {"action": "click", "x": 450, "y": 120}),
        ("PageScreenShotTool", {"action": "click", "x": 450, "y": 120}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("profile", DIALOGS)
async def test_a_dialog_nobodys_call_opened_and_a_page_that_asks_not_to_be_left_stop_no_profile(
    panel: Panel, pages: str, profile: str
) -> None:
    page = f"{pages}/profiles.html"
    known = {"<page>": page}
    opening, looking, leaving = DIALOGS[profile]
    async with page_for(profile, panel, page), connect(panel.data.root, profile, "all", "--profile", profile) as client:

        async def call(tool: str, params: dict[str, Any]) -> str:
            filled = {name: Walk(client, known).filled(value) for name, value in params.items()}
            result = await client.call_tool(tool, filled)
            said = "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
            assert not result.is_error, said
            return said

        if opening is not None:
            opened = await call(*opening)
            if profile == "webpilot":
                known["<tab>"] = str(json.loads(opened)["tab_id"])
        await call(*looking)
        witness = witness_of(panel, profile, pages)
        await witness.see("setTimeout(() => { window.told = prompt('Late?', 'x') ?? 'nothing' }); 1", "/profiles.html")
        await dialog_shown(panel, page)
        assert (await call(*looking)).endswith('\nthe page showed a dialog, prompt "Late?"; it was dismissed')
        await witness.see(
            "onbeforeunload = (event) => event.preventDefault();pad.onclick = () => { location.search = '?left' }; 1",
            "/profiles.html",
        )
        assert (await call(*leaving)).endswith('\nthe page showed a dialog, beforeunload ""; it was accepted')
        assert await witness.see("location.search", "/profiles.html") == "?left"
        assert "the page showed" not in await call(*looking)
        if profile == "webpilot":
            await call("browser_close_tab", {"tab_id": "<tab>"})


async def test_webpilots_tabs_with_dialogs_are_opened_and_closed_in_one_call(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "webpilot", "all", "--profile", "webpilot") as client:

        async def call(tool: str, **params: Any) -> tuple[Any, str]:
            result = await client.call_tool(tool, params)
            assert not result.is_error, result.content
            first, *rest = [block.text for block in result.content if isinstance(block, types.TextContent)]
            return json.loads(first), "\n".join(rest)

        opened, said = await call("browser_create_tab", url=f"{pages}/dialogs.html?greeting")
        assert said == 'the page showed a dialog, alert "Welcome"; it was dismissed'
        await call("browser_click", tab_id=opened["tab_id"], selector="#arm")
        closed, said = await call("browser_close_tab", tab_id=opened["tab_id"])
        assert closed == {"success": True}
        assert said == 'the page showed a dialog, beforeunload ""; it was accepted'
        assert opened["tab_id"] not in [tab["tab_id"] for tab in (await call("browser_get_tabs"))[0]]


async def test_a_page_that_never_stops_showing_dialogs_is_left(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "phoenix", "all", "--profile", "phoenix") as client:

        async def call(tool: str, **params: Any) -> str:
            result = await client.call_tool(tool, params)
            return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))

        seconds, said = 1, ""
        async with asyncio.timeout(PATIENCE_S):
            # On a busy machine few are answered within the time.
            while not re.search(r"and \d+ dialogs more, answered in the same way$", said):
                await call("browser_navigate", url=f"{pages}/dialogs.html")
                said = await call("browser_eval", expression="for (;;) alert('again')", timeout=f"{seconds}s")
                assert said.startswith(f"Timeout after {seconds}s waiting for the expression\n")
                seconds *= 2
        assert (await call("browser_navigate", url=f"{pages}/blank.html")).startswith("done")
        assert await call("browser_eval", expression="1 + 1") == "<javascript_result>2</javascript_result>"


async def test_the_first_eleven_tools_of_kapture_answer_whole(panel: Panel, pages: str) -> None:
    assert {row.tool for row in KAPTURE} == {PREFIX + name for name in FIRST}
    page = f"{pages}/profiles.html"
    async with connect(panel.data.root, "kapture", "all", "--profile", "kapture") as client:
        opened = (await client.call_tool("kapturemcp_new_tab", {"url": page})).structured_content
        assert opened is not None
        walk = Walk(client, {"<page>": page, "<tab>": opened["tabId"]}, numbers=False)
        try:
            for row in KAPTURE:
                if row.before:
                    async with heard(panel, "two\nlines"):
                        await panel.witness(pages).see(row.before, "/profiles.html")
                await walk.take(row)
                if row.sees:
                    assert await panel.witness(pages).see(row.sees[0], "/profiles.html") == row.sees[1], row.tool
        finally:
            await client.call_tool("kapturemcp_close_tab", {"tabId": opened["tabId"]})


class Parcel(BaseHTTPRequestHandler):
    """Answers everything with a file to keep."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Disposition", 'attachment; filename="parcel.bin"')
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"parcel")

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def parcels() -> Iterator[str]:
    """The address of a download."""
    with HTTPServer(("127.0.0.1", 0), Parcel) as server:
        serving = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/parcel"
        server.shutdown()
        serving.join()


async def test_a_download_that_phoenix_navigates_to_is_told_with_its_file(
    panel: Panel, pages: str, parcels: str
) -> None:
    async with connect(panel.data.root, "phoenix", "all", "--profile", "phoenix") as client:
        await client.call_tool("browser_navigate", {"url": f"{pages}/blank.html"})
        result = await client.call_tool("browser_navigate", {"url": parcels})
        said = "".join(block.text for block in result.content if isinstance(block, types.TextContent))
        found = re.fullmatch(r"Download completed: parcel\.bin \(saved as (/\S+)\)", said)
        assert found, said
        assert Path(found[1]).is_relative_to(panel.data.downloads)
        assert Path(found[1]).read_bytes() == b"parcel"


async def test_webpilots_kept_script_runs_again_after_a_navigation(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "webpilot", "all", "--profile", "webpilot") as client:

        async def call(tool: str, **params: Any) -> Any:
            result = await client.call_tool(tool, params)
            assert not result.is_error, result.content
            block = result.content[0]
            assert isinstance(block, types.TextContent)
            return json.loads(block.text)

        tab = (await call("browser_create_tab", url=f"{pages}/profiles.html"))["tab_id"]
        url = f"{pages}/profiles.js"
        await call("browser_inject_script", tab_id=tab, script_url=url, keep_injected=True)
        await call("browser_execute_js", tab_id=tab, code="location.assign('/profiles.html?again')")
        assert (await call("browser_execute_js", tab_id=tab, code="[location.search, injected]"))["result"] == [
            "?again",
            1,
        ]
        await call("browser_close_tab", tab_id=tab)


async def test_browserx_leaves_no_picture_behind(agent: OpenAgent, panel: Panel, pages: str) -> None:
    before = set(panel.data.screenshots.iterdir())
    async with (
        agent(f"{pages}/pixels.html"), connect(panel.data.root, "browserx", "all", "--profile", "browserx") as client,
    ):  # fmt: skip
        for _ in range(3):
            result = await client.call_tool("PageScreenShotTool", {"action": "screenshot"})
            assert [block.type for block in result.content] == ["image", "text"]
            assert set(panel.data.screenshots.iterdir()) == before


async def test_a_point_of_browserx_picture_is_the_point_it_clicks_whatever_the_pixel_ratio(
    panel: Panel, pages: str
) -> None:
    async with (
        tab_of_the_person(panel, f"{pages}/pixels.html") as tab_id,
        connect(panel.data.root, "browserx", "all", "--profile", "browserx") as client,
    ):
        hub = panel.hub
        size = {"width": 2000, "height": 900, "deviceScaleFactor": 2, "tabId": tab_id}
        await hub.core.router.run(hub.state.person, "resize", size)
        result = await client.call_tool("PageScreenShotTool", {"action": "screenshot"})
        block = result.content[0]
        assert isinstance(block, types.ImageContent)
        picture = Image.open(io.BytesIO(base64.b64decode(block.data))).convert("RGB")
        assert picture.size == (2000, 900)
        blue = [(x, y) for x in range(0, 2000, 5) for y in range(0, 900, 5) if picture.getpixel((x, y)) == (0, 0, 255)]
        x, y = blue[len(blue) // 2]
        await client.call_tool("PageScreenShotTool", {"action": "click", "x": x, "y": y})
        told = await panel.witness(pages).see("document.title", "/pixels.html")
        assert told == f"blue {x - 300},{y - 50}"


@pytest.mark.parametrize("options", [["--profile", "nope"], ["--profile=phoenix", "--tools", "core"]])
async def test_a_profile_there_is_not_ends_the_child_with_a_reason(panel: Panel, options: list[str]) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kapture_panel", "mcp", "--data-dir", str(panel.data.root), *options,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, complaints = await child.communicate()
    assert child.returncode == 2
    expected = (
        "is not one of browserx, kapture, phoenix, unibrowse, webpilot" if "nope" in options else "exactly its tools"
    )
    assert expected in complaints.decode()
