"""Somebody who types on a real keyboard, and a panel whose browser is seen beside them."""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from Xlib import XK, X, Xutil
from Xlib.display import Display
from Xlib.error import XError
from Xlib.ext import xtest
from Xlib.protocol.event import ClientMessage
from Xlib.xobject.drawable import Window

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent
from kapture_panel.hub.browsers.helper_processes import wait_ended
from tests.support.e2e.desktop_host import until
from tests.support.patience import PATIENCE_S

SIGNS = "abcdefghijklmnopqrstuvwxyz"
#: So long a key is down, and up again; the X server waits.
FINGER_MS = 5
#: A page that has not heard the mouse after so many moves lies behind something.
ROUNDS_BEFORE_ASKING = 20
#: Tells from now on how far the page is from the screen's corner, by the moves of the real mouse; its middle.
_LISTEN = """(() => {
  addEventListener("mousemove", (event) => {
    globalThis.corner = [event.screenX - event.clientX, event.screenY - event.clientY];
  }, { capture: true });
  return [screenX + outerWidth / 2, screenY + outerHeight / 2];
})()"""
#: Where the field is on the screen.
_PLACE = """(() => {
  const box = document.querySelector("#full-name").getBoundingClientRect();
  return [corner[0] + box.x + box.width / 2, corner[1] + box.y + box.height / 2];
})()"""


class Typist:
    """Somebody who types into a window of another program, one letter of the alphabet after the other."""

    def __init__(self, name: str) -> None:
        self._keyboard, self._eyes = Display(name), Display(name)
        # On a busy machine a finger seems to rest on its key.
        self._keyboard.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
        self._root = self._eyes.screen().root
        self._codes = {sign: self._keyboard.keysym_to_keycode(XK.string_to_keysym(sign)) for sign in SIGNS}
        self._signs = {code: sign for sign, code in self._codes.items()}
        self._is_enough = threading.Event()
        #: How many characters `types_on` has typed.
        self.typed = 0
        self._minimised: list[Window] = []
        self.window = self._root.create_window(1300, 850, 200, 100, 0, X.CopyFromParent)

    def close(self) -> None:
        """Go away."""
        self._keyboard.close()
        self._eyes.close()

    def sit_down(self) -> None:
        """Open the window and have the keyboard in it."""
        self.window.set_wm_name("another program")
        self.window.change_attributes(event_mask=X.KeyPressMask | X.FocusChangeMask)
        until(self._is_shown, "the window")
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        until(self.has_the_keyboard, "the keyboard in it")
        self.arrived()

    def has_the_keyboard(self) -> bool:
        """Whether what is typed comes here."""
        return bool(self._eyes.get_input_focus().focus == self.window)

    def another_has_the_keyboard(self) -> bool:
        """Whether what is typed goes to a window of another program, and not nowhere."""
        focus = self._eyes.get_input_focus().focus
        if not isinstance(focus, Window) or focus == self.window:
            return False
        try:
            return bool(focus.get_full_property(self._eyes.intern_atom("_NET_WM_PID"), X.AnyPropertyType))
        except XError:
            return False  # it has gone

    def is_uppermost(self) -> bool:
        """Whether the window lies over all others."""
        shown = [window for window in self._root.query_tree().children if _has_size(window)]
        return bool(shown) and any(window == self.window for window in (shown[-1], *_in_sight(shown[-1])))

    def types_steadily(self) -> bool:
        """Type for a fifth of a second; whether all of it came here."""
        self.arrived()
        self.types(SIGNS[:20])
        return self.arrived()[0] == SIGNS[:20]

    def windows(self) -> int:
        """How many windows of programs are in sight."""
        pid = self._eyes.intern_atom("_NET_WM_PID")
        return sum(bool(window.get_full_property(pid, X.AnyPropertyType)) for window in _in_sight(self._root))

    def types_on(self) -> asyncio.Task[str]:
        """Begin to type; what was typed by the time `stops` is called."""
        self._is_enough.clear()
        self.typed = 0
        return tasks.spawn(asyncio.to_thread(self._type_on), "typing")

    def stops(self) -> None:
        """It is enough."""
        self._is_enough.set()

    def types(self, text: str) -> None:
        """Type without looking where it goes."""
        for sign in text:
            for action in (X.KeyPress, X.KeyRelease):
                xtest.fake_input(self._keyboard, action, self._codes[sign], time=FINGER_MS)
        self._keyboard.sync()

    def presses(self, *keys: str) -> None:
        """Press keys together, by their names in X."""
        codes = [self._keyboard.keysym_to_keycode(XK.string_to_keysym(key)) for key in keys]
        for action, order in ((X.KeyPress, codes), (X.KeyRelease, codes[::-1])):
            for code in order:
                xtest.fake_input(self._keyboard, action, code, time=FINGER_MS)
        self._keyboard.sync()

    def points(self, x: float, y: float) -> None:
        """Move the mouse to a place of the screen."""
        xtest.fake_input(self._keyboard, X.MotionNotify, x=round(x), y=round(y))
        self._keyboard.sync()

    def clicks(self, x: float, y: float) -> None:
        """Click a place of the screen."""
        self.points(x, y)
        xtest.fake_input(self._keyboard, X.ButtonPress, 1, time=20)
        xtest.fake_input(self._keyboard, X.ButtonRelease, 1, time=20)
        self._keyboard.sync()

    def minimises_the_browser(self) -> None:
        """Put all other windows of programs away, as by the button in their frames."""
        listed = self._root.get_full_property(self._eyes.intern_atom("_NET_CLIENT_LIST"), X.AnyPropertyType)
        away = [self._eyes.create_resource_object("window", number) for number in listed.value]
        away.remove(self.window)
        self._minimised = away
        for window in away:
            kind = self._eyes.intern_atom("WM_CHANGE_STATE")
            asked = ClientMessage(window=window, client_type=kind, data=(32, [Xutil.IconicState, 0, 0, 0, 0]))
            self._root.send_event(asked, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)

        until(lambda: not {window.id for window in away} & set(self._shown()), "the browser out of sight")

    def opens_what_they_minimised(self) -> None:
        """As by the taskbar: a window whose program had not yet learned that it was minimised stays so when pressed."""
        shown = self._shown()
        for window in self._minimised:
            if window.id not in shown:
                window.map()
        self._eyes.sync()

    def asks_for_the_browser(self) -> None:
        """As by the taskbar again: a window that agents had acted in may lie behind others."""
        listed = self._root.get_full_property(self._eyes.intern_atom("_NET_CLIENT_LIST"), X.AnyPropertyType)
        for number in listed.value if listed else []:
            if number != self.window.id:
                window = self._eyes.create_resource_object("window", number)
                kind = self._eyes.intern_atom("_NET_ACTIVE_WINDOW")
                asked = ClientMessage(window=window, client_type=kind, data=(32, [2, X.CurrentTime, 0, 0, 0]))
                self._root.send_event(asked, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._eyes.sync()

    def arrived(self) -> tuple[str, int]:
        """What came into the window since this was asked last, and how often the keyboard left it."""
        self._eyes.sync()
        events = [self._eyes.next_event() for _ in range(self._eyes.pending_events())]
        signs = "".join(self._signs.get(event.detail, "") for event in events if event.type == X.KeyPress)
        return signs, sum(event.type == X.FocusOut for event in events)

    def _shown(self) -> list[int]:
        return [window.id for window in _in_sight(self._root)]

    def _is_shown(self) -> bool:
        self.window.map()  # again, too: openbox forgets who asks while it is starting
        return bool(self.window.get_attributes().map_state == X.IsViewable)

    def _type_on(self) -> str:
        typed = ""
        for sign in itertools.cycle(SIGNS):
            self.types(sign)
            typed += sign
            self.typed = len(typed)
            if self._is_enough.is_set():
                return typed
        raise AssertionError


def _in_sight(root: Window) -> Iterator[Window]:
    """The windows within one that are shown, at any depth: a window manager puts programs' into frames."""
    for window in root.query_tree().children:
        try:
            if window.get_attributes().map_state == X.IsViewable:
                yield window
                yield from _in_sight(window)
        except XError:
            pass  # it has gone


def _has_size(window: Window) -> bool:
    """Whether a window is shown and larger than those that programs have for themselves."""
    try:
        return bool(window.get_attributes().map_state == X.IsViewable and window.get_geometry().width > 100)
    except XError:
        return False  # it has gone


@contextmanager
def serving(root: Path, environment: dict[str, str]) -> Iterator[None]:
    """`kapture serve` with a browser that is seen."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kapture_panel", "serve", "--browser", "--data-dir", str(root), "--port", "0"],
        env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["ready"]
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
        left = [found for found in psutil.process_iter(["cmdline"]) if str(root) in str(found.info["cmdline"])]
        wait_ended(left, PATIENCE_S)


async def value_of_the_field(agent: Agent) -> str:
    """What the page has in it."""
    return str((await agent.call("evaluate", code='document.querySelector("#full-name").value'))["value"])


async def click_into_the_field(typist: Typist, agent: Agent) -> None:
    """What the person does to type in the page."""
    async with asyncio.timeout(PATIENCE_S):
        for number in itertools.count():  # the window may still be on its way
            typist.opens_what_they_minimised()
            if number == ROUNDS_BEFORE_ASKING:
                typist.asks_for_the_browser()
            x, y = (await agent.call("evaluate", code=_LISTEN))["value"]
            typist.points(x + number % 2, y)
            if (await agent.call("evaluate", code="globalThis.corner !== undefined"))["value"]:
                break
    typist.clicks(*(await agent.call("evaluate", code=_PLACE))["value"])
    # A window manager may take the keyboard from one window some time before it gives it to the next.
    await asyncio.to_thread(until, typist.another_has_the_keyboard, "the keyboard in the browser")
    typist.arrived()  # that it has left the typist's window
