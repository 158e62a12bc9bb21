"""The browsers that tabs are grouped by, with names a person knows them by."""

from __future__ import annotations

import re

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.widgets import safe_text

_VERSION = re.compile(r"\s+v?\d[\d.]*$")
_MAX_NAME_CHARS = 40


class TabGroups:
    """Names stay the same as long as the panel runs: two browsers of one kind are told apart by a number."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    @staticmethod
    def key(tab: Tab) -> str:
        """What the tabs of one browser have in common."""
        if tab.session:
            return f"session {tab.session}"
        return "panel" if tab.managed else f"install {tab.install}"

    def name(self, tab: Tab) -> str:
        """The browser of a tab: "Panel's browser", "Google Chrome", "Google Chrome (2)", "codex's own browser"."""
        if tab.session:
            return f"{safe_text.line(tab.driver, _MAX_NAME_CHARS) or 'An agent'}'s own browser"
        if tab.managed:
            return "Panel's browser"
        if tab.install not in self._names:
            name = _VERSION.sub("", safe_text.line(tab.browser, _MAX_NAME_CHARS)) or "Your browser"
            others = sum(known.split(" (")[0] == name for known in self._names.values())
            self._names[tab.install] = f"{name} ({others + 1})" if others else name
        return self._names[tab.install]
