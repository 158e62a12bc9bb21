"""What a real display tells of a person who goes to another window; what follows from it is test_x11_windows.py's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from Xlib import X
from Xlib.display import Display

from kapture_panel.hub.browsers import x11_person
from kapture_panel.hub.browsers.x11_person import X11Person
from tests.support.e2e import desktop_host
from tests.support.hub.x11_program import Program

HOUR_S = 3600.0
A_KEY = 38


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    with desktop_host.display("200x200") as name:
        yield name


@pytest.fixture
def program(screen: str) -> Iterator[Program]:
    made = Program(screen)
    yield made
    made.display.close()


class Listener:
    """The person as our own connection to the display hears of them."""

    def __init__(self, screen: str) -> None:
        self.display = Display(screen)
        self.person = X11Person(self.display)

    def hear(self) -> None:
        """Take all that the display has told until now."""
        self.display.sync()
        while self.display.pending_events():
            self.person.hear(self.display.next_event())


@pytest.fixture
def listener(screen: str, program: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """Somebody who listens while a window of the program has the keyboard."""
    monkeypatch.setattr(x11_person, "SOON_S", HOUR_S)
    window = program.window(1)
    program.focus(window)
    made = Listener(screen)
    made.person.watch(made.display.create_resource_object("window", window.id))
    made.hear()
    yield made
    made.display.close()


def test_who_does_nothing_goes_nowhere(listener: Listener) -> None:
    assert (listener.person.goes_elsewhere(), listener.person.is_pressing()) == (False, False)


def test_a_key_leads_to_no_other_window(program: Program, listener: Listener) -> None:
    program.press(X.KeyPress, A_KEY)
    program.press(X.KeyRelease, A_KEY)
    listener.hear()
    assert not listener.person.goes_elsewhere()


def test_a_click_does(program: Program, listener: Listener) -> None:
    program.click()
    listener.hear()
    assert listener.person.goes_elsewhere()


def test_who_asks_for_a_window_goes_there_for_a_while(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x11_person, "SOON_S", 0.0)
    listener.person.goes_for(HOUR_S)
    assert listener.person.goes_elsewhere()
    listener.person.goes_for(0.0)
    assert not listener.person.goes_elsewhere()


def test_a_button_that_is_down_is_seen_unheard(program: Program, listener: Listener) -> None:
    program.press(X.ButtonPress)
    assert (listener.person.is_pressing(), listener.person.goes_elsewhere()) == (True, True)
    program.press(X.ButtonRelease)
    assert not listener.person.is_pressing()


def test_a_window_manager_whose_keys_are_down_leads_elsewhere_until_a_while_after(
    program: Program, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(x11_person, "SOON_S", 0.0)
    program.grab_keyboard()
    listener.hear()
    assert listener.person.goes_elsewhere()
    program.ungrab_keyboard()
    listener.hear()
    assert not listener.person.goes_elsewhere()
    monkeypatch.setattr(x11_person, "SOON_S", HOUR_S)
    assert listener.person.goes_elsewhere()


def test_a_focus_that_goes_while_the_keyboard_is_grabbed_is_a_persons(
    program: Program, screen: str, listener: Listener
) -> None:
    """All that is told when it was grabbed before anybody listened."""
    program.grab_keyboard()
    late = Listener(screen)
    late.person.watch(late.display.get_input_focus().focus)
    late.hear()
    assert not late.person.goes_elsewhere()
    program.focus(program.window(1))
    late.hear()
    assert late.person.goes_elsewhere()
    late.display.close()
