"""The panel among the other programs of a desktop: its window, its tray icon, the end of the session."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from dbus_fast import Variant

from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.agent_door import door_client
from kapture_panel.hub.browsers.helper_processes import wait_ended
from tests.support.e2e import desktop_host
from tests.support.e2e.desktop_host import Notices, Portal, Screen, Tray, until
from tests.support.patience import PATIENCE_S

KAPTURE = [sys.executable, "-m", "kapture_panel"]
TITLE = "Kapture Panel"
ON = Variant("b", True)
LIGHT = bytes(range(128, 256))


@dataclass
class Desktop:
    """A display with nothing on it yet, and a bus."""

    screen: Screen
    bus: str
    environment: dict[str, str]
    root: Path

    def kapture(self, *options: str) -> subprocess.Popen[str]:
        """Start the panel's program."""
        command = [*KAPTURE, "--data-dir", str(self.root), "--port", "0", *options]
        return subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    @contextmanager
    def panel(self, *options: str) -> Iterator[subprocess.Popen[str]]:
        """A panel that runs and is ended afterwards if it has not ended by itself."""
        process = self.kapture(*options)
        try:
            until(lambda: door_client.answers(self.root), "the panel's door")
            yield process
        finally:
            process.terminate()
            said, _ = process.communicate(timeout=PATIENCE_S)
            print(said)
            left = [found for found in psutil.process_iter(["cmdline"]) if str(self.root) in str(found.info["cmdline"])]
            wait_ended(left, PATIENCE_S)


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Desktop]:
    with ExitStack() as ending:
        name = ending.enter_context(desktop_host.display())
        bus = ending.enter_context(desktop_host.session_bus())
        screen = Screen(name)
        ending.callback(screen.close)
        environment = {**os.environ, "DISPLAY": name, "DBUS_SESSION_BUS_ADDRESS": bus, "QT_QPA_PLATFORM": "xcb"}
        environment.pop("WAYLAND_DISPLAY", None)
        yield Desktop(screen, bus, environment, tmp_path / "data")


@pytest.fixture
async def tray(desktop: Desktop) -> AsyncIterator[Tray]:
    made = await Tray.open(desktop.bus)
    yield made
    made.close()


def test_a_second_start_raises_the_window_and_ends_and_without_a_tray_closing_it_ends_the_program(
    desktop: Desktop,
) -> None:
    with desktop.panel() as first:
        [window] = until(lambda: desktop.screen.seen(TITLE), "the window")
        desktop.screen.cover("another program")
        until(lambda: desktop.screen.top() == "another program", "the cover")
        second = desktop.kapture()
        assert second.wait(PATIENCE_S) == 0
        assert second.stdout is not None
        assert second.stdout.read() == ""
        second.stdout.close()
        until(lambda: desktop.screen.top() == TITLE, "the window over the other")
        assert first.poll() is None
        desktop.screen.ask_to_close(window)
        assert first.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("way", [{"QT_QPA_PLATFORMTHEME": "xdgdesktopportal"}, {"XDG_CURRENT_DESKTOP": "GNOME"}])
async def test_the_window_goes_dark_and_light_with_the_desktop_while_it_runs(
    way: dict[str, str], desktop: Desktop
) -> None:
    portal = await Portal.open(desktop.bus, is_dark=True)
    desktop.environment |= way
    # The bus is served here, so whatever waits for the panel must not keep this loop from it.
    with ExitStack() as ending:
        await asyncio.to_thread(ending.enter_context, desktop.panel())
        [window] = await asyncio.to_thread(until, lambda: desktop.screen.seen(TITLE), "the window")

        async def shows(is_dark: bool) -> None:
            await asyncio.to_thread(until, lambda: is_dark_picture(desktop.screen.picture(window)) == is_dark, "it")

        await shows(is_dark=True)
        for is_dark in (False, True, False):
            await portal.choose(is_dark=is_dark)
            await shows(is_dark=is_dark)
    portal.close()


def is_dark_picture(pixels: bytes) -> bool:
    """Whether most of a picture, four bytes a pixel, is dark."""
    greens = pixels[1::4]
    return len(greens.translate(None, LIGHT)) > len(greens) / 2


def test_in_a_tray_of_windows_a_click_brings_the_hidden_window_back(desktop: Desktop) -> None:
    with desktop_host.trayer(desktop.environment), desktop.panel() as panel:
        [window] = until(lambda: desktop.screen.seen(TITLE), "the window")
        icon = until(lambda: desktop.screen.embedded("kapture"), "the icon in the tray")
        desktop.screen.ask_to_close(window)
        until(lambda: not desktop.screen.seen(TITLE), "the window hidden")
        assert panel.poll() is None
        desktop.screen.click(icon)
        until(lambda: desktop.screen.seen(TITLE), "the window again")
        assert len(set(desktop.screen.picture(icon))) > 10  # something is drawn


async def test_over_the_bus_the_icon_shows_hides_tells_who_is_driving_starts_the_browser_and_quits(
    desktop: Desktop, tray: Tray
) -> None:
    with desktop.panel("--tray") as panel:
        await tray.registered()
        await it_tells_who_is_driving(desktop, tray)
        await it_shows_and_hides(desktop, tray)
        await it_starts_the_browser_and_shows_its_tab(desktop, tray)
        await tray.choose("Quit")
        assert panel.wait(PATIENCE_S) == 0


async def it_tells_who_is_driving(desktop: Desktop, tray: Tray) -> None:
    idle = await tray.get("IconPixmap")
    assert (await tray.get("ToolTip"))[2] == TITLE
    async with connect(desktop.root, "driver") as client:
        await Agent(client).call("list_tabs")

        async def is_told() -> bool:
            return bool((await tray.get("ToolTip"))[2] == "Kapture Panel: driven by driver")

        await tray.until(is_told)
        assert await tray.get("IconPixmap") != idle

    async def is_calm() -> bool:
        return bool(await tray.get("IconPixmap") == idle)

    await tray.until(is_calm)


async def it_shows_and_hides(desktop: Desktop, tray: Tray) -> None:
    assert desktop.screen.seen(TITLE) == []  # started hidden
    await tray.activate()
    [window] = until(lambda: desktop.screen.seen(TITLE), "the window")
    desktop.screen.ask_to_close(window)
    until(lambda: not desktop.screen.seen(TITLE), "the window hidden")
    menu = await tray.menu()
    assert list(menu) == [
        "Show panel",
        "Pause agents",
        "Copy MCP config",
        "Start browser",
        "Screenshot current tab",
        "Recent tabs",
        "Quit",
    ]
    disabled = [words for words, entry in menu.items() if not entry[1].get("enabled", ON).value]
    assert disabled == ["Screenshot current tab", "Recent tabs"]
    await tray.choose("Show panel")
    [window] = until(lambda: desktop.screen.seen(TITLE), "the window")
    desktop.screen.ask_to_close(window)
    until(lambda: not desktop.screen.seen(TITLE), "the window hidden")


async def it_starts_the_browser_and_shows_its_tab(desktop: Desktop, tray: Tray) -> None:
    await tray.choose("Start browser")

    def tabs() -> list[str]:
        with door_client.DoorClient(desktop.root, {"role": "call"}, timeout_s=PATIENCE_S) as caller:
            return [tab["tabId"] for tab in caller.ask({"command": "list_tabs"})["result"]["tabs"]]

    assert len(until(tabs, "a tab of the browser")) == 1
    [recent] = await tray.until_menu(lambda menu: menu["Recent tabs"][2])
    assert desktop.screen.seen(TITLE) == []
    await tray.choose_number(recent.value[0])
    until(lambda: desktop.screen.seen(TITLE), "the window")
    await tray.choose_surely("Screenshot current tab")
    until(lambda: list((desktop.root / "screenshots").iterdir()), "the picture")


async def test_what_a_page_is_called_is_no_markup_in_the_messages_of_the_desktop(
    desktop: Desktop, tray: Tray, pages: str
) -> None:
    notices = await Notices.open(desktop.bus)
    name = '<b>Bold</b> & <a href="https://evil.example/">log in</a>'
    with desktop.panel("--tray"):
        await tray.registered()
        async with connect(desktop.root, name) as client:
            agent = Agent(client)
            await agent.call("navigate", url=f"{pages}/markup_title.html")

            async def is_told() -> bool:
                return "driven by" in (await tray.get("ToolTip"))[2]

            await tray.until(is_told)
            assert not set("<>&") & set((await tray.get("ToolTip"))[2])
            await tray.choose_surely("Screenshot current tab")
            title, text = await notices.next()
    assert title == "Screenshot taken"
    assert "log in" in text
    assert not set("<>&") & set(text)
    notices.close()
