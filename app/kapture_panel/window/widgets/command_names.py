"""What a command is called where a person reads of it."""

from __future__ import annotations

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.window.widgets import safe_text


def title(catalogue: Catalogue, name: str) -> str:
    """The catalogue's title of the command of this name; a row may name one there is no more, or never was."""
    return catalogue.titles.get(name) or safe_text.line(name, 60)
