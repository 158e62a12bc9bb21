"""The doctor on the real chain: whole, then with each link broken on purpose."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.doctor import CHAIN, GROUND, Check
from kapture_panel.demo.agent import Agent, ToolError
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.e2e.silent import silent_server

pytestmark = pytest.mark.asyncio(loop_scope="session")
KAPTURE = [sys.executable, "-m", "kapture_panel"]


async def examined(panel: Panel) -> dict[str, Check]:
    return {check.link: check async for check in panel.hub.doctor.examine()}


async def in_terminal(root: Path, *options: str, **environment: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """`kapture doctor --json`: the exit code and the checks by link."""
    command = [*KAPTURE, "doctor", "--json", "--data-dir", str(root), *options]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment}
    )
    said, _ = await process.communicate()
    answer = json.loads(said)
    assert process.returncode is not None
    assert answer["ok"] == (process.returncode == 0)
    return process.returncode, {check["link"]: check for check in answer["checks"]}


async def dialog_open(panel: Panel, agent: Agent) -> str:
    """Have the agent's tab show a dialog; its tabId."""
    tab_id = await current_tab(agent)
    said = await agent.call("evaluate", code="alert('well?')")
    assert said["effects"]["dialogs"][0]["open"] is True
    return tab_id


async def test_the_whole_chain_holds_and_leaves_no_trace(panel: Panel, agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html"):
        hub = panel.hub
        before = hub.state.history.rows()
        came: list[str] = []
        hub.state.clients.added.connect(note := lambda client: came.append(client.name))
        checks = await examined(panel)
        hub.state.clients.added.disconnect(note)
        assert [(check.link, check.words) for check in checks.values() if check.state != "ok"] == []
        assert list(checks) == [*CHAIN, *GROUND]
        assert checks["client"].words == "test-agent: connected; 1 cannot be pinged in their protocol"
        assert all(check.ms is not None for check in checks.values())
        assert hub.state.history.rows() == before
        assert came == []  # the doctor's own child is nobody's agent


async def test_a_client_of_the_handshake_era_is_asked_through_its_child(panel: Panel) -> None:
    command = [*KAPTURE, "mcp", "--data-dir", str(panel.data.root)]
    child = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None

    def say(**message: Any) -> None:
        assert child.stdin is not None
        child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    say(id=1, method="initialize", params=params)
    await child.stdout.readline()
    say(method="notifications/initialized")
    say(id=2, method="ping")  # answered behind the notification
    await child.stdout.readline()
    examining = asyncio.gather(examined(panel))
    asked = json.loads(await child.stdout.readline())
    assert asked["method"] == "ping"
    say(id=asked["id"], result={})
    [checks] = await examining
    assert (checks["client"].state, checks["client"].words) == ("ok", "raw answered a ping")
    child.stdin.close()
    assert await child.wait() == 0


async def test_a_terminal_gets_the_same_rows_from_the_panel(panel: Panel, agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html"):
        code, checks = await in_terminal(panel.data.root)
        assert code == 0, checks
        assert list(checks) == [*CHAIN, *GROUND, "window"]
        assert all(check["state"] == "ok" for check in checks.values())
        assert "offscreen" in checks["window"]["words"]


async def test_a_dialog_and_a_stuck_page_are_told_apart_from_a_lost_debugger(
    panel: Panel, agent: OpenAgent, pages: str
) -> None:
    async with silent_server() as silent, agent(f"{pages}/blank.html") as a:
        tab_id = await dialog_open(panel, a)
        checks = await examined(panel)
        assert checks["debugger"].state == "ok"
        assert f"{tab_id}: its page shows a dialog" in checks["tab"].words
        assert "Handle dialog" in checks["tab"].fix
        await a.call("handle_dialog", accept=True)
        assert (await examined(panel))["tab"].state == "ok"

        with contextlib.suppress(ToolError):  # it may notice that the page is stuck
            await a.call("evaluate", code=f"setTimeout(() => {{ {silent.hang} }}); 1", timeout=1000)
        checks = await examined(panel)
        assert checks["debugger"].state == "ok"
        assert f"{tab_id}: it did not answer within 2 s" in checks["tab"].words
        code, told = await in_terminal(panel.data.root)
        assert code == 1
        assert told["tab"]["state"] == "failed"
        await a.call("reload")
        assert (await examined(panel))["tab"].state == "ok"


async def test_without_a_panel_the_rest_is_tried(tmp_path: Path) -> None:
    code, checks = await in_terminal(tmp_path / "none", "--port", "0")
    assert code == 0
    assert {link for link, check in checks.items() if check["state"] == "idle"} == set(CHAIN)
    assert not (tmp_path / "none").exists()
    tmp_path.joinpath("open").mkdir()
    tmp_path.joinpath("open").chmod(0o755)
    code, checks = await in_terminal(tmp_path / "open", "--port", "0", QT_QPA_PLATFORM="no-such-platform")
    assert code == 1
    assert {link for link, check in checks.items() if check["state"] == "failed"} == {"data", "window"}
    assert "no-such-platform" in checks["window"]["words"]


async def test_a_person_reads_a_line_for_each_link(tmp_path: Path) -> None:
    command = [*KAPTURE, "doctor", "--data-dir", str(tmp_path / "none"), "--port", "0"]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    said, _ = await process.communicate()
    assert "✓ Data folder" in said.decode()
    assert "– Panel" in said.decode()
