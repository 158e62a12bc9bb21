"""When the browser of an isolated conversation ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.hub.browsers.sessions import Sessions


class FakeLinks:
    """Keeps which sessions' browsers were ended."""

    def __init__(self) -> None:
        self.ended: asyncio.Queue[str] = asyncio.Queue()

    async def end_browser(self, session: str) -> None:
        self.ended.put_nowait(session)


class Setting:
    def __init__(self, folder: Path) -> None:
        self.folder, self.clients, self.links = folder, Clients(), FakeLinks()
        self.sessions = Sessions(folder / "sessions", self.clients, self.links.end_browser)

    def client(self, idle_s: float = 3600) -> Client:
        client = Client("agent", "agent")
        client.isolate(idle_s)
        self.clients.add(client)
        self.sessions.profile(client.session).mkdir(parents=True)
        return client

    def profiles(self, client: Client) -> list[Path]:
        return list((self.folder / "sessions").glob(f"{client.session}*"))

    def call(self, client: Client, running: int) -> None:
        client.running = running
        self.clients.changed.emit(client)


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path)


async def test_it_ends_with_the_conversation_and_leaves_no_profile(setting: Setting) -> None:
    client, other = setting.client(), setting.client()
    setting.clients.remove(client)
    assert await setting.links.ended.get() == client.session
    await setting.sessions.close()
    assert not setting.profiles(client)
    assert setting.links.ended.empty()
    assert other.session != client.session


async def test_it_ends_when_it_was_idle_for_long_enough(setting: Setting) -> None:
    client = setting.client(idle_s=0.01)
    setting.call(client, 1)
    setting.call(client, 0)
    assert await setting.links.ended.get() == client.session
    await setting.sessions.close()


async def test_a_call_that_runs_is_not_idle_and_each_call_starts_the_time_anew(setting: Setting) -> None:
    client = setting.client()
    loop = asyncio.get_running_loop()
    setting.call(client, 0)
    first = setting.sessions._timers[client.session]
    setting.call(client, 1)
    assert first.cancelled()
    assert not setting.sessions._timers
    setting.call(client, 0)
    assert setting.sessions._timers[client.session].when() >= loop.time() + 3590
    await setting.sessions.close()
    assert setting.links.ended.empty()


async def test_the_next_browser_of_a_session_keeps_its_profile_when_the_one_before_is_gone(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = setting.client(idle_s=0.01)
    is_gone, ends = asyncio.Event(), setting.links.end_browser

    async def slowly(session: str) -> None:
        await ends(session)
        await is_gone.wait()

    monkeypatch.setattr(setting.sessions, "_end_it", slowly)
    setting.call(client, 0)
    await setting.links.ended.get()
    (before,) = setting.profiles(client)
    after = setting.sessions.profile(client.session)
    assert setting.sessions.profile(client.session) == after, "one that dies comes back as it was"
    after.mkdir()
    is_gone.set()
    await asyncio.gather(*setting.sessions._ending)
    assert (before.exists(), after.exists()) == (False, True)
    await setting.sessions.close()


async def test_conversations_that_share_a_browser_are_left_alone(setting: Setting) -> None:
    client = Client("agent", "agent")
    setting.clients.add(client)
    setting.call(client, 0)
    setting.clients.remove(client)
    await setting.sessions.close()
    assert setting.links.ended.empty()


def test_what_a_killed_panel_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "sessions" / "old" / "Default"
    left.mkdir(parents=True)
    Setting(tmp_path)
    assert not left.exists()
