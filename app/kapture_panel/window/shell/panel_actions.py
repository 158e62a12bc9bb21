"""The actions of the window itself: its look, its layout, its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.shell.window_shell import WindowShell
from kapture_panel.window.widgets.entries import Entry, table
from kapture_panel.window.widgets.theme import MODES


class PanelActions:
    """Made after the rooms, because there is a pair of actions for each dock.

    Args:
        install_desktop: puts the panel into the desktop's launcher and says what it did, or raises KaptureError.
        ask_to_quit: ends the program, after a question where that is needed.
    """

    def __init__(
        self, shell: WindowShell, install_desktop: Callable[[bool], str], ask_to_quit: Callable[[], object]
    ) -> None:
        self._shell = shell
        self._install_desktop = install_desktop
        actions, docks = shell.actions, shell.docks
        for name, title in docks.titles.items():
            actions.declare(_dock_entries(name, title))
        actions.add("show_panel", shell.raise_window)
        actions.add("install_desktop", self._install)
        actions.add("reset_layout", self.reset_layout)
        actions.add("quit", ask_to_quit)
        for mode in MODES:
            actions.add(f"theme_{mode}", partial(shell.theme.set_mode, mode))
        actions[f"theme_{shell.theme.mode}"].setChecked(True)
        for name, title in docks.titles.items():
            actions.add(f"float_{name}", partial(self._float_or_dock, name))
            toggle = docks[name].toggleViewAction()
            actions.adopt(f"dock_{name}", toggle)
            # Not `toggled`: a page that fills the window hides docks, too.
            toggle.triggered.connect(partial(self._on_toggled, toggle, name, title))

    def reset_layout(self) -> None:
        """Put every dock where it was in the beginning."""
        self._shell.leave_page()
        self._shell.docks.reset()

    def _float_or_dock(self, name: str) -> None:
        self._shell.leave_page()
        self._shell.docks.float_or_dock(name)

    def _on_toggled(self, toggle: QAction, name: str, title: str, _checked: bool = False) -> None:
        if not toggle.isChecked():
            show = ("Show", partial(self._shell.docks.reveal, name))
            self._shell.toasts.tell(f"{title} hidden", tone="ok", is_kept=False, action=show)

    def _install(self) -> None:
        tell = self._shell.toasts.tell
        try:
            tell("Added to the launcher", self._install_desktop(False), "ok")
        except KaptureError as error:
            tell("Adding to the launcher failed", error.message, "error")


def _dock_entries(name: str, title: str) -> dict[str, Entry]:
    return table(
        Entry(
            f"dock_{name}", title, "View", "mdi6.eye-outline", places=frozenset({"view"}),
            full=f"Show or hide {title.lower()}", order=240,
        ),
        Entry(f"float_{name}", f"Float or dock {title.lower()}", "View", "mdi6.dock-window", order=290),
    )  # fmt: skip
