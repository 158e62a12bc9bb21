"""The folder the person saved into last, kept in the settings."""

from __future__ import annotations

from pathlib import Path

from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.widgets.app import Application

_NAME = "window.save_folder"


class SaveFolder:
    """Every dialog begins in the one the last ended in (`Application.save_folder`), until `release`."""

    def __init__(self, app: Application, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        kept = settings.get(_NAME)
        app.save_folder = Path(kept) if isinstance(kept, str) and kept else None
        app.save_folder_changed.connect(self._keep)

    def release(self) -> None:
        """Keep it no more."""
        self._app.save_folder_changed.disconnect(self._keep)

    def _keep(self, folder: Path) -> None:
        self._settings.set(_NAME, str(folder))
