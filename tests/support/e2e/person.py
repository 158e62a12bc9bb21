"""A person before the panel's window: real mouse and keys of the X server, and eyes that wait for what is painted."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.patience import PATIENCE_S

_LEFT = 1
#: So long a finger is down, and up again; the X server waits. Clicks at the very same time are not a double click.
_FINGER_MS = 20
_KEYS = {"Ctrl": "Control_L", "Enter": "Return", "Esc": "Escape"}
_SIGNS = {"\n": "Return", "\t": "Tab"}
#: What changes on the screen or where the keys go comes with one of these.
_NEWS = frozenset({QEvent.Type.Paint, QEvent.Type.UpdateRequest, QEvent.Type.FocusIn, QEvent.Type.WindowActivate})
#: A second press within the time of a double click is told as that.
_PRESSES = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick})


class _News(QObject):
    """Sets an event whenever something is painted, pressed with the mouse or gets the focus, and counts the presses."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.came = asyncio.Event()
        self.presses = 0
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = watched.isWindowType() and event.type() in _PRESSES
        self.presses += is_press
        if is_press or event.type() in _NEWS:
            self.came.set()
        return False


class Person:
    """Acts through the X server alone; looks at the window's own widgets to know where.

    Args:
        window: what the person sits before.
        data_dir: the instance's folder, for a second look through the terminal.
        pictures: where `look` puts pictures of the whole screen; None takes none.
    """

    def __init__(self, window: MainWindow, data_dir: str, pictures: Path | None) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        assert app.platformName() == "xcb"
        self._window = window
        self._data_dir = data_dir
        self._pictures = pictures
        self._shown = 0
        self._news = _News(app)
        self._display = Display(os.environ["DISPLAY"])

    def close(self) -> None:
        """Go away."""
        self._display.close()

    async def sees(self, what: str, condition: Callable[[], Any]) -> Any:
        """What `condition` comes to, asked again whenever something was painted."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    self._news.came.clear()
                    if found := condition():
                        return found
                    await self._news.came.wait()
        except TimeoutError:
            await self.look("never came")
            raise AssertionError(f"never came: {what}") from None

    async def comes_to_the_window(self) -> None:
        """Have the panel in front of a browser that has just opened over it, as a click in a task bar has."""
        self._display.create_resource_object("window", int(self._window.winId())).configure(stack_mode=X.Above)
        self._display.sync()
        await self.sees("the window", self._window.isVisible)

    async def clicks(self, widget: QWidget, at: QRect | None = None, *, times: int = 1) -> None:
        """Press and release the left button in the middle of a widget, or of the part `at` of it.

        It fails when something else is there: a person cannot click what is covered or cut off. The press has come to
        the window when it returns: a window manager holds clicks back, but no keys, so what is typed at once would come
        before.
        """
        await self.sees(f"{widget} to click", lambda: self._is_in_sight(widget, at))
        place = self._place(widget, at)
        presses = self._news.presses + times
        self.clicks_at(place.x(), place.y(), times=times)
        await self.sees(f"the press on {widget}", lambda: self._news.presses >= presses)

    def clicks_at(self, x: float, y: float, *, times: int = 1) -> None:
        """Click a place of the screen, whatever is there."""
        xtest.fake_input(self._display, X.MotionNotify, x=round(x), y=round(y))
        for _ in range(times):
            xtest.fake_input(self._display, X.ButtonPress, _LEFT, time=_FINGER_MS)
            xtest.fake_input(self._display, X.ButtonRelease, _LEFT, time=_FINGER_MS)
        self._display.sync()

    async def clicks_row(self, view: QAbstractItemView, row: QModelIndex, *, times: int = 1) -> None:
        """Click a row of a list or table."""
        await self.sees("the row", row.isValid)
        seen = view.visualRect(row).intersected(view.viewport().rect())
        await self.clicks(view.viewport(), seen, times=times)

    async def types(self, text: str) -> None:
        """Type on the keyboard, into whatever has the focus."""
        await self.sees("the keyboard here", self._has_keys)
        self.types_blindly(text)

    def types_blindly(self, text: str) -> None:
        """Type without looking where it goes."""
        for sign in text:
            code, level = self._code(_SIGNS.get(sign, sign))
            self._press([self._code("Shift_L")[0]] if level else [], code)
        self._display.sync()

    async def presses(self, keys: str) -> None:
        """Press a shortcut such as `Ctrl+K`."""
        await self.sees("the keyboard here", self._has_keys)
        *held, key = [_KEYS.get(name, name) for name in keys.split("+")]
        self._press([self._code(name)[0] for name in held], self._code(key.lower() if len(key) == 1 else key)[0])
        self._display.sync()

    async def look(self, name: str) -> None:
        """Keep a picture of the whole screen, where pictures are kept."""
        if self._pictures is not None:
            self._shown += 1
            await asyncio.sleep(0.4)  # what is coalesced shall be in the picture; nothing else depends on it
            shot = self._window.screen().grabWindow(0)
            shot.save(str(self._pictures / f"{self._shown:02} {name}.png"))

    def colours(self, view: QAbstractItemView, row: QModelIndex) -> int:
        """How many colours the X server shows where a row is."""
        seen = QRect(self._place(view.viewport(), view.visualRect(row)), view.visualRect(row).size())
        shot = self._window.screen().grabWindow(0, seen.x() - seen.width() // 2, seen.y() - seen.height() // 2,
                                                seen.width(), seen.height()).toImage()  # fmt: skip
        return len({shot.pixel(x, y) for x in range(0, shot.width(), 2) for y in range(0, shot.height(), 2)})

    async def asks_in_the_terminal(self, command: str, *params: str) -> str:
        """What `kapture call` prints, from a process of its own."""
        arguments = ["-m", "kapture_panel", "call", "--data-dir", self._data_dir, command, *params]
        process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
        said, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
        assert process.returncode == 0, said.decode()
        return said.decode()

    def _has_keys(self) -> bool:
        return self._window.isActiveWindow()

    def _place(self, widget: QWidget, at: QRect | None) -> QPoint:
        return widget.mapToGlobal((at or widget.rect()).center())

    def _is_in_sight(self, widget: QWidget, at: QRect | None) -> bool:
        if not widget.isVisible() or not widget.isEnabled():
            return False
        found = QApplication.widgetAt(self._place(widget, at))
        return found is widget or (found is not None and widget.isAncestorOf(found))

    def _code(self, name: str) -> tuple[int, int]:
        """The key that makes a keysym, or a sign, and whether with Shift (1) or without (0)."""
        sym = XK.string_to_keysym(name) or ord(name)
        code, level = min(self._display.keysym_to_keycodes(sym), key=lambda found: found[1])
        return code, level

    def _press(self, held: list[int], code: int) -> None:
        for one in (*held, code):
            xtest.fake_input(self._display, X.KeyPress, one)
        for one in (code, *reversed(held)):
            xtest.fake_input(self._display, X.KeyRelease, one)
