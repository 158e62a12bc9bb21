"""The person points at a place and says something: the agent is told with its next answer, and can act on it."""

from __future__ import annotations

import asyncio
import base64
import io
import json

import pytest
from mcp_types import BlobResourceContents, TextResourceContents
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import BOTH_KINDS, OpenAgent, Panel, current_tab
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]

PAGE = "/step_in.html"
LOG_IN = (100, 155)
WORDS = "this button, not that one – zebra-canary"


def written(words: str = WORDS) -> asyncio.Future[str]:
    """What a person has written."""
    done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    done.set_result(words)
    return done


async def test_a_note_goes_with_the_next_answer_and_stands_as_a_resource(pages: str, panel: Panel) -> None:
    async with connect(panel.data.root, "pointed") as mcp:
        a = Agent(mcp)
        tab_id = (await a.call("new_tab", url=pages + PAGE))["tabId"]
        note = await panel.hub.pointing.note(tab_id, *LOG_IN, written())
        assert note is not None
        answer = await mcp.call_tool("kapturemcp_check_visibility", {"selector": "form"})
        (told,) = [block.text for block in answer.content[1:] if block.type == "text"]
        assert told.splitlines()[0].endswith(f"says to you: {json.dumps(WORDS, ensure_ascii=False)}")
        assert f'[untrusted: {pages}] what lies there: button "Log in" <button> ref={note.about.ref}' in told
        again = await mcp.call_tool("kapturemcp_check_visibility", {"selector": "form"})
        assert WORDS not in again.model_dump_json()
        listed = {str(one.uri) for one in (await mcp.list_resources()).resources}
        assert f"kapture://note/{note.id}" in listed
        words, picture = (await mcp.read_resource(f"kapture://note/{note.id}")).contents
        assert isinstance(words, TextResourceContents)
        assert isinstance(picture, BlobResourceContents)
        said = json.loads(words.text)
        assert (said["words"], said["element"]["role"], said["element"]["untrusted"]) == (WORDS, "button", pages)
        image = Image.open(io.BytesIO(base64.b64decode(picture.blob))).convert("RGB")
        red, green, _blue = image.getpixel((LOG_IN[0] + 18, LOG_IN[1]))  # type: ignore[misc]
        assert (red > 150, green < 110) == (True, True), "a ring is around the place"
        await a.call("click", ref=note.about.ref)
        assert (await a.call("count_elements", selector=str(note.about.selector)))["count"] == 1
        kept = [path for path in panel.data.root.rglob("*") if path.is_file() and "browser" not in path.parts]
        assert not [path for path in kept if WORDS.encode() in path.read_bytes()], "the words are in memory alone"
        panel.hub.state.shots.remove(note.picture)
        with pytest.raises(Exception, match="no note is kept"):
            await mcp.read_resource(f"kapture://note/{note.id}")
        await a.call("close_tab")


async def test_the_place_is_how_it_was_when_it_was_pressed_and_nothing_is_kept_without_words(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id, looked, words = await current_tab(a), asyncio.Event(), written()

        async def write() -> str:
            looked.set()
            return await words

        waiting = tasks.spawn(a.call("wait", selector="#later", timeout=60000), "an agent that waits")
        await panel.executing(tab_id)
        words = asyncio.get_running_loop().create_future()
        pointing = tasks.spawn(panel.hub.pointing.note(tab_id, *LOG_IN, write()), "a note")
        async with asyncio.timeout(PATIENCE_S):
            await looked.wait()  # while the agent waits
        await panel.witness(pages).see("document.body.innerHTML = '<p id=later>Later</p>'", PAGE)
        await waiting
        words.set_result(WORDS)
        note = await pointing
        assert note is not None
        assert note.about.name == "Log in"
        panel.hub.state.shots.remove(note.picture)
        before = len(panel.hub.state.shots)
        assert await panel.hub.pointing.note(tab_id, 5, 5, written("  ")) is None
        assert len(panel.hub.state.shots) == before
        with pytest.raises(KaptureError, match="no connected tab is called"):
            await panel.hub.pointing.note("gone", 5, 5, written())
