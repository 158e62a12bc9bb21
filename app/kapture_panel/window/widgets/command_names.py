"""What a command, and the element it was done to, are called where a person reads of them."""

from __future__ import annotations

from collections.abc import Iterable

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.wire.targets import Target
from kapture_panel.window.widgets import safe_text


def title(catalogue: Catalogue, name: str) -> str:
    """The catalogue's title of the command of this name; a row may name one there is no more, or never was."""
    return catalogue.titles.get(name) or safe_text.line(name, 60)


def element(name: str) -> str:
    """The element of this name, behind the title of what is done to it; empty without one."""
    return f"“{safe_text.line(name, 60)}”" if name else ""


def meant(targets: Iterable[Target]) -> str:
    """The name of what a command was done to, as far as its row knows."""
    return next((target.name for target in targets if target.name), "")
