"""The keyboard stays with the window while what it runs presses the mouse in a page."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from kapture_panel.core.catalogue.catalogue import Command

#: The X server tells of the browser's window up to this long after the browser has answered.
NEWS_MS = 400
#: A request for the focus that was not followed is made again after this long.
AGAIN_MS = 30


class KeysKept(QObject):
    """Holds the keyboard for `window` from `hold` until a moment after `let_go`.

    Chromium gives its window the focus whenever a page of it is sent a press over CDP, and X11 lets it: what the
    person types on would be typed into the page. Other systems do not let a program behind do that.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._is_held = False
        self._pointer = QCursor.pos()
        self._end = QTimer(self, singleShot=True, interval=NEWS_MS)
        self._end.timeout.connect(self.release)
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(self._take_back)
        self._is_needed = QGuiApplication.platformName() == "xcb"
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusWindowChanged.connect(self._on_focus_window)

    @property
    def is_held(self) -> bool:
        """Whether the keyboard is held."""
        return self._is_held

    def hold(self, command: Command) -> None:
        """Begin, if the keyboard is here and `command` may press; a menu that is open has the keyboard for itself."""
        may_press = command.klass == "interact" or command.composite
        if not self._is_needed or not may_press:
            return
        self._end.stop()
        if not self._is_held and self._window.isActiveWindow() and QApplication.activePopupWidget() is None:
            self._is_held = True
            self._pointer = QCursor.pos()
            self._window.windowHandle().setKeyboardGrabEnabled(True)

    def fetch(self) -> None:
        """Bring the window in front and the keyboard into it, because the person is done elsewhere."""
        self.release()
        self._window.raise_()
        self._window.activateWindow()
        if self._is_needed:
            self._is_held = True
            self._pointer = QCursor.pos()
            self._take_back()
            self._end.start()

    def let_go(self) -> None:
        """What ran is over."""
        if self._is_held:
            self._end.start()

    def release(self) -> None:
        """End at once."""
        self._end.stop()
        self._again.stop()
        if self._is_held:
            self._is_held = False
            self._window.windowHandle().setKeyboardGrabEnabled(False)

    def _on_focus_window(self, window: QWindow | None) -> None:
        if self._is_held and window is None:
            self._take_back()

    def _take_back(self) -> None:
        """Have the focus again, unless another window of ours has it or the person has gone there with the mouse."""
        if QApplication.activeWindow() is not None:
            return
        if QCursor.pos() != self._pointer:
            self.release()
            return
        self._window.raise_()
        self._window.activateWindow()
        # Who asks by a time before the last change is refused, and Qt asks by that of the last event it has had: a
        # property that changes is one, for the next time.
        handle, title = self._window.windowHandle(), self._window.windowTitle()
        handle.setTitle(f"{title} ")
        handle.setTitle(title)
        self._again.start()
