"""The notices: what was told in this run, to be read again, and the bell in the status line."""

from __future__ import annotations

from kapture_panel.window.shell.notices_view import NoticesView
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.shell import Shell
from kapture_panel.window.widgets.theme import mark


class Notices:
    """The bell says how many errors were not read."""

    def __init__(self, shell: Shell) -> None:
        self._model = shell.toasts.notices
        self.view = NoticesView(shell.host, self._model, shell.theme)
        shell.actions.add("notices", self.view.open)
        self.bell = shell.add_status_button("notices", "Notices", "Notices")
        self.view.opened.connect(shell.toasts.clear)
        self.view.copied.connect(lambda text: shell.copy(text, "Notice copied"))
        self._model.unread_changed.connect(self._show_unread)
        self._show_unread()

    def _show_unread(self) -> None:
        unread = self._model.unread
        self.bell.setText(figures.count(unread, "unread error") if unread else "Notices")
        self.bell.setAccessibleName(f"Notices: {self.bell.text()}" if unread else "Notices")
        mark(self.bell, tone="error" if unread else "")
