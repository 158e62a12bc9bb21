"""Notes about places: what is asked of the tab, and what is kept."""

from __future__ import annotations

import asyncio
import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.notes import Notes
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire.results import PlacePointedAt, Pointed
from kapture_panel.hub.extension_door import pointing as module
from kapture_panel.hub.extension_door.pointing import Pointing


class Extension:
    """Answers at once with a white viewport of 200 x 100 CSS pixels at a scale of 2, or never."""

    def __init__(self) -> None:
        self.answers = True

    async def point_at(self, _tab: Tab, _x: float, _y: float) -> PlacePointedAt:
        if not self.answers:
            await asyncio.get_running_loop().create_future()
        made = io.BytesIO()
        Image.new("RGB", (400, 200), "white").save(made, "JPEG")
        data = base64.b64encode(made.getvalue()).decode()
        return PlacePointedAt(Pointed(role="button", tag="button"), data, 0, 30, 200, 100)


class World:
    """A tab, and where notes about it go."""

    def __init__(self, folder: Path) -> None:
        self.extension = Extension()
        self.tabs = Tabs()
        self.tab = Tab("t1", "https://shop.example/?token=secret", "Shop", "install", session="")
        self.tabs.add(self.tab)
        self.shots = Shots(folder)
        self.notes = Notes(self.shots)
        self.pointing = Pointing(self.tabs, self.extension, self.shots, self.notes)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def words(said: str) -> str:
    return said


async def test_the_picture_has_a_ring_around_the_place(world: World) -> None:
    note = await world.pointing.note("t1", 100, 50, words(" this one "))
    assert note is not None
    assert (note.words, note.about.role, list(world.notes)) == ("this one", "button", [note])
    assert "secret" not in note.url
    picture = note.picture
    assert (picture.width, picture.height, picture.scale, picture.scroll_y, picture.view_width) == (
        400,
        200,
        2,
        30,
        200,
    )
    image = Image.open(picture.path).convert("RGB")
    colors = [image.getpixel((200 + 2 * away, 100)) for away in (0, 17, 30)]
    assert [color[1] > 200 for color in colors] == [True, False, True]  # type: ignore[index]


async def test_without_words_nothing_is_kept(world: World) -> None:
    assert await world.pointing.note("t1", 1, 1, words("  ")) is None
    assert (list(world.notes), len(world.shots)) == ([], 0)


async def test_a_tab_that_is_let_go_of_or_does_not_answer_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    monkeypatch.setattr(module, "LOOKING_MS", 10)
    world.extension.answers = False
    with pytest.raises(KaptureError, match="did not show the place"):
        await world.pointing.note("t1", 1, 1, never)
    world.tabs.update(world.tab, state="paused")
    with pytest.raises(KaptureError, match="paused"):
        await world.pointing.note("t1", 1, 1, never)
