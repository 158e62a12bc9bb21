"""The browsers that tabs are in, by the names a person knows them by: in the list of tabs and in questions."""

from __future__ import annotations

import re
from collections.abc import Callable

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.paired import PairedBrowser
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.widgets import safe_text

PANELS = "Panel's browser"
_VERSION = re.compile(r"\s+v?\d[\d.]*$")
_MAX_NAME_CHARS = 40


def called(browser: PairedBrowser) -> str:
    """What a paired browser is called: by the person, else by itself with its version."""
    return safe_text.line(browser.name or browser.browser, 60)


class BrowserNames:
    """A name that the person gave counts. The others stay the same as long as the panel runs: two browsers of one kind
    are told apart by a number.

    Args:
        given: what the person calls the browser of this `install`, empty when they gave it no name.
    """

    def __init__(self, given: Callable[[str], str]) -> None:
        self._given = given
        self._names: dict[str, str] = {}

    @staticmethod
    def key(tab: Tab) -> str:
        """What the tabs of one browser have in common."""
        if tab.session:
            return f"session {tab.session}"
        return "panel" if tab.managed else f"install {tab.install}"

    def name(self, tab: Tab) -> str:
        """The browser of a tab: "Panel's browser", "Chrome – Work", "Google Chrome (2)", "codex's own browser", or the
        same "on grid" when it is on another machine."""
        if tab.session:
            return _own_browser(tab.driver, tab.place)
        if tab.managed:
            return PANELS
        if given := safe_text.line(self._given(tab.install), _MAX_NAME_CHARS):
            return given
        if tab.install not in self._names:
            name = _VERSION.sub("", safe_text.line(tab.browser, _MAX_NAME_CHARS)) or "Your browser"
            others = sum(known.split(" (")[0] == name for known in self._names.values())
            self._names[tab.install] = f"{name} ({others + 1})" if others else name
        return self._names[tab.install]

    def where(self, tab: Tab | None, client: Client, *, is_managed: bool) -> str:
        """In which browser something is to be done: "the panel's browser", "Chrome – Work, your own browser".

        Args:
            tab: the tab it is about, if there is one.
            client: who wants it.
            is_managed: whether the panel started the browser.
        """
        if not is_managed:
            return f"{self.name(tab)}, your own browser" if tab is not None and tab.browser else "your own browser"
        if tab is not None and tab.session:
            # Nobody may have acted in the tab yet, but nobody else can act in that browser.
            return _own_browser(tab.driver or client.name, tab.place)
        if tab is None and client.session:
            return _own_browser(client.name, client.place)
        return "the panel's browser"


def _own_browser(owner: str, place: str) -> str:
    owner = safe_text.line(owner, _MAX_NAME_CHARS) or "An agent"
    return f"{owner}'s own browser{f' on {safe_text.line(place, _MAX_NAME_CHARS)}' if place else ''}"
