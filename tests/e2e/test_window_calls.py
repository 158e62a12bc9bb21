"""What the window copies and opens does what it says, on the real panel and browser."""

from __future__ import annotations

import asyncio
import sys

import pytest

from kapture_panel.window.command import snippets
from tests.support.e2e.panel import OpenAgent, Panel
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def output_of(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    out, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode == 0
    return out.decode()


async def test_a_copied_program_and_shell_line_make_the_call(panel: Panel, pages: str) -> None:
    hub = panel.hub
    tab_id = (await hub.core.router.run(hub.state.person, "new_tab", {"url": f"{pages}/pick.html"})).tab_id
    command = hub.state.catalogue.get("evaluate")
    params = {"tabId": tab_id, "code": '`${document.title}: it\'s "so" $HOME \\\\`'}
    expected = 'Pick: it\'s "so" $HOME \\'
    program = snippets.python(command, params, hub.mcp_config)
    assert expected in (await output_of(sys.executable, "-c", program)).replace('\\"', '"').replace("\\\\", "\\")
    line = snippets.shell(command, params, hub.mcp_config)
    assert expected in (await output_of("/bin/sh", "-c", line)).replace('\\"', '"').replace("\\\\", "\\")
    await hub.core.router.run(hub.state.person, "close_tab", {"tabId": tab_id})


async def test_a_stored_screenshot_opens_in_a_tab(agent: OpenAgent, panel: Panel, pages: str) -> None:
    hub = panel.hub
    async with agent(f"{pages}/pick.html") as opened:
        await opened.picture(name="open me")
        shot = list(hub.state.shots)[-1]
        answer = await hub.core.router.run(
            hub.state.person, "kapturemcp_new_tab", {"url": shot.path.resolve().as_uri()}
        )
        try:
            value = await hub.core.router.run(
                hub.state.person,
                "kapturemcp_evaluate",
                {"tabId": answer.tab_id, "code": "document.images[0].naturalWidth"},
            )
            assert value.result["value"] == shot.width
        finally:
            await hub.core.router.run(hub.state.person, "kapturemcp_close_tab", {"tabId": answer.tab_id})
