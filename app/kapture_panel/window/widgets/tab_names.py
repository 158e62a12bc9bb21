"""What a tab is called where a person reads of it."""

from __future__ import annotations

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.widgets import safe_text

NEW = "New tab"
_BLANK = "about:blank"


def name(tab: Tab, max_chars: int = 200) -> str:
    """Its title, its address without one, made harmless; a blank page has neither."""
    title = "" if tab.title.startswith(_BLANK) else safe_text.line(tab.title, max_chars)
    return title or (NEW if is_blank(tab) else safe_text.line(tab.url, max_chars))


def is_blank(tab: Tab) -> bool:
    """Whether it shows a blank page."""
    return not tab.url or tab.url.startswith(_BLANK)
