"""Code that ran by `evaluate` runs the same in the Playwright script that is made of it, and is waited for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kapture_panel import export
from tests.support.core.fakes import CATALOGUE
from tests.support.e2e.exports import newest, played, since
from tests.support.e2e.panel import OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Each says late what it is: were one not waited for, the next would come before it.
CODES = (
    "window.marks = []; window.late = (name) => new Promise((done) => setTimeout(() => done(marks.push(name)), 50))",
    "late('expression').then((number) => number + 1)",
    "(async () => { await late('function that is called'); })()",
    "late('then').then(function (number) { return number; }) // a comment",
    "const name = 'statements'; late(name)",
    "window.late",
    "marks.push([1].map((number) => { return typeof name + number; }).join())",
    "const number = await late('await'); marks.push(number)",
    "await (late('await of what stands in brackets'))",
    "await (late('the same')); marks.push('and more')",
    "if (marks.length) return await late('body of a function')",
    "marks.push('end')",
)
SEEN = "JSON.stringify(window.marks)"


async def test_code_of_every_form_is_done_again_and_waited_for(
    panel: Panel, agent: OpenAgent, shop: str, tmp_path: Path
) -> None:
    before = newest(panel)
    async with agent(f"{shop}/lab") as tester:
        for code in CODES:
            await tester.call("evaluate", code=code)
        seen = str((await tester.call("evaluate", code=SEEN))["value"])
        rows = since(panel, before)[:-1]
    assert json.loads(seen)[-3:] == ["and more", "body of a function", "end"]
    script = tmp_path / "made.py"
    export.write(script, "playwright", rows, panel.data.screenshots, CATALOGUE)
    assert await played(script, {}, SEEN, tmp_path) == seen
