"""What it costs to start a child, and to call a command from a terminal: processes of their own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.bench.harness import FEW, Bench, Work, kapture
from tests.bench.line_client import talking_to

NULL_SERVER = Path(__file__).with_name("null_server.py")


async def starts(bench: Bench, root: Path) -> None:
    """A child from its start until it has greeted, beside a server that does nothing."""

    def greeting(*command: str) -> Work:
        async def greet() -> None:
            async with talking_to(*command):
                pass

        return greet

    null, child = greeting(sys.executable, str(NULL_SERVER)), greeting(*kapture("mcp", "--data-dir", str(root)))
    await bench.compare("child start → initialize", null, child, FEW)


async def terminal(bench: Bench, root: Path) -> None:
    """A call from a terminal, a process of its own, beside a Python that does nothing."""

    def program(*command: str, says: str = "") -> Work:
        async def run() -> None:
            process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
            said, complaint = await process.communicate()
            assert process.returncode == 0, (command, complaint)
            assert says in said.decode(), f"{command} says {said!r}"

        return run

    def call(*words: str, says: str = "") -> Work:
        return program(*kapture(*words, "--data-dir", str(root), "--session", "bench"), says=says)

    nothing = program(sys.executable, "-c", "pass")
    await call("new_tab", f"{bench.site}/afterwards.html")()
    await bench.compare("terminal: evaluate 1+1", nothing, call("evaluate", "1+1", says="2"), FEW)
    await bench.compare("terminal: snapshot", nothing, call("snapshot", says='- button "Now"'), FEW)
    await call("evaluate", "window.counted = 0; addEventListener('click', () => (counted += 1))")()
    clicked = await bench.compare("terminal: click", nothing, call("click", "#now"), FEW)
    await call("evaluate", "`${counted} ${out.textContent}`", says=f"{clicked} now")()
    await call("close_tab")()
