"""The history of real commands: pictures around actions, rows run again, an export made from the window."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from kapture_panel import export
from kapture_panel.core.basics.settings import RECORD_PICTURES
from kapture_panel.core.stores import recorder
from kapture_panel.core.stores.history_row import Row
from kapture_panel.demo.agent import ref_of
from tests.support.core.fakes import CATALOGUE
from tests.support.e2e.panel import OpenAgent, Panel
from tests.support.patience import PATIENCE_MS

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOADED = {"selector": "main[aria-busy=false]", "state": "attached"}


@pytest_asyncio.fixture(loop_scope="session")
async def recording(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Pictures are recorded for one test, however long each takes."""
    monkeypatch.setattr(recorder, "TIMEOUT_MS", PATIENCE_MS)
    panel.hub.state.settings.set(RECORD_PICTURES, True)
    yield
    panel.hub.state.settings.set(RECORD_PICTURES, False)


def rows_since(panel: Panel, row_id: int) -> list[Row]:
    return [row for row in reversed(panel.hub.state.history.rows(limit=100)) if row.id > row_id]


def newest(panel: Panel) -> int:
    return max((row.id for row in panel.hub.state.history.rows(limit=1)), default=0)


async def recorded(panel: Panel) -> None:
    """Wait for the pictures under way."""
    for task in tuple(panel.hub.core.recorder._running.values()):
        await asyncio.wait([task])


def picture(panel: Panel, name: str) -> Image.Image:
    with Image.open(panel.data.screenshots / recorder.FOLDER / name) as image:
        return image.convert("RGB")


def differ(one: Image.Image, other: Image.Image) -> bool:
    return one.size != other.size or one.tobytes() != other.tobytes()


async def test_each_action_leaves_what_the_page_showed_before_and_after(
    panel: Panel, agent: OpenAgent, shop: str, recording: None, tmp_path: Path
) -> None:
    before, shots = newest(panel), len(panel.hub.state.shots)
    async with agent() as shopper:
        await shopper.call("navigate", url=shop)
        await shopper.call("wait", **LOADED)
        snapshot = await shopper.text("snapshot", interactiveOnly=True)
        await shopper.call("click", ref=ref_of(snapshot, "link", "Desk Lamp Arc"))
        await shopper.call("wait", **LOADED)
        snapshot = await shopper.text("snapshot", interactiveOnly=True)
        await shopper.call("fill", ref=ref_of(snapshot, "spinbutton", "Quantity"), value="3")
        await recorded(panel)
        rows = rows_since(panel, before)
        actions = {row.command: row for row in rows if row.command in ("navigate", "click", "fill")}
        for row in actions.values():
            assert row.before, row.command
            assert row.after, row.command
            images = [picture(panel, name) for name in (row.before, row.after)]
            assert {image.size for image in images} == {(1280, 720)}
            assert differ(*images), f"{row.command} changed the page"
        assert all(not row.before and not row.after for row in rows if row.command in ("wait", "snapshot"))
        assert [row.command for row in rows].count("screenshot") == 0
        assert len(panel.hub.state.shots) == shots
        names = [name for row in rows for name in (row.before, row.after) if name]
        files = [panel.data.screenshots / recorder.FOLDER / name for name in names]
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        assert max(file.stat().st_size for file in files) < 100_000
        page = tmp_path / "recording.html"
        export.write(page, "html", rows, panel.data.screenshots, CATALOGUE)
        assert page.read_text().count("<figcaption>Before</figcaption>") >= 3


async def test_of_a_dialog_there_is_no_picture_and_after_it_there_are_again(
    panel: Panel, agent: OpenAgent, pages: str, recording: None
) -> None:
    async with agent() as tester:
        await tester.call("navigate", url=f"{pages}/exports.html")
        await recorded(panel)
        before = newest(panel)
        await tester.call("click", selector="ul + button")
        await tester.call("handle_dialog", accept=True)
        await tester.call("click", selector="body")
        await recorded(panel)
        opened, handled, last = rows_since(panel, before)
        assert not opened.after
        assert not handled.before
        assert last.after, "after the dialog pictures are taken again"
