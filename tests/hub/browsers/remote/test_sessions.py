"""Sessions at a place: counted, waited for, and given back also when they come late."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core import progress
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.remote.places import Place
from kapture_panel.hub.browsers.remote.sessions import Service
from tests.support.hub.far import FakeGrid, fake_grid


def service_of(fake: FakeGrid, **fields: Any) -> Service:
    return Service(Place(grid=fake.address, name="a", **fields), paths.extension())


async def test_no_more_than_at_once_and_the_next_when_one_is_over() -> None:
    async with fake_grid() as fake:
        service = service_of(fake, at_once=1, wait_seconds=30)
        first = await service.open()
        second = tasks.spawn(service.open(), "second")
        await asyncio.sleep(0)
        assert len(fake.asked) == 1
        service.release(first)
        await second
        assert len(fake.asked) == 2


async def test_a_full_place_says_how_full_and_what_comes_late_is_given_back() -> None:
    async with fake_grid() as fake:
        fake.may_give.clear()
        service = service_of(fake, wait_seconds=0.05)
        with pytest.raises(KaptureError, match=r"a had no browser within 0.05 s: 1 of 2 are taken") as raised:
            await service.open()
        assert raised.value.code == "NO_BROWSER"
        fake.may_give.set()
        assert await fake.ended.get() == "/session/a1"


async def test_who_gives_up_leaves_no_session_behind() -> None:
    async with fake_grid() as fake:
        fake.may_give.clear()
        service = service_of(fake, at_once=1)
        told: list[str] = []

        async def no_step(_done: int) -> None:
            """No step is told here."""

        with progress.heard_by(no_step, told.append):
            opening = tasks.spawn(service.open(), "open")
        await asyncio.sleep(0)
        await tasks.end(opening)
        assert told == ["a browser at a", ""]
        fake.may_give.set()
        assert await fake.ended.get() == "/session/a1"
        await service.open()  # there is room again


async def test_a_session_that_is_refused_makes_room_again() -> None:
    async with fake_grid(**{"POST /session": (500, {"message": "no"})}) as fake:
        service = service_of(fake, at_once=1)
        for _ in range(2):
            with pytest.raises(KaptureError, match="gives no session: no"):
                await service.open()
