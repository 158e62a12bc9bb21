"""The browsers on this computer, as the guide to the person's own uses them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kapture_panel.core.registry.paired import InstalledBrowser


@dataclass(frozen=True)
class BrowserSetup:
    """What is done with the browsers on this computer.

    Args:
        installed: lists them.
        place_extension: has the extension where they load it and returns that folder, or raises KaptureError.
        open_window: shows a new tab of one, or raises KaptureError.
    """

    installed: Callable[[], list[InstalledBrowser]]
    place_extension: Callable[[], Path]
    open_window: Callable[[InstalledBrowser], None]
