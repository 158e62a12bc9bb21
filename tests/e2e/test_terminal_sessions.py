"""Calls of a coding agent, each a process of its own, on a real page: what the calls of a session share, and what two
sessions at once do not."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.support.e2e.panel import Panel
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Stands for a coding agent: it runs each line it is given as a shell of its own, and tells what came of it.
AGENT = """
import json, subprocess, sys
for line in sys.stdin:
    done = subprocess.run(["sh", "-c", json.loads(line) + "; exit $?"], capture_output=True, text=True)
    print(json.dumps([done.returncode, done.stdout, done.stderr]), flush=True)
"""
Run = Callable[[str], Coroutine[Any, Any, str]]


@asynccontextmanager
async def coding_agent(panel: Panel) -> AsyncIterator[Run]:
    """A program that calls `kapture`; what a line printed, or its error and exit code."""
    agent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", AGENT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "KAPTURE_HOME": str(panel.data.root), "KAPTURE_SESSION": ""},
    )  # fmt: skip
    assert agent.stdin is not None
    assert agent.stdout is not None
    stdin, stdout = agent.stdin, agent.stdout

    async def run(line: str) -> str:
        shell = line.replace("kapture ", f"{sys.executable} -m kapture_panel ", 1)
        stdin.write(json.dumps(shell).encode() + b"\n")
        code, out, err = json.loads(await asyncio.wait_for(stdout.readline(), PATIENCE_S))
        return out if code == 0 else f"{code} {err}"

    try:
        yield run
        await run("kapture close_tab")
    finally:
        stdin.close()
        await agent.wait()


def ref_of(snapshot: str, said: str) -> str:
    """The ref of the line that says something."""
    found = re.search(rf'"{said}" \[ref=(e\d+)\]', snapshot)
    assert found, snapshot
    return found[1]


async def test_refs_of_one_process_are_used_in_the_next(panel: Panel, pages: str) -> None:
    async with coding_agent(panel) as run:
        await run(f"kapture new_tab {pages}/refs.html")
        ref = ref_of(await run("kapture snapshot"), "Send")
        assert 'clicked: <button id="send">' in await run(f"kapture click {ref}")
        assert await run("kapture evaluate hit") == "send\n"
        assert (await run("kapture click e9999")).startswith("1 STALE_REF")


async def test_two_agents_of_one_program_have_their_own_tabs_and_cannot_act_in_each_others(
    panel: Panel, pages: str
) -> None:
    async with coding_agent(panel) as one, coding_agent(panel) as other:
        await asyncio.gather(one(f"kapture new_tab {pages}/refs.html"), other(f"kapture new_tab {pages}/keys.html"))
        assert await one("kapture evaluate location.pathname") == "/refs.html\n"
        assert await other("kapture evaluate location.pathname") == "/keys.html\n"
        theirs = json.loads(await one("kapture evaluate 1 --json"))["tabId"]
        refused = await other(f"kapture click '#send' --tab-id {theirs}")
        assert refused.startswith("1 TAB_LEASED"), refused
        filled = await other("kapture fill '#plain' mine")
        assert filled.startswith("confirmed"), filled
        assert await one("kapture evaluate hit") == "null\n"


async def test_a_key_held_down_by_one_process_is_down_in_the_next_and_goes_up_for_another_session(
    panel: Panel, pages: str
) -> None:
    count = "addEventListener('click', event => { window.shifts = (window.shifts ?? '') + event.shiftKey }); 1"
    async with coding_agent(panel) as run:
        await run(f"kapture new_tab {pages}/refs.html")
        await run(f'kapture evaluate "{count}"')
        assert not (await run("kapture press_key Shift --action down")).startswith("1")
        await run("kapture click '#send'")
        assert not (await run("kapture press_key Shift --action up")).startswith("1")
        await run("kapture click '#send'")
        assert await run("kapture evaluate shifts") == "truefalse\n"


async def test_a_named_session_joins_several_programs_processes(panel: Panel, pages: str) -> None:
    async with coding_agent(panel) as one, coding_agent(panel) as other:
        await one(f"kapture new_tab {pages}/keys.html --session shared")
        assert await other("kapture evaluate location.pathname --session shared") == "/keys.html\n"
        await other("kapture close_tab --session shared")
