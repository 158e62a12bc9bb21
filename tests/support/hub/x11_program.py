"""A program with windows on a real display, which hears what others tell its windows about the focus."""

from __future__ import annotations

from typing import Any

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.ext import xtest
from Xlib.xobject.drawable import Window

IN, OUT = "told that it has the focus", "told that it has it no more"


class Program:
    """What it does with its windows, and what a person does on its display."""

    def __init__(self, screen: str) -> None:
        self.display = Display(screen)
        self.root = self.display.screen().root

    def window(self, pid: int, *, x: int = 0, **options: Any) -> Window:
        made = self.root.create_window(x, 0, 50, 50, 0, X.CopyFromParent, event_mask=X.FocusChangeMask, **options)
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

    def focus(self, window: Window) -> None:
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.sync()

    def click(self) -> None:
        self.press(X.ButtonPress)
        self.press(X.ButtonRelease)

    def press(self, kind: int, detail: int = 1) -> None:
        """The person's button or key number `detail` goes down or up."""
        xtest.fake_input(self.display, kind, detail)
        self.display.sync()

    def grab_keyboard(self) -> None:
        """As a window manager does whose own keys go down."""
        self.root.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        self.display.sync()

    def ungrab_keyboard(self) -> None:
        self.display.ungrab_keyboard(X.CurrentTime)
        self.display.sync()

    def has_focus(self, window: Window) -> bool:
        return bool(self.display.get_input_focus().focus == window)

    def manage(self, *windows: Window) -> Window:
        """Be a window manager as far as others can see."""
        self.checked = self.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        for window in (self.root, self.checked):
            self.say(window, "_NET_SUPPORTING_WM_CHECK", Xatom.WINDOW, self.checked.id)
        self.say(self.root, "_NET_CLIENT_LIST", Xatom.WINDOW, *[window.id for window in windows])
