"""Pairing a person's own browser: a real Chromium that is not the panel's, its pair page, the window's card."""

from __future__ import annotations

import asyncio
import os

from tests.support.patience import PATIENCE_S

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from kapture_panel import paths
from kapture_panel.core.registry.paired import PairedBrowser
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from kapture_panel.programs import panel as program
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.app import make_application
from tests.support.e2e.own_browser import OwnBrowser, started
from tests.support.window.qt_loop import bury, on_qt_loop, until

STATE = "document.body?.dataset.state"


@pytest.fixture(autouse=True)
def app() -> QApplication:
    made = QApplication.instance()
    return made if isinstance(made, QApplication) else make_application(["kapture-tests"])


@contextlib.asynccontextmanager
async def panel(folder: Path, port: int = 0) -> AsyncIterator[tuple[Hub, MainWindow]]:
    """The panel's program with its window; the extension is in its folder."""
    data = DataDir.open(str(folder))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    try:
        async with program.opened(data, instance, Options(port=port, headless=True), asyncio.Event()) as (hub, window):
            window.resize(1440, 900)
            window.show()
            window.rooms.browsers.show_browser_setup()
            yield hub, window
        bury(window)  # while what it shows is alive: afterwards its views' end kills the process
    finally:
        instance.release()


async def state(browser: OwnBrowser, page: str, wanted: str) -> None:
    await browser.until(page, f"{STATE} === '{wanted}'")


async def codes(browser: OwnBrowser, window: MainWindow) -> tuple[str, str, str]:
    """(the pair page's session, the code it shows, the code the card shows)."""
    page = await browser.page("pair/pair.html")
    await state(browser, page, "code")
    await until(
        lambda: window.rooms.browsers.pairing.card is not None and window.rooms.browsers.pairing.card.pair.isEnabled(),
        "the card",
    )
    assert window.rooms.browsers.pairing.card is not None
    return (
        page,
        await browser.see(page, "document.querySelector('#code').textContent"),
        window.rooms.browsers.pairing.card.code.text(),
    )


async def pair(browser: OwnBrowser, hub: Hub, window: MainWindow) -> PairedBrowser:
    """The person compares the codes and says yes on both sides."""
    page, theirs, ours = await codes(browser, window)
    assert theirs == ours
    await browser.click(page, "#yes")
    await state(browser, page, "confirmed")
    assert window.rooms.browsers.pairing.card is not None
    QTest.mouseClick(window.rooms.browsers.pairing.card.pair, Qt.MouseButton.LeftButton)
    await state(browser, page, "paired")
    (known,) = hub.state.paired
    await here(hub, known)
    return known


async def here(hub: Hub, known: PairedBrowser) -> None:
    await until(lambda: hub.state.paired.is_here(known.install), "the browser's link", PATIENCE_S)


async def kept(browser: OwnBrowser) -> Any:
    """The pairing the extension keeps."""
    page = await browser.page("pair/pair.html")
    return await browser.see(page, "chrome.storage.local.get('pairing').then(({ pairing }) => pairing ?? null)")


@on_qt_loop
async def _whole(pages: str, folder: Path) -> None:
    data, profile = folder / "data", folder / "profile"
    async with panel(data) as (hub, window):
        port = hub.port
        async with started(profile, data / "extension", f"{pages}/keys.html") as browser:
            known = await pair(browser, hub, window)
            assert (await kept(browser))["key"] == known.key
            assert (data / "paired.json").stat().st_mode & 0o777 == 0o600
            assert data.stat().st_mode & 0o777 == 0o700
            assert [
                step.is_done
                for step in (window.rooms.browsers.browser_setup.load, window.rooms.browsers.browser_setup.pair)
            ] == [True, True]
            assert len(hub.state.tabs) == 0, "no tab is connected by itself"

            popup = await browser.popup("keys.html")
            await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
            await until(lambda: len(hub.state.tabs) == 1, "the tab", PATIENCE_S)
            (tab,) = hub.state.tabs
            assert (tab.managed, tab.install) == (False, known.install)
            answer = await hub.core.router.run(
                hub.state.person, "evaluate", {"tabId": tab.tab_id, "code": "document.title = 'driven'"}
            )
            assert answer.result["value"] == "driven"
            assert await browser.see(await browser.page("keys.html"), "document.title") == "driven"
            assert window.rooms.browsers.browser_setup.connect_tab.is_done

            await hub.connections.listener.close()
            await until(lambda: len(hub.state.tabs) == 0, "the cut", PATIENCE_S)
            await hub.connections.listener.open(port)
            await until(lambda: hub.state.tabs.find(tab.tab_id) is not None, "the same tab again", PATIENCE_S * 2)
            await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
            await until(lambda: len(hub.state.tabs) == 0, "the disconnected tab", PATIENCE_S)

        await until(lambda: not hub.state.paired.is_here(known.install), "the end of the browser", PATIENCE_S)
        async with started(profile, data / "extension"):
            await here(hub, known)
            assert window.rooms.browsers.pairing.card is None

    async with panel(data, port) as (hub, window):
        (again,) = hub.state.paired
        assert again.key == known.key
        async with started(profile, data / "extension") as browser:
            await here(hub, known)
            assert not [page for page in await browser.pages() if "pair.html" in page["url"]], "it asks only once"


def test_a_browser_is_paired_drives_its_tab_and_stays_paired_over_restarts(pages: str, tmp_path: Path) -> None:
    _whole(pages, tmp_path)


@on_qt_loop
async def _revoked(pages: str, folder: Path) -> None:
    data = folder / "data"
    async with (
        panel(data) as (hub, window),
        started(folder / "profile", data / "extension", f"{pages}/keys.html") as browser,
    ):
        await pair(browser, hub, window)
        popup = await browser.popup("keys.html")
        await browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        await until(lambda: len(hub.state.tabs) == 1, "the tab", PATIENCE_S)

        window.rooms.browsers.view.open()
        QTest.mouseClick(window.rooms.browsers.view.unpair, Qt.MouseButton.LeftButton)
        QTest.mouseClick(window.rooms.browsers.view.yes, Qt.MouseButton.LeftButton)
        assert len(hub.state.tabs) == 0
        page = await browser.page("pair/pair.html")
        await state(browser, page, "unpaired")
        assert await kept(browser) is None
        assert json.loads((data / "paired.json").read_text()) == []

        await browser.click(page, "#again")
        await pair(browser, hub, window)
        await browser.click(page, "#unpair")
        await state(browser, page, "unpaired")
        await until(lambda: len(hub.state.paired) == 0, "the panel's half", PATIENCE_S)
        assert await kept(browser) is None
        assert json.loads((data / "paired.json").read_text()) == []


def test_either_side_ends_it(pages: str, tmp_path: Path) -> None:
    _revoked(pages, tmp_path)


@on_qt_loop
async def _not_paired(folder: Path) -> None:
    data = folder / "data"
    async with panel(data) as (hub, window), started(folder / "profile", data / "extension") as browser:
        page, *_ = await codes(browser, window)
        assert window.rooms.browsers.pairing.card is not None
        QTest.mouseClick(window.rooms.browsers.pairing.card.pair, Qt.MouseButton.LeftButton)
        await browser.click(page, "#no")
        await state(browser, page, "different")
        await until(lambda: window.rooms.browsers.pairing.card is None, "the end of the card")

        hub.state.pairing.expiry_s = 0.3
        await browser.click(page, "#again")
        await state(browser, page, "expired")
        assert "Try again" in await browser.see(page, "document.querySelector('#words').textContent")
        card = window.rooms.browsers.pairing.card
        assert card is not None
        assert "“Try again”" in card.words.text()

        hub.state.pairing.expiry_s = 60.0
        await browser.click(page, "#again")
        await codes(browser, window)
        QTest.mouseClick(window.rooms.browsers.pairing.card.refuse, Qt.MouseButton.LeftButton)
        await state(browser, page, "refused")
        assert "refused it in the panel" in await browser.see(page, "document.querySelector('#words').textContent")
        assert len(hub.state.paired) == 0
        assert await kept(browser) is None
        assert len(hub.state.tabs) == 0


def test_another_code_an_expired_one_and_a_refusal_pair_nothing(tmp_path: Path) -> None:
    _not_paired(tmp_path)


@contextlib.asynccontextmanager
async def impostor(
    port: int, speak: Callable[[ServerConnection, list[Any]], Awaitable[None]]
) -> AsyncIterator[tuple[int, list[Any]]]:
    """Another program on the panel's port. Gives its port and all that the browser ever says to it."""
    heard: list[Any] = []

    async def on_connection(connection: ServerConnection) -> None:
        heard.append(connection)
        with contextlib.suppress(ConnectionClosed):
            await speak(connection, heard)
            while True:
                heard.append(await connection.recv())

    async with serve(on_connection, "127.0.0.1", port, compression=None) as server:
        yield server.sockets[0].getsockname()[1], heard


def said(heard: list[Any]) -> str:
    return "\n".join(one for one in heard if isinstance(one, str))


@pytest.mark.asyncio(loop_scope="session")
async def test_a_program_on_the_port_learns_nothing_and_gives_no_key(pages: str, tmp_path: Path) -> None:
    """It even sends a key by itself; the extension takes none the person has not agreed to."""

    async def speak(connection: ServerConnection, heard: list[Any]) -> None:
        heard.append(await connection.recv())
        await connection.send(json.dumps({"type": "pairing", "nonce": "0" * 64}))
        heard.append(await connection.recv())
        await connection.send(json.dumps({"type": "paired", "key": "ab" * 32}))

    async with impostor(0, speak) as (port, heard):
        extension = installed_browsers.place_extension(paths.extension(), tmp_path / "extension", port)
        async with started(tmp_path / "profile", extension, f"{pages}/keys.html?secret-address") as browser:
            page = await browser.page("pair/pair.html")
            await browser.until(page, f"{STATE} === 'wrong'")
            assert await kept(browser) is None
            frames = [json.loads(one) for one in heard if isinstance(one, str)]
            assert [sorted(frame) for frame in frames] == [
                ["commitment", "install", "protocol", "type"], ["nonce", "type"],
            ]  # fmt: skip
            title = await browser.see(await browser.page("keys.html"), "document.title")
            assert title
            assert not [secret for secret in (title, "secret-address", "keys.html") if secret in said(heard)]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_program_in_the_panels_place_learns_nothing_of_a_paired_browser(pages: str, tmp_path: Path) -> None:
    """The key is the panel's; whoever listens there now hears who asks, and no more."""
    greeted = asyncio.Event()

    async def speak(connection: ServerConnection, heard: list[Any]) -> None:
        heard.append(await connection.recv())
        await connection.send(json.dumps({"type": "challenge", "nonce": "0" * 64, "proof": "0" * 64}))
        if '"hello"' in said(heard):
            with contextlib.suppress(ConnectionClosed):
                heard.append(await connection.recv())
            greeted.set()

    async with impostor(0, speak) as (port, heard):
        extension = installed_browsers.place_extension(paths.extension(), tmp_path / "extension", port)
        async with started(tmp_path / "profile", extension, f"{pages}/keys.html?secret-address") as browser:
            page = await browser.page("pair/pair.html")
            pairing = json.dumps({"install": "0" * 16, "key": "ab" * 32, "port": port, "managed": False})
            await browser.until(page, "globalThis.chrome?.storage?.local")
            await browser.see(page, f"chrome.storage.local.set({{ pairing: {pairing} }})")
            await asyncio.wait_for(greeted.wait(), PATIENCE_S)
            hellos = [json.loads(one) for one in heard if isinstance(one, str) and '"hello"' in one]
            assert sorted(hellos[0]) == ["install", "nonce", "protocol", "role", "tabId", "type"]
            assert "secret-address" not in said(heard)
            assert "proof" not in said(heard)


@pytest.mark.asyncio(loop_scope="session")
async def test_a_browser_that_is_not_paired_is_quiet(tmp_path: Path) -> None:
    """Only the pair page asks, and only while it is open."""

    async def speak(connection: ServerConnection, _heard: list[Any]) -> None:
        await connection.close()

    async with impostor(0, speak) as (port, heard):
        extension = installed_browsers.place_extension(paths.extension(), tmp_path / "extension", port)
        async with started(tmp_path / "profile", extension, "about:blank") as browser:
            page = await browser.page("pair/pair.html")
            await browser.until(page, f"{STATE} === 'away'")
            await browser.close("pair/pair.html")
            async with asyncio.timeout(PATIENCE_S):
                while [one for one in await browser.pages() if "pair.html" in one["url"]]:
                    await browser.pages()
            asked = len(heard)
            await asyncio.sleep(3)
            assert len(heard) == asked
