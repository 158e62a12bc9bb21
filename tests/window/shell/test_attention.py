"""A person who looks elsewhere is told of a question by the desktop, and can deny it there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.safe_text import unmarked
from tests.support.e2e.desktop_host import session_bus
from tests.support.window.fakes import Instance
from tests.support.window.notification_server import NotificationServer
from tests.support.window.qt_loop import on_qt_loop, settle, until

NAME = "<b>claude</b>-code"


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A session bus, on which nobody shows messages yet."""
    with session_bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@pytest.fixture
def looks_elsewhere(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program's window is in front of the panel's, which is in sight."""
    monkeypatch.setattr(QApplication, "activeWindow", lambda: None)


@asynccontextmanager
async def desktop(bus: str, window: MainWindow) -> AsyncIterator[NotificationServer]:
    """A desktop that shows messages until the window has ended."""
    server = await NotificationServer.on(bus)
    yield server
    window.release()
    server.stop()
    await settle()  # both ends are closed by their loop


def ask(instance: Instance) -> asyncio.Task[str]:
    agent = instance.add_agent(NAME)

    async def asking() -> str:
        try:
            await instance.core.gates.approvals.ask(
                agent, instance.catalogue.get("evaluate"), {"code": "1"}, site="shop.example", where="Cart",
                timeout_s=20,
            )  # fmt: skip
        except KaptureError as error:
            return error.code
        return "allowed"

    return tasks.spawn(asking(), "ask")


@pytest.mark.usefixtures("looks_elsewhere")
@on_qt_loop
async def test_the_desktop_tells_of_a_question_and_deny_denies_it(
    window: MainWindow, instance: Instance, bus: str
) -> None:
    async with desktop(bus, window) as server:
        asking = ask(instance)
        told = await server.shown.get()
        assert told["title"] == "A question for you"
        assert told["words"] == f"{unmarked(NAME)} wants to run code on shop.example"
        assert told["actions"] == {"default": "Show", "deny": "Deny"}
        await server.press(told["number"], "deny")
        assert await asking == "DENIED"
        assert await server.closed.get() == told["number"]


@pytest.mark.usefixtures("looks_elsewhere")
@on_qt_loop
async def test_a_message_is_taken_back_when_the_question_is_answered_in_the_window(
    window: MainWindow, instance: Instance, bus: str
) -> None:
    async with desktop(bus, window) as server:
        asking = ask(instance)
        told = await server.shown.get()
        (open_ask,) = instance.core.gates.approvals
        instance.core.gates.approvals.allow(open_ask)
        assert await asking == "allowed"
        assert await server.closed.get() == told["number"]
        await server.press(told["number"], "deny")


@pytest.mark.usefixtures("looks_elsewhere")
@on_qt_loop
async def test_the_message_of_a_browser_to_pair_is_taken_back_when_that_is_over(
    window: MainWindow, instance: Instance, bus: str
) -> None:
    async with desktop(bus, window) as server:
        request = instance.pairing.begin("one", "Google Chrome 156")
        instance.pairing.show(request, "048213")
        told = await server.shown.get()
        assert told["title"] == "A browser wants to be paired"
        instance.pairing.refuse(request)
        assert await server.closed.get() == told["number"]


@pytest.mark.usefixtures("looks_elsewhere")
@on_qt_loop
async def test_a_press_on_the_message_shows_the_window(window: MainWindow, instance: Instance, bus: str) -> None:
    async with desktop(bus, window) as server:
        window.hide()
        asking = ask(instance)
        told = await server.shown.get()
        assert not window.isVisible()
        await server.press(told["number"], "default")
        await until(window.isVisible)
        await tasks.end(asking)
        assert await server.closed.get() == told["number"]


@on_qt_loop
async def test_who_has_the_panel_in_front_gets_no_message(window: MainWindow, instance: Instance, bus: str) -> None:
    async with desktop(bus, window) as server:
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window)
        asking = ask(instance)
        await until(lambda: window.rooms.agents.approvals.card is not None)
        await settle()
        assert server.shown.empty()
        await tasks.end(asking)


@on_qt_loop
async def test_where_the_desktop_shows_no_messages_a_hidden_window_shows_itself(
    window: MainWindow, instance: Instance, bus: str
) -> None:
    window.hide()
    asking = ask(instance)
    await until(window.isVisible)
    await tasks.end(asking)
    window.release()
    await settle()  # the connection is closed by its loop


@pytest.fixture
def balloons(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the tray of a desktop told that has no service for messages."""
    told: list[str] = []
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setattr(type(window.tray), "is_available", True)
    monkeypatch.setattr(window.tray, "notify", lambda title, words: told.append(f"{title}: {words}"))
    return told


@pytest.mark.usefixtures("looks_elsewhere")
@on_qt_loop
async def test_the_tray_tells_of_it_where_nothing_else_does_also_when_the_window_is_only_behind(
    window: MainWindow, instance: Instance, balloons: list[str]
) -> None:
    asking = ask(instance)
    await until(lambda: balloons)
    assert balloons == [f"A question for you: {NAME} wants to run code on shop.example"]
    assert window.isVisible()
    await tasks.end(asking)


@pytest.mark.usefixtures("looks_elsewhere")
@on_qt_loop
async def test_without_a_tray_a_window_that_is_behind_asks_for_attention(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    alerted: list[object] = []
    monkeypatch.setattr(QApplication, "alert", alerted.append)
    asking = ask(instance)
    await until(lambda: alerted)
    assert alerted == [window]
    await tasks.end(asking)


@on_qt_loop
async def test_who_leaves_the_panel_is_told_once_of_what_is_still_open(
    window: MainWindow, instance: Instance, balloons: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_front: list[MainWindow | None] = [window]
    monkeypatch.setattr(QApplication, "activeWindow", lambda: in_front[-1])
    answered, left = ask(instance), ask(instance)
    await until(lambda: len(instance.core.gates.approvals) == 2)
    instance.core.gates.approvals.deny(next(iter(instance.core.gates.approvals)))
    assert await answered == "DENIED"
    assert balloons == []
    in_front.append(None)
    QGuiApplication.instance().focusWindowChanged.emit(None)  # type: ignore[union-attr]
    await until(lambda: balloons)
    in_front.append(window)
    later = ask(instance)
    await until(lambda: len(instance.core.gates.approvals) == 2)
    assert len(balloons) == 1
    window.hide()
    await until(lambda: len(balloons) > 1)
    assert len(balloons) == 2, "the first one was told of"
    for one in (left, later):
        await tasks.end(one)
