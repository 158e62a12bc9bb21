"""The doctor: tries every link of the chain and says in the status line what was found."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from kapture_panel.core.doctor import Check
from kapture_panel.window.doctor.doctor_view import DoctorView
from kapture_panel.window.doctor.entries import ENTRIES
from kapture_panel.window.widgets.shell import Shell
from kapture_panel.window.widgets.theme import mark


class DoctorRoom:
    """Lies over the window.

    Args:
        examine: tries every link again and gives each check as soon as it is made.
    """

    def __init__(self, shell: Shell, examine: Callable[[], AsyncGenerator[Check, None]]) -> None:
        self._examine = examine
        shell.actions.declare(ENTRIES)
        self.view = DoctorView(shell.host, shell.theme)
        shell.actions.add("doctor", self.view.open)
        self.button = shell.add_status_button("doctor", "Doctor", "Check everything between your agent and the page")
        self.view.judged.connect(self._show_verdict)
        self.view.run_asked.connect(lambda: shell.background.start(self._run(), "Doctor"))
        self.view.copied.connect(lambda text: shell.copy(text, "Report copied"))

    def _show_verdict(self, words: str, tone: str) -> None:
        """Say what was found last; without words nothing is known."""
        self.button.setText(f"Doctor: {words}" if words else "Doctor")
        self.button.setAccessibleName(self.button.text())
        mark(self.button, tone=tone)

    async def _run(self) -> None:
        self.view.begin()
        try:
            async with aclosing(self._examine()) as checks:
                async for check in checks:
                    self.view.take(check)
        finally:
            self.view.end()
