"""What a person entered, kept over restarts: the last values of each command, and templates with names."""

from __future__ import annotations

import json
from typing import Any

from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Command

_LAST = "forms.last"
_TEMPLATES = "forms.templates"
_OPEN = "forms.options"
MAX_NAME_CHARS = 60
_MAX_KEPT_CHARS = 10_000


class KeptValues:
    """Kept in the person's settings; a command or a parameter that is gone from the catalogue does no harm."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def last(self, command: Command) -> Params:
        """What was run last, without what is not kept."""
        return _objects(self._settings.get(_LAST)).get(command.name, {})

    def keep_last(self, command: Command, params: Params) -> None:
        """Remember what is run; never anything typed, any code, any secret of an address."""
        kept = _objects(self._settings.get(_LAST))
        self._settings.set(_LAST, {**kept, command.name: without_private(command, params)})

    def forget_last(self, command: Command) -> None:
        """Begin empty the next time."""
        kept = _objects(self._settings.get(_LAST))
        self._settings.set(_LAST, {name: params for name, params in kept.items() if name != command.name})

    def are_options_open(self, command: Command) -> bool:
        """Whether the person wants to see the options of a command."""
        return command.name in _names(self._settings.get(_OPEN))

    def keep_options_open(self, command: Command, is_open: bool) -> None:
        """Show the options of a command the next time, or not."""
        others = [name for name in _names(self._settings.get(_OPEN)) if name != command.name]
        self._settings.set(_OPEN, [*others, command.name] if is_open else others)

    def templates(self, command: Command) -> dict[str, Params]:
        """The command's templates by name, in the order of their names."""
        kept = _objects(_objects(self._settings.get(_TEMPLATES)).get(command.name))
        return dict(sorted(kept.items(), key=lambda item: item[0].casefold()))

    def save_template(self, command: Command, name: str, params: Params, *, is_whole: bool) -> None:
        """Keep `params` under a name, in the place of one that has it already.

        Args:
            is_whole: whether typed text, code and secrets are kept too, because the person said so.
        """
        kept = params if is_whole else without_private(command, params)
        self._set(command, {**self.templates(command), name: _without_tab(kept)})

    def rename_template(self, command: Command, name: str, new_name: str) -> None:
        """Give a template another name."""
        templates = self.templates(command)
        self._set(command, {new_name if known == name else known: params for known, params in templates.items()})

    def delete_template(self, command: Command, name: str) -> None:
        """Take a template away."""
        self._set(command, {known: params for known, params in self.templates(command).items() if known != name})

    def _set(self, command: Command, templates: dict[str, Params]) -> None:
        kept = _objects(self._settings.get(_TEMPLATES))
        self._settings.set(_TEMPLATES, {**kept, command.name: templates})


def without_private(command: Command, params: Params) -> Params:
    """The parameters that may be kept without asking."""
    return {name: value for name, value in params.items() if not is_private(command, name, value)}


def is_private(command: Command, name: str, value: Any) -> bool:
    """Whether a value holds, or may hold, typed text, code or a secret, or is too long to be kept unasked."""
    schema = command.all_properties.get(name)
    if schema is None or name == "tabId" or schema.get("format") == "javascript" or _is_free(schema):
        return True
    text = json.dumps(value)
    return len(text) > _MAX_KEPT_CHARS or redaction.params(command, {name: value}) != {name: value}


def _is_free(schema: Schema) -> bool:
    """Whether a value can hold parameters of any other command, as the steps of a batch do."""
    items = schema.get("items", {})
    return any(part.get("type") == "object" for part in items.get("properties", {}).values())


def _without_tab(params: Params) -> Params:
    return {name: value for name, value in params.items() if name != "tabId"}


def _names(value: Any) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _objects(value: Any) -> dict[str, Params]:
    """Only what is an object: the settings are a file a person can edit."""
    return {name: item for name, item in value.items() if isinstance(item, dict)} if isinstance(value, dict) else {}
