"""What windows of a real display are told about the focus; that Chromium heeds it is tests/e2e/test_keyboard.py's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from Xlib import X, Xatom
from Xlib.xobject.drawable import Window

from kapture_panel.hub.browsers import x11_person, x11_windows
from kapture_panel.hub.browsers.x11_windows import X11Windows
from tests.support.e2e import desktop_host
from tests.support.hub.x11_program import IN, OUT, Program

HOUR_S = 3600.0
OURS, ANOTHERS = os.getpid(), os.getpid() + 1


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    with desktop_host.display("200x200") as name:
        yield name


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


def test_without_a_window_manager_a_window_learns_the_truth_a_while_after_an_act(
    program: Program, windows: X11Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = program.window(OURS)
    assert windows.truth_in_s is None
    windows.begin()
    windows.begin()
    assert program.told() == [(browser, IN), (browser, IN)]
    windows.end()
    assert windows.truth_in_s is None
    windows.end()
    windows.tell_the_truth()
    assert program.told() == [], "what the act led to may be late"
    assert windows.truth_in_s
    windows.begin()
    monkeypatch.setattr(x11_windows, "TRUTH_S", 0.0)
    windows.end()
    assert windows.truth_in_s == 0
    windows.tell_the_truth()
    assert program.told() == [(browser, IN), (browser, OUT)]
    assert windows.truth_in_s is None
    windows.begin()
    browser.set_input_focus(X.RevertToParent, X.CurrentTime)
    program.told()
    windows.end()
    windows.tell_the_truth()
    assert program.told() == []


def test_a_clicked_window_that_believes_to_have_the_focus_gets_it(
    program: Program, windows: X11Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(x11_person, "SOON_S", HOUR_S)  # a busy machine takes its time
    browser, other = program.window(OURS), program.window(ANOTHERS, x=100)
    program.root.warp_pointer(20, 20)
    program.focus(other)
    windows.begin()
    windows.end()
    program.click()
    heard(windows, program, lambda _told: program.has_focus(browser))
    program.focus(other)
    heard(windows, program, lambda told: (browser, IN) in told)
    windows.tell_the_truth()
    program.root.warp_pointer(120, 20)
    program.click()
    windows.hear()
    assert program.has_focus(other), "that is another program's"


def test_the_first_window_that_an_agent_opens_comes_behind_and_later_ones_do_not(
    program: Program, windows: X11Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = program.window(ANOTHERS)

    def order() -> list[Window]:
        return list(program.root.query_tree().children)

    windows.open_behind()
    browser = program.window(OURS)
    heard(windows, program, lambda _told: order().index(browser) < order().index(theirs))
    monkeypatch.setattr(x11_windows, "LATE_S", 0.0)
    windows.open_behind()
    later = program.window(OURS)
    program.focus(theirs)
    windows.hear()
    assert order()[-1] == later


@pytest.mark.parametrize("how", ["asked for", "gone to"])
def test_a_window_comes_in_front_once_the_person_is_there(program: Program, windows: X11Windows, how: str) -> None:
    theirs, first = program.window(ANOTHERS), program.window(OURS)
    windows.open_behind()
    if how == "asked for":
        windows.expect_the_person()
    else:
        program.focus(first)
        windows.hear()
    later = program.window(OURS)
    windows.hear()
    assert program.root.query_tree().children[-1] == later
    program.focus(theirs)


def test_with_one_a_window_believes_on(program: Program, windows: X11Windows) -> None:
    browser, other = program.window(OURS), program.window(ANOTHERS)
    program.manage(browser, other)
    windows.begin()
    windows.end()
    assert program.told() == [(browser, IN)]
    program.click()
    for window in (browser, other):
        program.focus(window)
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


def test_another_program_has_the_focus_whatever_the_windows_believe(program: Program, windows: X11Windows) -> None:
    browser, theirs = program.window(OURS), program.window(ANOTHERS)
    nameless, dialog = (program.root.create_window(0, 0, 50, 50, 0, X.CopyFromParent) for _ in range(2))
    dialog.set_wm_transient_for(browser)
    program.say(dialog, "_NET_WM_PID", Xatom.CARDINAL, OURS)
    within = dialog.create_window(0, 0, 10, 10, 0, X.CopyFromParent)
    for window in (nameless, dialog, within):
        window.map()
    program.display.sync()

    def is_elsewhere(window: Window | int) -> bool:
        program.display.set_input_focus(window, X.RevertToNone, X.CurrentTime)
        program.display.sync()
        return windows.is_elsewhere()

    assert [is_elsewhere(window) for window in (theirs, nameless)] == [True, True]
    assert [is_elsewhere(window) for window in (browser, dialog, within)] == [False, False, False]
    assert [is_elsewhere(nobody) for nobody in (X.NONE, X.PointerRoot, program.root)] == [False, False, False]
    program.focus(theirs)
    windows.begin()
    program.focus(browser)
    assert windows.is_elsewhere(), "the focus has been given back"
    assert program.has_focus(theirs)


def test_that_a_window_got_the_focus_is_told(screen: str, program: Program) -> None:
    told: list[bool] = []
    windows = X11Windows(screen, OURS, lambda: told.append(True))
    browser, theirs = program.window(OURS), program.window(ANOTHERS)
    windows.begin()
    windows.end()
    for window, times in [(browser, 1), (theirs, 1), (browser, 2)]:
        program.focus(window)
        windows.hear()
        assert len(told) == times
    windows.close()


@pytest.fixture
def act(program: Program, windows: X11Windows, monkeypatch: pytest.MonkeyPatch) -> tuple[Window, Window]:
    """Somebody acts in a browser that is there already while the person is in another window; both of them."""
    for module, limit in ((x11_windows, "AFTER_S"), (x11_person, "SOON_S")):
        monkeypatch.setattr(module, limit, HOUR_S)  # a busy machine takes its time
    browser, theirs = program.window(OURS), program.window(ANOTHERS)
    program.focus(theirs)
    windows.begin()
    return browser, theirs


def test_a_window_that_takes_the_focus_during_an_act_gives_it_back(
    program: Program, windows: X11Windows, act: tuple[Window, Window]
) -> None:
    browser, theirs = act
    program.focus(browser)
    heard(windows, program, lambda _told: program.has_focus(theirs))
    windows.end()
    program.focus(browser)
    heard(windows, program, lambda _told: program.has_focus(theirs))


@pytest.mark.parametrize("how", ["ended", "hidden"])
def test_a_window_that_gets_it_since_theirs_is_gone_keeps_it_and_stays_in_front(
    program: Program, windows: X11Windows, act: tuple[Window, Window], how: str
) -> None:
    browser, theirs = act
    program.window(ANOTHERS)
    browser.configure(stack_mode=X.Above)
    theirs.destroy() if how == "ended" else theirs.unmap()
    program.focus(browser)
    windows.hear()
    assert program.has_focus(browser)
    assert program.root.query_tree().children[-1] == browser
    program.focus(program.window(ANOTHERS))


def test_a_window_that_the_person_asks_for_keeps_it_though_somebody_acts(
    program: Program, windows: X11Windows, act: tuple[Window, Window]
) -> None:
    browser, theirs = act
    windows.expect_the_person()
    program.focus(browser)
    windows.hear()
    assert program.has_focus(browser)
    program.focus(theirs)


@pytest.mark.parametrize("how", ["click", "keys"])
def test_a_person_who_goes_there_meanwhile_stays(
    program: Program, windows: X11Windows, act: tuple[Window, Window], how: str
) -> None:
    """As a window manager does it: after a click, or while its own keys are down."""
    browser, theirs = act
    if how == "click":
        mask = X.ButtonPressMask | X.ButtonReleaseMask
        program.root.grab_button(1, X.AnyModifier, False, mask, X.GrabModeAsync, X.GrabModeAsync, X.NONE, X.NONE)
        program.click()
        program.root.ungrab_button(1, X.AnyModifier)
    else:
        program.grab_keyboard()
    program.focus(browser)
    program.ungrab_keyboard()
    windows.hear()
    assert program.has_focus(browser)
    program.focus(theirs)
