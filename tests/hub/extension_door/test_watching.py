"""What a tab is asked for while somebody looks at it."""

from __future__ import annotations

import asyncio

from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.hub.extension_door.watching import Watching
from tests.support.core import loop_clock
from tests.support.hub.extension_door import Setting
from tests.support.hub.fakes import Changes
from tests.support.patience import PATIENCE_S


async def test_a_tab_is_asked_as_long_as_somebody_looks(setting: Setting) -> None:
    watching = Watching(setting.connections)
    extension = await setting.dial()
    watching.watch("t1", 640, 360, 0)
    watching.watch("t1", 640, 360, 0)  # is known already
    watching.painted("t1", 7)
    watching.unwatch("t1")
    watching.unwatch("t1")
    watching.painted("t1", 8)
    watching.watch("t1", 320, 180, 1000)
    assert [await extension.next() for _ in range(4)] == [
        {"type": "watch", "width": 640, "height": 360, "everyMs": 0},
        {"type": "painted", "number": 7},
        {"type": "unwatch"},
        {"type": "watch", "width": 320, "height": 180, "everyMs": 1000},
    ]


async def test_a_tab_that_connects_anew_is_asked_again_once_it_is_registered(setting: Setting) -> None:
    watching = Watching(setting.connections)
    watching.watch("t1", 640, 360, 0)
    extension = await setting.dial()
    assert (await extension.next())["type"] == "watch"


async def test_a_picture_is_handed_on_to_who_looks_and_to_nobody_else(setting: Setting) -> None:
    watching = Watching(setting.connections)
    came: list[tuple[str, LivePicture]] = []
    watching.came.connect(lambda tab_id, picture: came.append((tab_id, picture)))
    picture = {"type": "live", "data": "/9j/", "width": 1280.0, "height": 720.0}
    extension = await setting.dial()

    async def sent(number: int) -> None:
        await extension.send({**picture, "number": number})
        await extension.send({"type": "ping"})
        while (await extension.next())["type"] != "pong":
            pass

    await sent(1)
    watching.watch("t1", 640, 360, 0)
    await sent(2)
    assert came == [("t1", LivePicture(number=2, data="/9j/", width=1280, height=720))]


async def test_a_tab_that_is_watched_and_recorded_is_asked_once_for_what_is_enough_for_both(setting: Setting) -> None:
    watching = Watching(setting.connections)
    extension = await setting.dial()
    watching.record("t1", 1280, 720)
    watching.watch("t1", 1600, 400, 0)
    watching.taken("t1", 7)
    watching.record_no_more("t1")
    watching.taken("t1", 8)
    watching.unwatch("t1")
    assert [await extension.next() for _ in range(5)] == [
        {"type": "watch", "width": 1280, "height": 720, "everyMs": 0},
        {"type": "watch", "width": 1600, "height": 720, "everyMs": 0},
        {"type": "painted", "number": 7},
        {"type": "watch", "width": 1600, "height": 400, "everyMs": 0},
        {"type": "unwatch"},
    ]


async def test_who_comes_to_a_tab_that_is_watched_already_is_shown_what_is_there_now(setting: Setting) -> None:
    watching, asked = Watching(setting.connections), {"type": "watch", "width": 1280, "height": 720, "everyMs": 0}
    extension = await setting.dial()
    watching.record("t1", 1280, 720)
    watching.watch("t1", 640, 360, 1000)
    watching.watch("t1", 640, 360, 1000)
    watching.record_no_more("t1")
    watching.watch("t1", 1280, 720, 0)
    watching.record("t1", 1280, 720)
    assert [await extension.next() for _ in range(5)] == [
        asked,
        asked,
        {"type": "watch", "width": 640, "height": 360, "everyMs": 1000},
        asked,
        asked,
    ]


async def test_a_card_of_a_tab_that_is_recorded_gets_no_more_pictures_than_it_wants_and_the_last(
    setting: Setting,
) -> None:
    watching = Watching(setting.connections)
    shown, recorded = list[int](), list[int]()
    watching.came.connect(lambda _tab_id, picture: shown.append(picture.number))
    watching.recorded.connect(lambda _tab_id, picture: recorded.append(picture.number))
    changes = Changes(watching.came, watching.recorded)
    extension = await setting.dial()
    watching.record("t1", 1280, 720)
    watching.watch("t1", 320, 200, 600_000)
    for number in (1, 2, 3):
        await extension.send({"type": "live", "data": "/9j/", "width": 1280.0, "height": 720.0, "number": number})
    async with asyncio.timeout(PATIENCE_S):
        await changes.until(lambda: len(recorded) == 3)
    assert (shown, recorded) == ([1], [1, 2, 3])
    loop_clock.put_on(600.0)
    async with asyncio.timeout(PATIENCE_S):
        await changes.until(lambda: len(shown) == 2)
    assert shown == [1, 3]
    watching.unwatch("t1")
    watching.record_no_more("t1")


async def test_a_tab_that_is_looked_at_as_soon_as_it_is_known_hears_first_that_it_is_registered(
    setting: Setting,
) -> None:
    watching = Watching(setting.connections)
    setting.tabs.added.connect(lambda tab: watching.watch(tab.tab_id, 640, 360, 0))
    tab = await setting.dial()
    assert (await tab.next())["type"] == "watch"
