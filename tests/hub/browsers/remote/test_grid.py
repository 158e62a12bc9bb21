"""What a Selenium Grid is asked, and what its answers mean. A real one: `make test-grid`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.remote.grid import Grid, GridSession
from kapture_panel.hub.browsers.remote.packed import packed
from kapture_panel.hub.browsers.remote.places import Place
from tests.support.hub.far import SESSION, FakeGrid, fake_grid


def grid_at(fake: FakeGrid, **fields: Any) -> Grid:
    return Grid(Place(grid=fake.address, name="a", **fields))


async def test_it_says_how_full_it_is() -> None:
    async with fake_grid(**{"GET /se/grid/newsessionqueue/queue": (200, [{}, {}])}) as fake:
        assert str(await grid_at(fake).slots()) == "1 of 2 are taken, 2 wait"


async def test_a_hub_that_has_just_started_has_no_nodes_yet() -> None:
    async with fake_grid(**{"GET /status": (200, {"ready": False, "message": "Unable to read"})}) as fake:
        assert str(await grid_at(fake).slots()) == "0 of 0 are taken"


async def test_a_session_is_asked_for_with_our_extension_and_what_the_place_adds(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("hunter2")
    token.chmod(0o600)
    added = {"platformName": "linux", "goog:chromeOptions": {"args": ["--lang=de"], "prefs": {"x": 1}}}
    async with fake_grid() as fake:
        grid = grid_at(fake, token_file=str(token), capabilities=added)
        session = await grid.new_session(paths.extension(), 5)
        assert session.id == "a1"
        # Below the address that was named, whatever the Grid calls itself: the token goes nowhere else.
        assert grid.cdp_address(session) == f"ws{fake.address.removeprefix('http')}/session/a1/se/cdp"
        (asked,) = fake.asked
        assert asked.headers["authorization"] == "Bearer hunter2"
        assert asked.headers["content-type"] == "application/json; charset=utf-8"
        wanted = asked.body["capabilities"]["alwaysMatch"]
        options = wanted["goog:chromeOptions"]
        assert (wanted["browserName"], wanted["platformName"], options["prefs"]) == ("chrome", "linux", {"x": 1})
        assert options["args"][-3:] == ["--headless=new", "--animation-duration-scale=0", "--lang=de"]
        assert options["extensions"] == [packed(paths.extension())]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((401, None), "refuses the log-in"),
        ((302, None), "answered with status 302|gives no session"),
        ((500, {"message": "Could not start\n a session"}), "gives no session: Could not start a session"),
        ((200, {"sessionId": "../status", "capabilities": {}}), "without a usable id"),
        ((200, {"sessionId": "a1", "capabilities": {"browserName": "firefox"}}), "gives firefox without CDP"),
        ((200, {"weird": 1}), "is not a Selenium Grid 4"),
    ],
)
async def test_a_session_that_is_none_is_told(answer: tuple[int, Any], said: str) -> None:
    async with fake_grid(**{"POST /session": answer}) as fake:
        with pytest.raises(KaptureError, match=said) as raised:
            await grid_at(fake).new_session(paths.extension(), 5)
        assert raised.value.code == "NO_BROWSER"
        assert "/other" not in [asked.path for asked in fake.asked]


async def test_a_session_without_cdp_is_given_back() -> None:
    without = {"sessionId": "a1", "capabilities": {"browserName": "firefox"}}
    async with fake_grid(**{"POST /session": (200, without)}) as fake:
        with pytest.raises(KaptureError):
            await grid_at(fake).new_session(paths.extension(), 5)
        assert await fake.ended.get() == "/session/a1"


async def test_one_that_has_ended_already_is_no_error() -> None:
    async with fake_grid(**{"DELETE /session/a1": (404, {"message": "invalid session id"})}) as fake:
        await grid_at(fake).end(GridSession(SESSION["sessionId"], "", ""))  # type: ignore[arg-type]
    async with fake_grid(**{"DELETE /session/a1": (500, {"message": "down"})}) as fake:
        with pytest.raises(KaptureError, match="down"):
            await grid_at(fake).end(GridSession("a1", "", ""))


async def test_nobody_at_the_address_is_told() -> None:
    async with fake_grid() as fake:
        pass
    with pytest.raises(KaptureError, match="cannot be reached"):
        await grid_at(fake).slots()
