"""CDP with a browser elsewhere: when it counts as lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.remote import cdp_socket
from kapture_panel.hub.browsers.remote.cdp_socket import CdpSocket
from tests.support.hub.far import FarCdp, far_cdp


@asynccontextmanager
async def connected(far: FarCdp) -> AsyncIterator[tuple[CdpSocket, asyncio.Queue[str]]]:
    lost: asyncio.Queue[str] = asyncio.Queue()
    socket = await CdpSocket.open(far.address, None, {"Authorization": "Bearer x"}, lambda *_: None, lost.put_nowait)
    try:
        yield socket, lost
    finally:
        await socket.close()


async def test_it_says_who_asks_and_carries_calls() -> None:
    async with far_cdp() as far, connected(far) as (socket, lost):
        assert (await socket.call("Browser.getVersion"))["product"] == "Fake/1"
        assert far.headers["Authorization"] == "Bearer x"
        await socket.close()
        assert lost.empty()
        with pytest.raises(KaptureError, match="it was closed"):
            await socket.call("Browser.getVersion")


async def test_one_that_falls_silent_is_lost_though_its_socket_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cdp_socket, "BEAT_S", 0.02)
    monkeypatch.setattr(cdp_socket, "ANSWER_S", 0.05)
    async with far_cdp() as far, connected(far) as (socket, lost):
        socket.expect_work()
        far.is_silent = True
        calling = tasks.spawn(socket.call("Target.getTargets"), "call")
        assert "fell silent" in await lost.get()
        with pytest.raises(KaptureError, match="was lost: it fell silent"):
            await calling


async def test_one_that_starts_may_be_silent_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cdp_socket, "BEAT_S", 0.02)
    monkeypatch.setattr(cdp_socket, "ANSWER_S", 0.0)
    async with far_cdp() as far, connected(far) as (socket, lost):
        far.is_silent = True
        await far.until_called("Browser.getVersion")
        assert not socket.over
        socket.expect_work()
        assert "fell silent" in await lost.get()


def test_the_promise_is_kept_by_the_times() -> None:
    look_s = cdp_socket.BEAT_S / 2
    assert cdp_socket.BEAT_S + look_s + cdp_socket.ANSWER_S < 5


async def test_one_whose_connection_breaks_is_lost() -> None:
    async with far_cdp() as far, connected(far) as (socket, lost):
        await socket.call("Browser.getVersion")
        assert far.socket is not None
        far.socket.transport.abort()
        assert await lost.get() == "its connection broke"
        with pytest.raises(KaptureError):
            await socket.call("Browser.getVersion")


async def test_something_unreadable_ends_the_calls_that_may_have_been_meant() -> None:
    async with far_cdp(answers={"X": lambda frame: {"id": frame}}) as far, connected(far) as (socket, _lost):
        await socket.call("Browser.getVersion")
        far.is_silent = True
        calling = tasks.spawn(socket.call("Target.getTargets"), "call")
        await far.until_called("Target.getTargets")
        assert far.socket is not None
        await far.socket.send("no json")
        with pytest.raises(KaptureError, match="unreadable"):
            await calling


async def test_a_redirect_is_not_followed() -> None:
    async with far_cdp() as far:

        def send_on(_socket: ServerConnection, _request: Request) -> Response:
            response = _socket.respond(302, "")
            response.headers["Location"] = far.address
            return response

        async with serve(lambda _socket: asyncio.sleep(0), "127.0.0.1", 0, process_request=send_on) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            with pytest.raises(KaptureError, match="lets nobody in"):
                await CdpSocket.open(f"ws://127.0.0.1:{port}", None, {}, lambda *_: None, lambda _: None)
        assert far.socket is None
