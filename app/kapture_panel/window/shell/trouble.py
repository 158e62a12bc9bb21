"""What keeps the panel from its work, said above all else for as long as it is so."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from kapture_panel.core.stores.history import History, Trouble
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.icon_label import IconLabel
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.shell import Shell
from kapture_panel.window.widgets.theme import Theme

_REFUSED = "Actions are refused, because they could not be recorded. Reading still works."


class TroubleBand(QFrame):
    """Hidden while all is well. Nobody can close it: it goes when the trouble does."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "trouble")
        self.words = Label(kind="strong")
        self.words.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 2)  # the least window has no more room
        row.setSpacing(8)
        row.addWidget(IconLabel(theme, "mdi6.alert-outline", "error"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.words, 1)
        self.hide()

    def say(self, words: str) -> None:
        """Stand there with `words`, or go with none."""
        self.words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
        if words:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))


class HistoryTrouble:
    """Tells a person that the history cannot be written, and when it can be again."""

    def __init__(self, shell: Shell, history: History) -> None:
        self._shell = shell
        self.band = TroubleBand(shell.theme)
        shell.host.setMenuWidget(self.band)
        shell.subscriptions.connect(history.trouble_changed, self._show)
        if history.trouble is not None:
            self._show(history.trouble)
        if history.warning:
            shell.toasts.tell("Your history was damaged", history.warning, "error")

    def _show(self, trouble: Trouble | None) -> None:
        if trouble is None:
            self.band.say("")
            self._shell.toasts.tell("The history can be written again", "Actions are carried out again.", "ok")
            return
        title, next_step = _sentence(trouble.what), _sentence(trouble.next_step)
        words = safe_text.line(f"{title} {_REFUSED} {next_step}", 600)
        self.band.say(words)
        self._shell.toasts.notices.add(title, f"{_REFUSED} {next_step}", "warn")
        self._shell.notify(title, f"{_REFUSED} {next_step}")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
