"""A person's choices, one JSON file, written whole or not at all."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Literal, get_args

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.signal import Signal

log = logging.getLogger(__name__)

#: "auto" is on in a person's own browser and off in a managed one.
Choice = Literal["auto", "on", "off"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
#: How an agent's mouse goes to its target, and whether the tab shows where it is: each a `Choice`.
NATURAL_MOUSE = "mouse.natural"
SHOW_CURSOR = "mouse.cursor"
#: Whether a tab has a frame around its page while it is driven: a `Choice`.
SHOW_FRAME = "tab.frame"
#: Whether each action leaves a picture before and after it in the history: true or false.
RECORD_PICTURES = "history.pictures"
#: Whether the history keeps what is typed as it is, but for secret fields: true or false.
RECORD_TYPED = "history.typed"


class Settings:
    """Named choices of one instance.

    Args:
        path: the JSON file; a damaged one is moved aside and told in the log.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: JsonObject = {}
        #: Emitted with a name once it has a new value.
        self.changed: Signal[str] = Signal()
        kept, _warning = private_file.read(path, "settings", _taken)
        self._values |= kept or {}

    def get(self, name: str, default: Any = None) -> Any:
        """The value called `name`."""
        return self._values.get(name, default)

    def choice(self, name: str) -> Choice:
        """The choice called `name`; "auto" until one was made."""
        value = self.get(name)
        return next((choice for choice in CHOICES if choice == value), "auto")

    def set(self, name: str, value: Any) -> None:
        """Take a value; one that cannot be written down holds as long as the program runs, and the log says why."""
        if self._values.get(name) == value:
            return
        try:
            self.keep(name, value)
        except OSError as error:
            log.warning("%s is not kept: %s", name, error)
            self._values = {**self._values, name: value}
            self.changed.emit(name)

    def keep(self, name: str, value: Any) -> None:
        """Take a value that must outlive the program; the file is replaced atomically, readable by its owner only.

        Raises:
            OSError: it could not be written down; then nothing has changed.
        """
        if self._values.get(name) == value:
            return
        values = {**self._values, name: value}
        private_file.write(self._path, dict(sorted(values.items())))
        self._values = values
        self.changed.emit(name)


def _taken(kept: Any) -> JsonObject:
    if not isinstance(kept, dict):
        raise ValueError("not a JSON object")
    return kept
