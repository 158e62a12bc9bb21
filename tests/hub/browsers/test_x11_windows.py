"""What windows of a real display are told about the focus; that Chromium heeds it is tests/e2e/test_keyboard.py's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.xobject.drawable import Window

from kapture_panel.hub.browsers.x11_windows import X11Windows
from tests.support.e2e import desktop_host

OURS, ANOTHERS = os.getpid(), os.getpid() + 1
IN, OUT = "told that it has the focus", "told that it has it no more"


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    with desktop_host.display("200x200") as name:
        yield name


class Program:
    """A program with windows, and what those are told by others."""

    def __init__(self, screen: str) -> None:
        self.display = Display(screen)
        self.root = self.display.screen().root

    def window(self, pid: int, **options: Any) -> Window:
        made = self.root.create_window(0, 0, 50, 50, 0, X.CopyFromParent, event_mask=X.FocusChangeMask, **options)
        self.say(made, "_NET_WM_PID", Xatom.CARDINAL, pid)
        made.map()
        self.display.sync()
        return made

    def say(self, window: Window, name: str, kind: int, *values: int) -> None:
        window.change_property(self.display.intern_atom(name), kind, 32, list(values))
        self.display.sync()

    def told(self) -> list[tuple[Window, str]]:
        """By other clients; what the server itself tells is left out."""
        self.display.sync()
        events = [self.display.next_event() for _ in range(self.display.pending_events())]
        return [(event.window, IN if event.type == X.FocusIn else OUT) for event in events if event.send_event]

    def manage(self, *windows: Window) -> Window:
        """Be a window manager as far as others can see."""
        self.checked = self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        for window in (self.root, self.checked):
            self.say(window, "_NET_SUPPORTING_WM_CHECK", Xatom.WINDOW, self.checked.id)
        self.say(self.root, "_NET_CLIENT_LIST", Xatom.WINDOW, *[window.id for window in windows])


@pytest.fixture
def program(screen: str) -> Iterator[Program]:
    made = Program(screen)
    yield made
    made.display.close()


@pytest.fixture
def windows(screen: str) -> Iterator[X11Windows]:
    made = X11Windows(screen, OURS)
    yield made
    made.close()


def test_without_a_window_manager_an_act_ends_with_the_truth(program: Program, windows: X11Windows) -> None:
    browser = program.window(OURS)
    windows.begin()
    windows.begin()
    assert program.told() == [(browser, IN), (browser, IN)]
    windows.end()
    assert program.told() == []
    windows.end()
    assert program.told() == [(browser, OUT)]
    windows.begin()
    browser.set_input_focus(X.RevertToParent, X.CurrentTime)
    program.told()
    windows.end()
    assert program.told() == []


def test_with_one_a_window_believes_on(program: Program, windows: X11Windows) -> None:
    browser, other = program.window(OURS), program.window(ANOTHERS)
    program.manage(browser, other)
    windows.begin()
    windows.end()
    assert program.told() == [(browser, IN)]
    for window in (browser, other):
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        program.display.sync()
    program.told()
    heard(windows, program, lambda told: told == [(browser, IN)])


def heard(windows: X11Windows, program: Program, is_it: Callable[[list[tuple[Window, str]]], bool]) -> None:
    told: list[tuple[Window, str]] = []

    def look() -> bool:
        windows.hear()
        told.extend(program.told())
        return is_it(told)

    desktop_host.until(look, "what the window is told")


def test_only_the_windows_of_the_process_that_show_pages_are_told(program: Program, windows: X11Windows) -> None:
    program.window(ANOTHERS)
    program.window(OURS, override_redirect=True)
    browser = program.window(OURS)
    dialog = program.window(OURS)
    dialog.set_wm_transient_for(browser)
    unready = program.root.create_window(0, 0, 50, 50, 0, X.CopyFromParent, event_mask=X.FocusChangeMask)
    program.display.sync()
    windows.begin()
    assert program.told() == [(browser, IN)]
    program.say(unready, "_NET_WM_PID", Xatom.CARDINAL, OURS)
    browser.destroy()
    program.display.sync()
    windows.begin()
    assert program.told() == [(unready, IN)]
