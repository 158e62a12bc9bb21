"""The way to a real Selenium Grid: a proxy that cuts or falls silent, TLS with a token, round trips over a distance."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.demo import job
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.browsers.managed import ManagedBrowser
from kapture_panel.hub.browsers.remote.cdp_socket import CdpSocket
from kapture_panel.hub.browsers.remote.examine import examine
from kapture_panel.hub.browsers.remote.places import Place, Places
from kapture_panel.hub.browsers.remote.remote_browser import RemoteBrowser
from tests.support.e2e.panel import Panel
from tests.support.grid_relay import Relay, relay
from tests.support.own_ca import OwnCa
from tests.support.selenium_grid import Grid, note, places

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What we promise; the agent's own way to the panel and back is in it, and a machine that is busy with browsers.
TOLD_WITHIN_S = 5.0
TOKEN = "a-token-of-the-tests"


def far(panel: Panel, name: str, place: str) -> Any:
    return connect(panel.data.root, name, "all", "--isolated", "--on", place)


def browser_of(panel: Panel, name: str) -> RemoteBrowser:
    client = next(client for client in panel.hub.state.clients.agents() if client.name == name)
    browser = panel.hub.browsers.of(client.session)
    assert isinstance(browser, RemoteBrowser)
    return browser


async def waiting(panel: Panel, agent: Agent, name: str) -> asyncio.Task[str]:
    """A command that is under way."""
    client = next(client for client in panel.hub.state.clients.agents() if client.name == name)
    waits = tasks.spawn(agent.fails("wait", selector="#never", timeout=100_000), "wait")
    await panel.executing(client.current_tab)
    return waits


@asynccontextmanager
async def through(machines: Grid, **fields: Any) -> AsyncIterator[Relay]:
    """A relay to a Grid that stays until the panel has given all sessions back through it."""
    async with relay(machines.address, **fields) as way:
        yield way
        await asyncio.to_thread(machines.until, "the end of all sessions", lambda: not machines.sessions())


@pytest.mark.parametrize("how", ["cut", "silent"])
async def test_a_proxy_that_cuts_or_falls_silent_is_told_and_the_next_call_has_a_new_session(
    panel: Panel, machines: Grid, pages: str, how: str
) -> None:
    async with through(machines) as way:
        panel.data.places.write_text(places(behind=way.address))
        async with far(panel, how, "behind") as mcp:
            agent = Agent(mcp)
            await agent.call("navigate", url=f"{pages}/blank.html")
            (before,) = machines.sessions()
            waits = await waiting(panel, agent, how)
            began = time.monotonic()
            if how == "cut":
                await way.cut()
            else:
                way.fall_silent()
            said = await waits
            took = time.monotonic() - began
            assert said.startswith("OUTCOME_UNKNOWN")
            assert "behind was lost" in said
            assert ("its connection broke" if how == "cut" else "it fell silent") in said
            assert took < TOLD_WITHIN_S
            if how == "silent":
                await way.speak()
            said = await agent.fails("evaluate", code="1")
            assert said.startswith("TAB_DISCONNECTED")
            assert said.endswith("the next call starts a new browser")
            await agent.call("navigate", url=f"{pages}/blank.html?new")
            assert (await agent.call("evaluate", code="location.search"))["value"] == "?new"
            # The one that was lost is given back, or ends by the Grid's own time-out.
            await asyncio.to_thread(machines.until, "its end", lambda: before not in machines.sessions())
            assert len(machines.sessions()) == 1


async def test_a_session_over_tls_with_a_ca_of_our_own_and_a_token(
    panel: Panel, machines: Grid, pages: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    ca = OwnCa(tmp_path / "ca")
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    async with through(machines, tls=ca.server, token=TOKEN) as way:
        safe = f'{places(safe=way.address)}\nca = "{ca.file}"\ntoken_file = "{token}"'
        panel.data.places.write_text(safe)
        async with far(panel, "careful", "safe") as mcp:
            agent = Agent(mcp)
            await agent.call("navigate", url=f"{pages}/blank.html?safe")
            assert (await agent.call("evaluate", code="location.search"))["value"] == "?safe"
    asked = [line.split()[0] + " " + ("cdp" if "/se/cdp" in line else "http") for line in way.taken]
    assert {"POST http", "GET cdp", "DELETE http"} <= set(asked)
    assert not way.refused
    assert TOKEN not in f"{panel.hub.state.history.rows(limit=100)}{caplog.text}"


async def _refused(panel: Panel, name: str, pages: str) -> str:
    async with far(panel, name, "safe") as mcp:
        return await Agent(mcp).fails("navigate", url=f"{pages}/blank.html")


async def test_a_wrong_ca_and_a_missing_or_wrong_token_are_refused_in_words(
    panel: Panel, machines: Grid, pages: str, tmp_path: Path
) -> None:
    ca, other = OwnCa(tmp_path / "ca"), OwnCa(tmp_path / "other")
    token = tmp_path / "token"
    token.write_text("another-token")
    token.chmod(0o600)
    async with through(machines, tls=ca.server, token=TOKEN) as way:
        place = places(safe=way.address)
        # Neither the system's authorities nor another one of our own vouch for it.
        for trust in ("", f'\nca = "{other.file}"'):
            panel.data.places.write_text(place + trust)
            said = await _refused(panel, "stranger", pages)
            assert said.startswith("NO_BROWSER: safe (127.0.0.1:")
            assert "certificate verify failed" in said
            assert "look at ca" in said
        assert not way.taken + way.refused
        for login in ("", f'\ntoken_file = "{token}"'):
            panel.data.places.write_text(f'{place}\nca = "{ca.file}"{login}')
            said = await _refused(panel, "nobody", pages)
            assert "refuses the log-in (status 401)" in said
            assert "look at token_file" in said
        assert not way.taken
        # The socket of CDP is a door of its own: it is asked for the token, too.
        session = f"wss{way.address.removeprefix('https')}/session/x/se/cdp"
        for file, why in ((ca.file, "HTTP 401"), (other.file, "certificate verify failed.*look at ca")):
            believed = Place(grid=way.address, ca=str(file)).trust()
            with pytest.raises(KaptureError, match=why):
                await CdpSocket.open(session, believed, {}, lambda *_: None, lambda _why: None)


async def test_every_link_of_a_place_with_tls_and_a_token_holds(machines: Grid, tmp_path: Path) -> None:
    ca = OwnCa(tmp_path / "ca")
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    async with through(machines, tls=ca.server, token=TOKEN) as way:
        file = tmp_path / "browsers.toml"
        file.write_text(f'{places(safe=way.address)}\nca = "{ca.file}"\ntoken_file = "{token}"')
        checks = [check async for check in examine(Places(file).get("safe"), paths.extension())]
    assert [check.state for check in checks] == ["ok"] * 5, checks


@contextmanager
def crossing(cdp: CdpSocket) -> Iterator[list[str]]:
    """What crosses from now on: `>` for what the panel says, `<` for what the browser says. The panel's heartbeat is
    left out: no command waits for it."""
    crossed: list[str] = []
    beats: set[int] = set()
    send, take = cdp._send, cdp._take_text

    async def on_send(method: str, frame: str) -> None:
        if method == "Browser.getVersion":
            beats.add(json.loads(frame)["id"])
        else:
            crossed.append(">")
        await send(method, frame)

    def on_take(frame: str | bytes) -> None:
        if json.loads(frame).get("id") not in beats:
            crossed.append("<")
        take(frame)

    cdp._send, cdp._take_text = on_send, on_take  # type: ignore[method-assign]
    try:
        yield crossed
    finally:
        cdp._send, cdp._take_text = send, take  # type: ignore[method-assign]


def round_trips(crossed: list[str]) -> int:
    """How often the panel said something after it had heard something: no command can have needed more round trips."""
    return f"<{''.join(crossed)}".count("<>")


async def test_a_command_needs_no_more_round_trips_than_promised(panel: Panel, machines: Grid, pages: str) -> None:
    # 20 ms each way: what needs an answer first is said after it, and not by chance before.
    async with through(machines, delay_s=0.02) as way:
        panel.data.places.write_text(places(distant=way.address))
        async with far(panel, "walker", "distant") as mcp:
            agent = Agent(mcp)
            await agent.call("navigate", url=f"{pages}/form50.html")
            cdp = browser_of(panel, "walker").cdp

            async def trips(answer: Awaitable[JsonObject | str]) -> int:
                with crossing(cdp) as crossed:
                    await answer
                print("".join(crossed))
                return round_trips(crossed)

            assert await trips(agent.text("snapshot")) == 1
            assert await trips(agent.call("count_elements", selector="input")) == 1
            assert await trips(agent.call("evaluate", code="1")) == 1
            assert 1 <= await trips(agent.call("click", selector="input")) <= 2


async def _commands_of_demo(panel: Panel, shop: str, name: str, *options: str) -> list[float]:
    """Do the demo job, each step of which is checked, in an isolated browser; how long each of its commands took, in
    seconds. The checks between them cross the distance, too, and are no part of the job."""
    async with connect(panel.data.root, name, "all", "--isolated", *options) as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=shop)
        agent.times_ms.clear()  # the browser's start is not the job
        client = next(client for client in panel.hub.state.clients.agents() if client.name == name)
        browser = panel.hub.browsers.of(client.session)
        assert isinstance(browser, RemoteBrowser | ManagedBrowser)
        cdp = browser.cdp if isinstance(browser, RemoteBrowser) else browser.pipe
        work = job.Job(agent, Witness(cdp, shop), shop)
        for _title, step in job.STEPS:
            await step(work)
        return [time_ms / 1000 for times_ms in agent.times_ms.values() for time_ms in times_ms]


async def test_the_demo_job_is_done_over_a_distance(panel: Panel, machines: Grid, shop: str) -> None:
    async with through(machines, delay_s=0.02) as way:
        panel.data.places.write_text(places(distant=way.address))
        here, distant = [], []
        for turn in range(2):
            here.append(await _commands_of_demo(panel, shop, f"here{turn}"))
            distant.append(await _commands_of_demo(panel, shop, f"distant{turn}", "--on", "distant"))
    assert [len(times_s) for times_s in here] == [len(times_s) for times_s in distant]
    note(
        "demo job",
        commands=len(here[0]),
        here_s=[sum(times_s) for times_s in here],
        distant_s=[sum(times_s) for times_s in distant],
        more_ms_per_command=1000 * (statistics.median(distant[-1]) - statistics.median(here[-1])),
    )
