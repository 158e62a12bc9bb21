"""A command goes on whatever becomes of the display; what a guard does there is tests/e2e/test_keyboard.py's."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.hub.browsers import keyboard_guard, x11_person
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from kapture_panel.hub.browsers.x11_windows import X11Windows
from tests.support.e2e import desktop_host
from tests.support.hub.x11_program import Program
from tests.support.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes its time, for an answer as for what a click leads to."""
    monkeypatch.setattr(keyboard_guard, "PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(x11_person, "SOON_S", PATIENCE_S)


@pytest.fixture(autouse=True)
def every_thread_ends() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "keyboard guard":
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


async def act(guard: KeyboardGuard) -> None:
    async with guard.during(acts=True), guard.during(acts=False):
        pass


# python-xlib leaves the sockets open with which it did not find a server.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <socket.socket:pytest.PytestUnraisableExceptionWarning")
async def test_without_a_display_nothing_is_done() -> None:
    guard = KeyboardGuard(os.getpid(), ":9999")
    await act(guard)
    guard.close()
    await act(guard)
    guard.close()


async def test_a_display_may_go_meanwhile() -> None:
    with desktop_host.display("200x200") as name:
        guard = KeyboardGuard(os.getpid(), name)
        await act(guard)
    await act(guard)
    guard.close()


async def test_others_may_ask_where_the_keyboard_is_and_hear_when_it_comes() -> None:
    came = threading.Event()
    with desktop_host.display("200x200") as name:
        program = Program(name)
        guard = KeyboardGuard(os.getpid(), name, came.set)
        browser, other = program.window(os.getpid()), program.window(os.getpid() + 1)
        program.focus(other)
        await act(guard)
        assert guard.is_elsewhere()
        assert not came.is_set()
        program.click()
        program.focus(browser)
        assert await asyncio.to_thread(came.wait, PATIENCE_S)
        assert not guard.is_elsewhere()
        program.display.close()
        came.clear()
    assert await asyncio.to_thread(came.wait, PATIENCE_S), "nobody knows any more where it is"
    assert not guard.is_elsewhere()
    guard.close()
    assert not guard.is_elsewhere()


async def test_no_click_of_before_moves_the_keyboard_once_it_has_caught_up(monkeypatch: pytest.MonkeyPatch) -> None:
    caught_up, catch_up = threading.Event(), X11Windows.catch_up

    def seen(windows: X11Windows) -> None:
        catch_up(windows)
        caught_up.set()

    monkeypatch.setattr(X11Windows, "catch_up", seen)
    with desktop_host.display("200x200") as name:
        program = Program(name)
        guard = KeyboardGuard(os.getpid(), name)
        browser, other = program.window(os.getpid()), program.window(os.getpid() + 1, x=100)
        program.root.warp_pointer(20, 20)
        program.focus(other)
        await act(guard)
        program.click()
        await guard.catch_up()
        assert caught_up.is_set()
        assert program.has_focus(browser)
        program.focus(other)
        await guard.catch_up()
        assert program.has_focus(other)
        program.display.close()
        guard.close()


async def test_a_display_that_does_not_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(keyboard_guard, "PATIENCE_S", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        # The ports of displays begin at 6000; python-xlib takes any number.
        guard = KeyboardGuard(os.getpid(), f"127.0.0.1:{silent.getsockname()[1] - 6000}")
        await act(guard)
        assert "does not answer" in caplog.text
        assert not guard.is_elsewhere()
        guard.close()
        silent.accept()[0].close()


async def test_a_command_that_is_given_up_while_it_waits_does_no_harm() -> None:
    with desktop_host.display("200x200") as name:
        guard = KeyboardGuard(os.getpid(), name)
        given_up = tasks.spawn(act(guard), "given up")
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])
        await act(guard)
        guard.close()


@pytest.mark.parametrize("display", ["", ":7"])
def test_there_is_none_without_a_name(monkeypatch: pytest.MonkeyPatch, display: str) -> None:
    monkeypatch.setenv("DISPLAY", display)
    made: list[str] = []
    monkeypatch.setattr(KeyboardGuard, "__init__", lambda _self, _pid, name: made.append(name))
    KeyboardGuard.of(1)
    assert made == ([display] if display and sys.platform == "linux" else [])
