"""A video of the watched tab: who records it is said above the page, and the person begins and stops it there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.watch.looking import Videos
from kapture_panel.window.watch.watch_view import WatchView
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.desktop_opening import open_path
from kapture_panel.window.widgets.shell import Shell

_COMMAND = "kapturemcp_record_video"
#: As long as a video may be: the person sees that it goes on.
_SECONDS = 600


class PersonsVideos(QObject):
    """Says in the view what `videos` knows.

    Args:
        do: gives a command of the person's, by its name.
    """

    def __init__(self, shell: Shell, videos: Videos, view: WatchView, do: Callable[[str, Params], object]) -> None:
        super().__init__(shell.host)
        self._shell = shell
        self._videos = videos
        self._view = view
        self._do = do
        view.video_asked.connect(self._on_asked)
        view.tab_shown.connect(self._say)
        shell.subscriptions.connect(videos.changed, self._on_changed)
        shell.subscriptions.connect(videos.over, self._on_over)

    def toggle(self) -> None:
        """Begin a video of the watched tab, or stop it."""
        if (tab := self._view.tab) is not None:
            self._on_asked(tab)

    def _on_asked(self, tab: Tab) -> None:
        is_on = self._videos.who(tab.tab_id) is not None
        self._do(_COMMAND, {"tabId": tab.tab_id, **({"stop": True} if is_on else {"seconds": _SECONDS})})

    def _on_changed(self, tab_id: str) -> None:
        if self._view.tab is not None and self._view.tab.tab_id == tab_id:
            self._say()

    def _say(self) -> None:
        tab = self._view.tab
        by = self._videos.who(tab.tab_id) if tab is not None else None
        if by is None:
            self._view.say_recorded("")
        elif by.kind == "person":
            self._view.say_recorded("You are recording a video.")
        else:
            self._view.say_recorded(f"{safe_text.line(by.name, 40)} is recording a video.")

    def _on_over(self, client: Client, path: str, why: str) -> None:
        if client.kind == "person":
            title, toasts = "Video saved" if why == "stopped" else f"Video saved: {why}", self._shell.toasts
            open_it = ("Open", partial(open_path, Path(path), toasts))
            toasts.tell(
                title, path, "ok", action=open_it, also=("Open folder", partial(open_path, Path(path).parent, toasts))
            )
