"""A person's choices, one JSON file, written whole or not at all."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any, Literal, get_args

from kapture_panel.core.signal import Signal

log = logging.getLogger(__name__)

#: "auto" is on in a person's own browser and off in a managed one.
Choice = Literal["auto", "on", "off"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
#: How an agent's mouse goes to its target, and whether the tab shows where it is: each a `Choice`.
NATURAL_MOUSE = "mouse.natural"
SHOW_CURSOR = "mouse.cursor"
#: Whether each action leaves a picture before and after it in the history: true or false.
RECORD_PICTURES = "history.pictures"


class Settings:
    """Named choices of one instance.

    Args:
        path: the JSON file; a damaged one is moved aside and told in the log.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: dict[str, Any] = {}
        #: Emitted with a name once its new value is kept.
        self.changed: Signal[str] = Signal()
        if path.exists():
            try:
                loaded = json.loads(path.read_text(encoding="utf-8"))
                if not isinstance(loaded, dict):
                    raise ValueError("not a JSON object")
                self._values = loaded
            except ValueError as error:
                aside = path.with_suffix(".damaged.json")
                path.replace(aside)
                log.warning("settings could not be read (%s); the old file is kept as %s", error, aside)

    def get(self, name: str, default: Any = None) -> Any:
        """The value called `name`."""
        return self._values.get(name, default)

    def choice(self, name: str) -> Choice:
        """The choice called `name`; "auto" until one was made."""
        value = self.get(name)
        return next((choice for choice in CHOICES if choice == value), "auto")

    def set(self, name: str, value: Any) -> None:
        """Keep a value; the file is replaced atomically, readable by its owner only."""
        if self._values.get(name) == value:
            return
        self._values[name] = value
        fresh = self._path.with_suffix(".new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self._values, file, indent=2, sort_keys=True)
        fresh.replace(self._path)
        self.changed.emit(name)
