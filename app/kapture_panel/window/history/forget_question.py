"""The question before a part of the history is forgotten: what goes, and that nothing brings it back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores.forgetting import Amount, Forgetting, Scope
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.question import Question

_PARTS = (
    ("rows", "history row"),
    ("pictures", "picture"),
    ("videos", "video"),
    ("answers", "long answer"),
    ("uploads", "copied upload"),
    ("lines", "console line"),
    ("requests", "request"),
)
_STAYS = "Downloaded and exported files and the browser's own history stay."


class ForgetQuestion(Question):
    """`forgotten` carries what went, in words; `failed` why nothing did."""

    forgotten = Signal(str)
    failed = Signal(str)

    def __init__(self, host: QWidget, forgetting: Forgetting) -> None:
        super().__init__(host, "Forget")
        self._forgetting = forgetting

    def ask_about(self, scope: Scope, what: str) -> None:
        """Say what `scope`, which is `what` in words, holds; the person's yes lets go of it."""
        amount = self._forgetting.amount(scope)
        words = f"This deletes {told(amount)} for good. You cannot undo it. {_STAYS}"
        is_empty = amount == Amount(running=amount.running)
        self.go_on.setEnabled(not is_empty)
        if is_empty:
            words = "There is nothing to forget."
        if amount.running:
            words += f" {figures.count(amount.running, 'running command')} {_is(amount.running)} kept."
        self.ask(f"Forget {what}?", words, "Forget", lambda: self._forget(scope))

    def _forget(self, scope: Scope) -> None:
        try:
            gone = self._forgetting.forget(scope)
        except KaptureError as error:
            self.failed.emit(error.message)
        else:
            self.forgotten.emit(f"{told(gone)[0].upper()}{told(gone)[1:]}.")


def told(amount: Amount) -> str:
    """What goes, in words; "nothing" where nothing does."""
    parts = [figures.count(getattr(amount, name), word) for name, word in _PARTS if getattr(amount, name)]
    if not parts:
        return "nothing"
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
