"""The formatters' side of a snapshot, with a real helper process and a pretended tab."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.errors import KaptureError
from kapture_panel.core.protocol import Response
from kapture_panel.core.tabs import Tab
from kapture_panel.hub.formatters import Formatters

NODES = [{"role": "button", "name": "Buy", "depth": 0, "ref": "e1"}]
PLUGIN = """
def match(url):
    return "shop" in url

def format(nodes, url):
    return [f"{node['name']} [ref={node['ref']}]" for node in nodes]
"""


async def send(params: dict[str, Any]) -> Response:
    """What the extension answers: objects when it was asked for them, text otherwise."""
    text = '- button "Buy" [ref=e1]'
    result: Any = {"head": "# Shop", "nodes": NODES, "text": text} if params.get("nodes") else text
    return Response(id="c1", success=True, result=result)


def tab(url: str = "https://shop.example/") -> Tab:
    return Tab("t1", url, "Shop", "browser")


@pytest.fixture
async def formatters(tmp_path: Path) -> AsyncIterator[Formatters]:
    made = Formatters([tmp_path])
    yield made
    await made.close()


async def result(formatters: Formatters, url: str = "https://shop.example/", **params: Any) -> Any:
    return (await formatters.snapshot(tab(url), {"formatter": "auto", **params}, send)).result


async def test_a_plug_in_that_takes_the_page_makes_the_text(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    assert await result(formatters) == "# Shop (formatter shop)\nBuy [ref=e1]"
    assert await result(formatters, url="https://other.example/") == '- button "Buy" [ref=e1]'


async def test_none_a_diff_and_a_cursor_take_the_default(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    for params in ({"formatter": "none"}, {"diff": True}, {"cursor": "s1:5"}):
        assert await result(formatters, **params) == '- button "Buy" [ref=e1]'


async def test_a_name_that_is_not_there_is_an_error_that_lists_the_names(
    formatters: Formatters, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_text(PLUGIN)
    with pytest.raises(KaptureError, match="there are auto, none, shop"):
        await result(formatters, formatter="shopp")


async def test_a_later_folder_replaces_a_shipped_plug_in(tmp_path: Path) -> None:
    for name, word in (("shipped", "old"), ("own", "new")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.py").write_text(
            f"def match(url): return True\ndef format(nodes, url): return {word!r}\n"
        )
    formatters = Formatters([tmp_path / "shipped", tmp_path / "own"])
    assert (await result(formatters)).endswith("\nnew")
    await formatters.close()


async def test_a_helper_that_was_killed_is_replaced(formatters: Formatters, tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(
        "def match(url): return 'shop' in url\ndef format(nodes, url):\n    while True: pass\n"
    )
    assert await result(formatters) == '- button "Buy" [ref=e1]'
    assert await result(formatters, url="https://other.example/") == '- button "Buy" [ref=e1]'
