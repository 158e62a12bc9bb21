"""The end of the person's session at the computer, or somebody who ends the program from outside."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QSessionManager

from kapture_panel.window.widgets.app import Application


class SessionEnd(QObject):
    """`ended` comes when the program has to end, `committed` when what is to be kept must be kept now.

    Qt would close every window and then end its event loop beneath ours: a window that hides in the tray keeps
    the person from logging out, and a loop that ends leaves tasks behind.
    """

    committed = Signal()
    ended = Signal()

    def __init__(self, app: Application) -> None:
        super().__init__(app)
        self._app = app
        self._is_ending = False
        # Restarting the panel is for autostart to decide.
        app.commitDataRequest.connect(self.on_commit)
        app.on_quit = self._on_quit

    @property
    def is_ending(self) -> bool:
        """Whether a window that closes now must not hide."""
        return self._is_ending

    def on_commit(self, manager: QSessionManager) -> None:
        """The session ends, unless the person takes it back."""
        manager.setRestartHint(QSessionManager.RestartHint.RestartNever)
        self._is_ending = True
        self.committed.emit()

    def release(self) -> None:
        """Let Qt do as it does."""
        self._app.on_quit = None
        self._app.commitDataRequest.disconnect(self.on_commit)

    def _on_quit(self) -> None:
        self._is_ending = True
        self.ended.emit()
