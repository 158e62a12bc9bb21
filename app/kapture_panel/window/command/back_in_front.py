"""The window comes in front, and the keyboard into it, when the person is done in a page."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

#: A window that does not get the focus is brought no longer than this.
GIVE_UP_MS = 5_000
#: The browser's own window may still take the focus up to this long after ours has got it.
NEWS_MS = 400
#: A request for the focus that was not followed is made again after this long.
AGAIN_MS = 30


class BackInFront(QObject):
    """Brings `window` in front of the browser in which the person chose something.

    On X11 one request may not do: a window manager refuses who asks by a time before the person's last act, and the
    browser's own window may still be on its way to the front. Other systems need one.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._pointer = QCursor.pos()
        self._end = QTimer(self, singleShot=True)
        self._end.timeout.connect(self._stop)
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(self._ask)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusWindowChanged.connect(self._on_focus_window)

    def come(self) -> None:
        """Bring it, because the person is done elsewhere."""
        self._window.raise_()
        self._window.activateWindow()
        if QGuiApplication.platformName() == "xcb":
            self._pointer = QCursor.pos()
            self._look()

    def _stop(self) -> None:
        self._end.stop()
        self._again.stop()

    def _on_focus_window(self) -> None:
        if self._end.isActive():
            self._look()

    def _look(self) -> None:
        """Ask for the focus, or where a window of ours has it see for a while that it stays."""
        if QApplication.activeWindow() is None:
            self._end.start(GIVE_UP_MS)
            self._ask()
        else:
            self._again.stop()
            self._end.start(NEWS_MS)

    def _ask(self) -> None:
        """Ask again and again, unless the person has gone on with the mouse."""
        if QCursor.pos() != self._pointer:
            self._stop()
            return
        self._again.start()
        self._window.raise_()
        self._window.activateWindow()
        # Who asks by a time before the last change is refused, and Qt asks by that of the last event it has had: a
        # property that changes is one, for the next time.
        handle, title = self._window.windowHandle(), self._window.windowTitle()
        handle.setTitle(f"{title} ")
        handle.setTitle(title)
