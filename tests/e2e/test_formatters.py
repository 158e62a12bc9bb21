"""Site formatters: plug-ins from the user's folder rewrite snapshots of the pages they know, and harm nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.hub.host.formatters import Formatters
from tests.support.core.fakes import SOME_CALL
from tests.support.e2e.panel import Panel, Visit, current_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

GOOD = """
def match(url):
    return url.endswith("keys.html")

def format(nodes, url):
    return [f"{n['role']} {n['name']} [ref={n['ref']}]" for n in nodes if n.get("ref")]
"""
LOOP = "def match(url): return 'popup.html' in url\ndef format(nodes, url):\n    while True: pass\n"
INVENTS = "def match(url): return 'blank.html' in url\ndef format(nodes, url): return 'button Buy [ref=e99999]'\n"
CRASHES = "import os\ndef match(url): return 'stale.html' in url\ndef format(nodes, url): os._exit(3)\n"


async def test_a_plug_in_rewrites_the_pages_it_knows(visitor: Visit, pages: str, plugins: Path) -> None:
    (plugins / "keys.py").write_text(GOOD)
    async with visitor(f"{pages}/keys.html") as a:
        text = await a.text("snapshot")
        assert "(formatter keys)" in text
        ref = text.split("textbox  [ref=")[1].split("]")[0]
        await a.call("fill", ref=ref, value="by its ref")
        assert "(formatter keys)" not in await a.text("snapshot", formatter="none")
        await a.call("navigate", url=f"{pages}/form50.html")
        assert "(formatter" not in await a.text("snapshot")
        assert "(formatter keys)" in await a.text("snapshot", formatter="keys")
        said = await a.fails("snapshot", formatter="nothing")
        assert said.startswith("INVALID_PARAMS")
        assert "keys" in said


@pytest.mark.parametrize(
    ("source", "page"), [(LOOP, "popup.html"), (INVENTS, "blank.html"), (CRASHES, "stale.html"), ("def", "keys.html")]
)
async def test_a_bad_plug_in_leaves_the_default(
    visitor: Visit, pages: str, plugins: Path, source: str, page: str
) -> None:
    (plugins / "bad.py").write_text(source)
    (plugins / "keys.py").write_text(GOOD.replace("keys.html", "frames.html"))
    async with visitor(f"{pages}/{page}") as a:
        text = await a.text("snapshot", timeout=5000)
        assert "(formatter" not in text
        assert "- " in text
        assert "e99999" not in text
        await a.call("navigate", url=f"{pages}/frames.html")
        assert "(formatter keys)" in await a.text("snapshot")


async def test_without_any_folder_no_helper_is_started(
    tmp_path: Path, visitor: Visit, pages: str, panel: Panel
) -> None:
    formatters = Formatters([tmp_path / "none"])

    async def send(params: dict[str, object]) -> object:
        return params

    async with visitor(f"{pages}/blank.html") as a:
        tab = panel.hub.state.tabs.get(await current_tab(a))
        assert await formatters.snapshot(SOME_CALL, tab, {"formatter": "auto"}, send) == {}  # type: ignore[arg-type,comparison-overlap]
