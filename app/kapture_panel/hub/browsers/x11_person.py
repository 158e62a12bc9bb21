"""Whether a person has just gone from one window of an X11 display to another, by mouse or by keys."""

from __future__ import annotations

import math
import time
from typing import Any

from Xlib import X
from Xlib.display import Display
from Xlib.ext import ge, xinput
from Xlib.xobject.drawable import Window

#: A window manager or a taskbar that was clicked, or whose keys were pressed, moves the focus within this time.
SOON_S = 0.5
#: Xlib names it nowhere: the focus went elsewhere while somebody had grabbed the keyboard.
_WHILE_GRABBED = 3
#: Who asks for an older version, as Xlib does by itself, hears of no button that a window manager has grabbed.
_XINPUT = (2, 2)


class X11Person:
    """Listens to buttons of the mouse, and to who grabs the keyboard; which keys are pressed it does not hear.

    A window manager grabs the keyboard when its own keys are pressed, as for Alt+Tab.
    """

    def __init__(self, display: Display) -> None:
        self._root = display.screen().root
        self._acted_at = -math.inf
        self._is_grabbed = False
        if display.has_extension("XInputExtension"):
            opcode = display.display.get_extension_major(xinput.extname)
            xinput.XIQueryVersion(
                display=display.display, opcode=opcode, major_version=_XINPUT[0], minor_version=_XINPUT[1]
            )
            buttons = xinput.RawButtonPressMask | xinput.RawButtonReleaseMask
            self._root.xinput_select_events([(xinput.AllMasterDevices, buttons)])

    def watch(self, window: Window) -> None:
        """Hear from now on when the keyboard is grabbed while `window` has it."""
        self._is_grabbed = False
        window.change_attributes(event_mask=X.FocusChangeMask)

    def hear(self, news: Any) -> bool:
        """Take what the display tells; whether it is that a button of the mouse went down."""
        button = news.evtype if news.type == ge.GenericEventCode else None
        is_pressed = button == xinput.RawButtonPress
        is_focus = news.type in (X.FocusIn, X.FocusOut)
        if is_focus and news.mode in (X.NotifyGrab, X.NotifyUngrab):
            self._is_grabbed = news.mode == X.NotifyGrab
        is_grab = is_focus and news.mode in (X.NotifyGrab, X.NotifyUngrab, _WHILE_GRABBED)
        if is_pressed or button == xinput.RawButtonRelease or is_grab:
            self._acted_at = time.monotonic()
        return bool(is_pressed)

    def goes_for(self, seconds: float) -> None:
        """A focus that moves within this time is moved by the person: they have asked for it."""
        self._acted_at = time.monotonic() + seconds - SOON_S

    def is_pressing(self) -> bool:
        """Whether a button of the mouse is down."""
        buttons = X.Button1Mask | X.Button2Mask | X.Button3Mask
        return bool(self._root.query_pointer().mask & buttons)

    def goes_elsewhere(self) -> bool:
        """Whether the focus that moves now is moved by the person."""
        return self._is_grabbed or time.monotonic() - self._acted_at < SOON_S or self.is_pressing()
