"""The windows of a process on an X11 display, and what they are told about the keyboard."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

from Xlib import X
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol import event
from Xlib.xobject.drawable import Window

from kapture_panel.hub.browsers.x11_person import X11Person

#: A focus event with one of these tells of something else than the window losing the focus or getting it.
_NO_MODES = (X.NotifyGrab, X.NotifyUngrab)
_NO_DETAILS = (X.NotifyInferior, X.NotifyPointer)
#: A page that was pressed may open windows for 5 s, and a busy machine shows them a while later.
LATE_S = 10.0
#: A window that comes after an act takes the focus once or twice; after so long it is the person who goes there.
AGAIN_S = 1.0
#: A window that the person asked for comes within this time.
ASKED_FOR_S = 5.0
#: A window that was there already takes the focus by itself during an act and so long after it.
AFTER_S = 1.0
#: Without a window manager a window learns so long after an act that it has no focus: what the act led to, such as a
#: dialog that closes, may come late on a busy machine.
TRUTH_S = 5.0


class X11Windows:
    """Has the windows of process `pid` believe that they have the focus while somebody acts in them.

    With a window manager they believe it from the first act on: it is the manager who gives a clicked window the
    focus. Without one the clicked window takes it itself, unless it believes to have it: then it is given the focus
    here, and a while after an act it learns the truth. Nothing else of it moves the focus, but one thing: some windows
    take it whatever they believe, such as one that a page opens, or fills the screen with, or that was minimised. That
    is given back at once, unless it is the person who went there. Every call fails when there is no such display, or
    no more.

    `on_focus` is called after one of them got the focus.
    """

    def __init__(self, display: str, pid: int, on_focus: Callable[[], None] = lambda: None) -> None:
        self._display = Display(display)
        # A window that went meanwhile makes a request fail, and the library would print that.
        self._display.set_error_handler(lambda *_error: None)
        self._root = self._display.screen().root
        self._person = X11Person(self._display)
        self._pid = pid
        self._on_focus = on_focus
        self._acts = 0
        #: Whether a window is ours, by its number; of windows that are still being made it is not known yet.
        self._known: dict[int, bool] = {}
        #: When the last one was over, in monotonic seconds.
        self._acted_at = -math.inf
        #: When the windows are to learn the truth, in monotonic seconds.
        self._truth_at = math.inf
        #: Of our windows those that came during the act under way, or the last one and a while after it; each with when
        #: it first took the focus after it, in monotonic seconds.
        self._fresh: dict[int, float | None] = {}
        #: Until when a window that comes goes behind the others, in monotonic seconds.
        self._behind_until = -math.inf
        #: Who had the focus when it began; None when that was one of ours, or nobody, or the person came here since.
        self._person_is_in: Window | None = None
        self._client_list = self._display.intern_atom("_NET_CLIENT_LIST")
        # Tells of windows that come: without a window manager they are in the root, with one it lists them there.
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask | X.PropertyChangeMask)

    def fileno(self) -> int:
        """What can be read from when the display has something to tell."""
        return int(self._display.fileno())

    def close(self) -> None:
        """Hang up."""
        self._display.close()

    def begin(self) -> None:
        """An act begins: whoever is pressed now does not ask for the keyboard."""
        self.hear()  # a window that came late has the focus: that is not where the person is
        self._acts += 1
        self._truth_at = math.inf
        self._find()
        self._tell(event.FocusIn, self._ours())
        if self._acts == 1:
            self._fresh.clear()
            focus = self._display.get_input_focus().focus
            number = getattr(focus, "id", focus)
            self._person_is_in = None if number in (X.NONE, X.PointerRoot, *self._ours()) else focus
            if self._person_is_in is not None:
                self._person.watch(self._person_is_in)
        self._display.sync()

    def end(self) -> None:
        """An act is over."""
        self._acts -= 1
        self._acted_at = time.monotonic()
        if self._acts == 0 and not self._has_manager():
            self._truth_at = self._acted_at + TRUTH_S

    @property
    def truth_in_s(self) -> float | None:
        """In how many seconds `tell_the_truth` is to be called; None while there is nothing to tell."""
        return None if self._truth_at == math.inf else max(0.0, self._truth_at - time.monotonic())

    def tell_the_truth(self) -> None:
        """Windows without the focus believe no longer that they have it, if it is time for that."""
        if time.monotonic() >= self._truth_at:
            self._truth_at = math.inf
            focus = self._display.get_input_focus().focus
            self._tell(event.FocusOut, [number for number in self._ours() if number != getattr(focus, "id", focus)])
            self._display.sync()

    def expect_the_person(self) -> None:
        """They have asked for one of the windows, and go there as soon as it comes."""
        self._behind_until = -math.inf
        self._person.goes_for(ASKED_FOR_S)

    def open_behind(self) -> None:
        """The first window of a browser that an agent opens is to come behind what the person sees."""
        self._find()
        self._behind_until = time.monotonic() + LATE_S
        self._display.sync()

    def hear(self) -> None:
        """Take what the display tells: a window that loses the focus is to believe on that it has it."""
        while self._display.pending_events():
            news = self._display.next_event()
            if self._person.hear(news) and self._truth_is_due():
                self._give_to_the_clicked()
            if news.type in (X.FocusOut, X.FocusIn):
                if news.mode not in _NO_MODES and news.detail not in _NO_DETAILS:
                    self._hear_of_focus(news)
            elif self._may_come_of_an_act() and self._tells_of_windows(news):
                known = set(self._ours())
                self._find()
                came = set(self._ours()) - known
                self._fresh |= dict.fromkeys(came)
                if time.monotonic() < self._behind_until:
                    self._lower(came)
                # It may have got the focus before anybody listened to that.
                focus = self._display.get_input_focus().focus if came else None
                number = getattr(focus, "id", X.NONE)
                if number in came:
                    self._take_back(number)

    def catch_up(self) -> None:
        """Take all that the display has told until now, also what is still on its way here."""
        self._display.sync()
        self.hear()

    def is_elsewhere(self) -> bool:
        """Whether a window of another program has the focus, whatever ours believe; a dialog of ours is none."""
        self.hear()  # a window that came late may have it for a moment
        found = self._display.get_input_focus().focus
        if getattr(found, "id", found) in (X.NONE, X.PointerRoot, self._root.id):
            return False
        try:
            while found != self._root:
                if (pid := self._property(found, "_NET_WM_PID")) is not None:
                    return pid != [self._pid]
                found = found.query_tree().parent
        except XError:
            return False  # it has gone
        return True

    def _truth_is_due(self) -> bool:
        """Whether windows without the focus believe for a while that they have it."""
        return self._acts > 0 or self._truth_at < math.inf

    def _give_to_the_clicked(self) -> None:
        """A window that believes to have the focus does not take it: without a manager, nobody else gives it one."""
        clicked = self._root.query_pointer().child
        if getattr(clicked, "id", X.NONE) in self._ours() and not self._has_manager():
            clicked.set_input_focus(X.RevertToParent, X.CurrentTime)
            self._display.sync()

    def _hear_of_focus(self, news: event.Focus) -> None:
        """A window of ours that loses the focus is to believe on that it has it; one that takes it gives it back."""
        number = news.window.id
        if not self._known.get(number):
            return
        if news.type == X.FocusOut:
            if self._truth_is_due() or self._has_manager():
                self._tell(event.FocusIn, [number])
                self._display.sync()
            return
        if self._takes_it_by_itself(number):
            self._take_back(number)
        else:
            self._person_is_in, self._behind_until = None, -math.inf
        self._on_focus()

    def _takes_it_by_itself(self, number: int) -> bool:
        """Whether it is no person who went to the window that got the focus."""
        if number not in self._fresh:
            return self._is_acted_in() and not self._person.goes_elsewhere()
        if self._acts:
            return True
        now = time.monotonic()
        first = self._fresh[number] = self._fresh[number] or now
        return now - first < AGAIN_S

    def _take_back(self, taken_by: int) -> None:
        """Have the focus where the person was, and the window that took it behind the others."""
        window = self._person_is_in
        if window is None or self._person.is_pressing():
            return
        if not _is_in_sight(window):  # the person has ended that program, and is here now
            self._person_is_in = None
            return
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        if self._has_manager():
            kind = self._display.intern_atom("_NET_ACTIVE_WINDOW")
            # As a pager says it: for the person, whatever the manager thinks of programs that ask.
            asked = event.ClientMessage(window=window, client_type=kind, data=(32, [2, X.CurrentTime, 0, 0, 0]))
            self._root.send_event(asked, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._tell(event.FocusIn, [taken_by])
        self._lower([taken_by])

    def _lower(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._window(number).configure(stack_mode=X.Below)
        self._display.sync()

    def _may_come_of_an_act(self) -> bool:
        """Whether a window that comes now may be one that an act led to."""
        now = time.monotonic()
        return self._acts > 0 or now - self._acted_at < LATE_S or now < self._behind_until

    def _is_acted_in(self) -> bool:
        """Whether what happens in the windows now comes of an act."""
        return self._acts > 0 or time.monotonic() - self._acted_at < AFTER_S

    def _tells_of_windows(self, news: Any) -> bool:
        """Whether there may be other windows now."""
        return news.type in (X.MapNotify, X.CreateNotify) or (
            news.type == X.PropertyNotify and news.atom == self._client_list
        )

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


def _is_in_sight(window: Window) -> bool:
    """Whether a window of another program is still there, and shown."""
    try:
        return bool(window.get_attributes().map_state == X.IsViewable)
    except XError:
        return False
