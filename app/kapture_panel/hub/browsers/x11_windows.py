"""The windows of a process on an X11 display, and what they are told about the keyboard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol import event
from Xlib.xobject.drawable import Window

#: A focus event with one of these tells of something else than the window losing the focus or getting it.
_NO_MODES = (X.NotifyGrab, X.NotifyUngrab)
_NO_DETAILS = (X.NotifyInferior, X.NotifyPointer)


class X11Windows:
    """Has the windows of process `pid` believe that they have the focus while somebody acts in them.

    With a window manager they believe it from the first act on: it is the manager who gives a clicked window the
    focus. Without one the clicked window takes it itself, unless it believes to have it, so each act ends with the
    truth. Nothing of it moves the focus. Every call fails when there is no such display, or no more.
    """

    def __init__(self, display: str, pid: int) -> None:
        self._display = Display(display)
        # A window that went meanwhile makes a request fail, and the library would print that.
        self._display.set_error_handler(lambda *_error: None)
        self._root = self._display.screen().root
        self._pid = pid
        self._acts = 0
        #: Whether a window is ours, by its number; of windows that are still being made it is not known yet.
        self._known: dict[int, bool] = {}

    def fileno(self) -> int:
        """What can be read from when the display has something to tell."""
        return int(self._display.fileno())

    def close(self) -> None:
        """Hang up."""
        self._display.close()

    def begin(self) -> None:
        """An act begins: whoever is pressed now does not ask for the keyboard."""
        self._acts += 1
        self._find()
        self._tell(event.FocusIn, self._ours())
        self._display.sync()

    def end(self) -> None:
        """An act is over."""
        self._acts -= 1
        if self._acts == 0 and not self._has_manager():
            focus = self._display.get_input_focus().focus
            self._tell(event.FocusOut, [number for number in self._ours() if number != getattr(focus, "id", focus)])
            self._display.sync()

    def hear(self) -> None:
        """Take what the display tells: a window that loses the focus is to believe on that it has it."""
        while self._display.pending_events():
            news = self._display.next_event()
            is_loss = news.type == X.FocusOut and news.mode not in _NO_MODES and news.detail not in _NO_DETAILS
            if is_loss and self._known.get(news.window.id) and (self._acts or self._has_manager()):
                self._tell(event.FocusIn, [news.window.id])
                self._display.sync()

    def _ours(self) -> list[int]:
        return [number for number, is_ours in self._known.items() if is_ours]

    def _tell(self, kind: type[event.Focus], numbers: Iterable[int]) -> None:
        for number in numbers:
            told = kind(window=number, mode=X.NotifyNormal, detail=X.NotifyNonlinear)
            # With a mask the window manager would hear it, too, and metacity then ignores real clicks.
            self._window(number).send_event(told, event_mask=X.NoEventMask)

    def _find(self) -> None:
        """Look at the windows that are new."""
        there = self._tops()
        self._known = {number: is_ours for number, is_ours in self._known.items() if number in there}
        for number in there - self._known.keys():
            is_ours = self._look_at(self._window(number))
            if is_ours:
                self._window(number).change_attributes(event_mask=X.FocusChangeMask)
            if is_ours is not None:
                self._known[number] = is_ours

    def _look_at(self, window: Window) -> bool | None:
        """Whether a window is one of the process, where pages are shown; None for one that does not say yet."""
        try:
            pid = self._property(window, "_NET_WM_PID")
            attributes = window.get_attributes()
            if pid is None and attributes.map_state == X.IsUnmapped:
                return None
            is_menu_or_dialog = attributes.override_redirect or window.get_wm_transient_for() is not None
            return pid == [self._pid] and not is_menu_or_dialog
        except XError:
            return None  # it has gone

    def _tops(self) -> set[int]:
        """The windows of programs; those of a window manager are in frames of its own."""
        managed = self._property(self._root, "_NET_CLIENT_LIST") if self._has_manager() else None
        if managed is not None:
            return set(managed)
        return {window.id for window in self._root.query_tree().children}

    def _has_manager(self) -> bool:
        """Whether there is a window manager: one that has gone leaves the name of a window that has gone."""
        name = "_NET_SUPPORTING_WM_CHECK"
        checked = self._property(self._root, name)
        try:
            return checked is not None and self._property(self._window(checked[0]), name) == checked
        except XError:
            return False

    def _property(self, window: Window, name: str) -> list[int] | None:
        found = window.get_full_property(self._display.intern_atom(name), X.AnyPropertyType)
        return list(found.value) if found else None

    def _window(self, number: int) -> Any:
        return self._display.create_resource_object("window", number)
