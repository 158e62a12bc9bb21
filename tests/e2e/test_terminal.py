"""A page does not write to the person's terminal, whichever way its words come there."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import cli
from tests.support.e2e.panel import OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Clear the screen, ring, set the title (C1 form, too), overwrite the line, turn the direction round, delete.
HOSTILE = "\x1b[2J\a\x1b]0;owned\a\x9b31m\x9d0;x\x9c\rok\u202etxt.exe\u2066\u200b\x7f"
SHOWN = "beginning[2J]0;owned31m0;x\noktxt.exe end"
#: What no terminal may be sent; a newline or a tab it may.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")
SAY = f"""{{
  const hostile = {json.dumps(f"beginning{HOSTILE} end")};
  document.title = hostile;
  document.body.innerHTML = "<pre></pre><button id=press></button>";
  document.querySelector("pre").textContent = hostile;
  document.querySelector("button").setAttribute("aria-label", hostile);
  console.log(hostile);
}}"""

Kapture = Callable[..., Any]


@pytest.fixture
def kapture(panel: Panel, capsys: pytest.CaptureFixture[str]) -> Kapture:
    """Runs `kapture` in this process; what it printed on standard output and on standard error."""

    async def run(command: str, *arguments: str) -> tuple[str, str]:
        words = [command, "--data-dir", str(panel.data.root), *arguments]
        capsys.readouterr()
        await asyncio.to_thread(cli.run, words)
        printed = capsys.readouterr()
        return printed.out, printed.err

    return run


async def test_what_a_page_says_has_lost_what_a_terminal_obeys(kapture: Kapture, pages: str) -> None:
    opened, _ = await kapture("call", "new_tab", f"url={pages}/blank.html", "--json")
    tab = f"tabId={json.loads(opened)['tabId']}"
    await kapture("call", "evaluate", tab, f"code={SAY}")
    said: dict[str, tuple[str, str]] = {}
    exact: dict[str, tuple[str, str]] = {}
    for name, *words in (
        ("get_visible_text", tab), ("snapshot", tab), ("logs", tab), ("list_tabs",),
        ("evaluate", tab, f"code={json.dumps(HOSTILE)}"), ("click", tab, f"selector=#{HOSTILE}"),
    ):  # fmt: skip
        said[name] = await kapture("call", name, *words)
        exact[name] = await kapture("call", name, *words, "--json")
    thrown = await kapture("call", "evaluate", tab, f"code=throw new Error({json.dumps(HOSTILE)})")
    await kapture("call", "close_tab", tab)
    for out, err in (thrown, *said.values(), *exact.values()):
        assert not OBEYED.search(out + err)
    assert SHOWN in said["get_visible_text"][0]
    assert HOSTILE in json.loads(exact["get_visible_text"][0])["result"]
    assert said["evaluate"][0] == f"{SHOWN.removeprefix('beginning').removesuffix(' end')}\n"
    assert json.loads(exact["evaluate"][0])["result"]["value"] == HOSTILE
    assert "\u202etxt.exe" in json.loads(exact["click"][0])["error"]["message"]
    assert "owned" in thrown[1]
    assert "owned" in said["click"][1]


async def test_what_is_exported_has_it_as_escapes(
    panel: Panel, agent: OpenAgent, kapture: Kapture, pages: str, tmp_path: Path
) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.fails("click", selector=f"#{HOSTILE}")
    for format_name in ("json", "jsonl", "kapture", "playwright", "html"):
        out, _ = await kapture("export", "--format", format_name, "--last", "2")
        assert not OBEYED.search(out)
    file = tmp_path / "history.json"
    await kapture("export", "--last", "2", "-o", str(file))
    text = file.read_text(encoding="utf-8")
    assert not OBEYED.search(text)
    [row] = [row for row in json.loads(text) if row["command"] == "click"]
    assert row["params"]["selector"] == f"#{HOSTILE}"


async def test_a_terminal_remembers_its_tab_from_one_command_to_the_next(kapture: Kapture, pages: str) -> None:
    await kapture("call", "new_tab", f"url={pages}/refs.html")
    text, _ = await kapture("call", "click", "selector=#send", "--json")
    tab = json.loads(text)["tabId"]
    shown, _ = await kapture("call", "evaluate", "code=hit", "--json")
    assert json.loads(shown)["result"]["value"] == "send"
    text, _ = await kapture("call", "navigate", f"url={pages}/blank.html", "--json")
    assert json.loads(text)["tabId"] == tab
    await kapture("call", "close_tab")
