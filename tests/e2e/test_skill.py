"""Every example of the skill, typed as it is written, in one session in the demo shop."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.demo.site import DemoSite
from kapture_panel.installing import skill
from tests.support.e2e.panel import Panel
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

EXAMPLES = re.findall(r"\n([^\n]+):\n\n```sh\n(.*?)```", skill.text("kapture"), re.S)
#: Words of each example's sentence → what its last command answers.
ANSWERS = {
    "Open a page": r'heading "Catalogue"',
    "Find something": r'- link "[^"]*[Ll]amp[^"]*" \[ref=e\d+\]',
    "Search": r"^(confirmed|done)\n",
    "Click, and see": r"^(confirmed|done)\n",
    "Choose in a list": r"^confirmed\n",
    "Wait until": r"text|found|waited",
    "Do several steps": r"of 24 products",
    "Read a value": r"^\d+\n$",
    "Take a picture": r"Saved as (/\S+\.png)",
    "See what went wrong": r"GET 200 .*products\.json",
}


async def typed(panel: Panel, script: str, folder: Path) -> str:
    """What a shell prints for the lines of an example; each has to succeed."""
    program = folder / "kapture"
    if not program.exists():
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m kapture_panel "$@"\n')
        program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    shell = await asyncio.create_subprocess_exec(
        "bash", "-ec", script, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PATH": path, "KAPTURE_HOME": str(panel.data.root), "KAPTURE_SESSION": "skill"},
    )  # fmt: skip
    out, err = await asyncio.wait_for(shell.communicate(), PATIENCE_S)
    assert shell.returncode == 0, (script, out.decode(), err.decode())
    return out.decode()


async def test_there_are_ten_and_each_has_its_answer() -> None:
    assert len(EXAMPLES) == 10
    assert all(any(said.startswith(words) for words in ANSWERS) for said, _ in EXAMPLES), EXAMPLES


async def test_every_example_does_what_it_says(panel: Panel, tmp_path: Path) -> None:
    with DemoSite(paths.resources() / "demo_site") as site:
        for said, script in EXAMPLES:
            answer = await typed(panel, script.replace("http://localhost:8000/", f"{site.url}/"), tmp_path)
            expected = next(wanted for words, wanted in ANSWERS.items() if said.startswith(words))
            found = re.search(expected, answer, re.S if "of 24" in expected else 0)
            assert found, (said, answer)
            if "Saved as" in expected:
                assert Path(found[1]).is_file()
        await typed(panel, "kapture close_tab", tmp_path)
