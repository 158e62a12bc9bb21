"""`inject_script` and `read_image` through MCP, in a real browser."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ImageContent, TextContent
from PIL import Image

from kapture_panel.demo.agent import connect
from tests.support.e2e.panel import PAGES, OpenAgent, Panel, Visit, current_tab, extension_target
from tests.support.patience import PATIENCE_S
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

COUNT = "globalThis.seen = (globalThis.seen ?? 0) + 1; globalThis.early = document.body === null; globalThis.seen"


async def test_a_script_runs_in_the_page_s_own_world_whatever_its_policy_says(agent: OpenAgent, pages: str) -> None:
    for page in ("csp.html", "blank.html"):
        async with agent(f"{pages}/{page}") as a:
            source = "var fromScript = {a: [1, 2]}; let lexical = 7; fromScript"
            answer = await a.call("inject_script", source=source)
            data = source.encode()
            assert answer["sha256"] == hashlib.sha256(data).hexdigest()
            assert (answer["bytes"], answer["value"], answer["kept"]) == (len(data), {"a": [1, 2]}, False)
            assert "url" not in answer
            assert answer["effects"]["changed"] is False
            assert (await a.call("evaluate", code="fromScript.a.length + lexical"))["value"] == 9


async def test_a_script_at_an_address_is_fetched_by_the_panel(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/csp.html?fetched") as a:
        data = (PAGES / "injected.js").read_bytes()
        answer = await a.call("inject_script", url=f"{pages}/injected.js?key=s3cret#x")
        assert answer["sha256"] == hashlib.sha256(data).hexdigest()
        assert (answer["bytes"], answer["value"], answer["url"]) == (len(data), 42, f"{pages}/injected.js?key=s3cret#x")
        assert await panel.witness(pages).see("injectedFunction()", "?fetched") == 42
        # Nothing of it went through the page.
        assert "injected.js" not in await a.text("list_requests")
        row = panel.hub.state.history.rows(limit=2)[1]
        assert row.params["url"].endswith("/injected.js?key=***#x")
        assert answer["sha256"] in row.summary


FAILING: list[tuple[dict[str, Any], str, str]] = [
    ({}, "INVALID_PARAMS", "exactly one of source, url"),
    ({"source": "1", "url": "https://a.example/"}, "INVALID_PARAMS", "exactly one of source, url"),
    ({"source": ""}, "INVALID_PARAMS", "source"),
    ({"source": "let a = 1;\n\n  nowhere()"}, "EXECUTION_ERROR", "is not defined (line 3, column 3)"),
    ({"source": "nowhere()"}, "EXECUTION_ERROR", "(line 1, column 1)"),
    ({"source": "1 +"}, "EXECUTION_ERROR", "SyntaxError"),
    ({"source": "for (;;) {}", "timeout": 300}, "COMMAND_TIMEOUT", "longer timeout"),
    ({"url": "{pages}/missing.js"}, "NAVIGATION_FAILED", "status 404"),
    ({"url": "{pages}/blank.html"}, "INVALID_PARAMS", "text/html"),
    ({"url": "http://example.com/a.js"}, "INVALID_PARAMS", "loopback"),
    ({"url": "file:///etc/passwd"}, "INVALID_PARAMS", "https"),
    ({"url": "javascript:1"}, "INVALID_PARAMS", "https"),
]


async def test_what_cannot_run_says_why(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        for params, code, words in FAILING:
            with naming(params):
                given = {**params, **({"url": params["url"].format(pages=pages)} if "url" in params else {})}
                said = await a.fails("inject_script", **given)
                assert said.startswith(f"{code}: "), said
                assert words in said
                assert (await a.call("evaluate", code="1 + 1"))["value"] == 2


async def test_a_kept_script_runs_first_in_every_later_page_until_it_is_ended(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:

        async def seen() -> Any:
            return (await a.call("evaluate", code="[globalThis.seen, globalThis.early, globalThis.other]"))["value"]

        assert (await a.call("inject_script", source=COUNT, keep=True))["kept"] is True
        assert (await a.call("inject_script", source="globalThis.other = 'too'", keep=True))["kept"] is True
        for address in (
            f"{pages}/csp.html",
            f"{pages}/keys.html",
            pages.replace("127.0.0.1", "localhost") + "/blank.html",
        ):
            await a.call("navigate", url=address)
            assert await seen() == [1, True, "too"], address
        await a.call("reload")
        assert await seen() == [1, True, "too"]
        # The same one kept again is not kept twice; without keep it is only ended.
        await a.call("inject_script", source=COUNT, keep=True)
        await a.call("reload")
        assert await seen() == [1, True, "too"]
        assert (await a.call("inject_script", source=COUNT))["kept"] is False
        assert await seen() == [1, True, "too"]
        await a.call("reload")
        assert await seen() == [None, None, "too"]


async def test_a_script_that_throws_is_not_kept(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.fails("inject_script", source="globalThis.ran = true; throw new Error('no')", keep=True)
        await a.call("reload")
        assert (await a.call("evaluate", code="typeof ran"))["value"] == "undefined"


async def test_another_tab_and_a_tab_connected_anew_have_no_kept_script(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html?one") as one, agent(f"{pages}/blank.html?two") as two:
        await one.call("inject_script", source=COUNT, keep=True)
        await two.call("reload")
        assert (await two.call("evaluate", code="typeof seen"))["value"] == "undefined"


async def test_a_kept_script_outlives_the_extension_s_worker_and_can_still_be_ended(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    tabs = panel.hub.state.tabs
    async with agent(f"{pages}/blank.html?kept") as a:
        await a.call("inject_script", url=f"{pages}/injected.js", keep=True)
        tab = await current_tab(a)
        came_back = asyncio.Event()
        tabs.added.connect(lambda added: came_back.set() if added.tab_id == tab else None)
        worker = await extension_target(panel, "service_worker")
        assert panel.hub.browsers.shared is not None
        await panel.hub.browsers.shared.pipe.call("Target.closeTarget", {"targetId": worker["targetId"]})
        async with asyncio.timeout(PATIENCE_S):
            await came_back.wait()
        await a.call("navigate", url=f"{pages}/csp.html?kept", tabId=tab)
        assert (await a.call("evaluate", code="injectedTimes", tabId=tab))["value"] == 1
        assert (await a.call("inject_script", url=f"{pages}/injected.js", tabId=tab))["kept"] is False
        await a.call("reload", tabId=tab)
        assert (await a.call("evaluate", code="typeof injectedTimes", tabId=tab))["value"] == "undefined"


async def test_an_image_file_comes_as_a_picture_and_is_no_screenshot(panel: Panel, tmp_path: Path) -> None:
    shots = len(panel.hub.state.shots)
    downloads = panel.data.root / "downloads"
    (downloads / "photo.dat").touch(mode=0o600)
    Image.new("RGB", (3000, 2000), "teal").save(downloads / "photo.dat", "PNG")
    Image.new("RGB", (3, 3)).save(tmp_path / "private.png")
    (downloads / "link.png").symlink_to(tmp_path / "private.png")
    async with connect(panel.data.root, "reader") as client:

        async def read(path: Path) -> Any:
            return await client.call_tool("kapturemcp_read_image", {"path": str(path)})

        answer = await read(downloads / "photo.dat")
        picture, text = answer.content
        assert isinstance(picture, ImageContent)
        assert isinstance(text, TextContent)
        assert picture.mime_type == "image/png"
        assert Image.open(io.BytesIO(base64.b64decode(picture.data))).size == (1568, 1045)
        assert text.text == (
            "[untrusted: a file]\n"
            f"Image from {downloads / 'photo.dat'} (type: image/png), 3000 × 2000 shown at 1568 × 1045"
        )
        assert answer.structured_content is None
        for path in (tmp_path / "private.png", downloads / "link.png"):
            refused = await read(path)
            assert refused.content[0].text.startswith("FILE_NOT_ALLOWED: ")
            assert "--allow-dir" in refused.content[0].text
        for path in (tmp_path / "nowhere.png", downloads / "nowhere.png"):
            assert (await read(path)).content[0].text == f"FILE_NOT_FOUND: there is no file {path}"
    assert len(panel.hub.state.shots) == shots
    row = panel.hub.state.history.rows(limit=1)[0]
    assert (row.command, row.code) == ("read_image", "FILE_NOT_FOUND")
    person = panel.hub.state.person
    mine = await panel.hub.core.router.run(person, "read_image", {"path": str(tmp_path / "private.png")})
    assert (mine.image is not None, mine.shot) == (True, None)
