"""What is wrong with the parameters of a command, in words for whoever gave them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kapture_panel.core.basics.errors import in_one_line

if TYPE_CHECKING:
    from jsonschema import ValidationError

_TYPES = {"integer": "a whole number", "number": "a number", "boolean": "yes or no", "string": "text"}
#: What a value must be, in the few words there is room for beside it.
_SHORT: dict[str, Callable[[Any], str]] = {
    "maximum": lambda most: f"at most {most:,}",
    "minimum": lambda least: f"at least {least:,}",
    "exclusiveMinimum": lambda above: f"more than {above:,}",
    "maxLength": lambda most: f"at most {most:,} characters",
    "minLength": lambda _least: "not empty",
    "maxItems": lambda most: f"at most {most:,}",
    "minItems": lambda least: f"at least {least:,}",
    "type": lambda kind: _TYPES.get(kind, f"of type {kind}"),
}


#: How the reader calls a parameter; empty for one that the reader cannot give.
Called: TypeAlias = Callable[[str], str]


class Problem(NamedTuple):
    """One thing that is wrong.

    `param` is the parameter it is about, empty when it is about none. `subject` and `must` are a sentence: the
    parameter (or a place in it, or the command) and what holds of it; `subject` may be empty. `short` is the same in
    few words, where there are any, and `next_step` what was given instead, or what there is.
    """

    param: str
    subject: str = ""
    must: str = ""
    next_step: str = ""
    short: str = ""

    @property
    def words(self) -> str:
        """All of it but the next step."""
        return f"{self.subject} {self.must}".strip()

    @property
    def beside(self) -> str:
        """As it stands beside the field of its parameter, which names it."""
        if self.short:
            return self.short
        said = self.must if self.subject == self.param else self.words
        return in_one_line(said, self.next_step)

    def of(self, command: str) -> str:
        """All of it but the next step, with the command's name."""
        return self.words if self.subject == command else f"{command}: {self.words}"


def told(error: ValidationError, called: Called = str) -> Problem:
    """What a check against a command's schema found."""
    param = called(_culprit(error)) or _culprit(error)
    path = [str(part) for part in error.absolute_path]
    where = ".".join([param, *path[1:]] if path else [])
    inside = f" of {where}" if where else ""
    value = json.dumps(error.instance, ensure_ascii=False, default=str)
    shown = value if len(value) <= 80 else value[:77] + "…"
    if error.validator == "required":
        missing = _missing(error) if path else param
        return Problem(param, must=f"the parameter {missing!r}{inside} is missing")
    if error.validator == "additionalProperties":
        properties = error.schema.get("properties", {})
        known = ", ".join(properties if path else filter(None, map(called, properties)))
        return Problem(
            param, must=f"unknown parameter {_unknown(error)!r}{inside}", next_step=f"it takes {known or 'none'}"
        )
    if error.validator == "type":
        must = f"must be of type {error.validator_value}, not {shown}"
    elif error.validator == "enum":
        must = f"must be one of {', '.join(map(str, error.validator_value))}, not {shown}"
    elif error.validator == "maxItems":
        must = f"takes at most {error.validator_value:,} entries, not {len(error.instance):,}"
    else:
        must = error.message.replace(repr(error.instance), shown, 1)
    short = _SHORT.get(str(error.validator)) if len(error.absolute_path) == 1 else None
    return Problem(param, where, must, short=short(error.validator_value) if short else "")


def _culprit(error: ValidationError) -> str:
    """The parameter an error is about, so that a form can show it there."""
    if error.absolute_path:
        return str(error.absolute_path[0])
    return _missing(error) if error.validator == "required" else _unknown(error)


def _missing(error: ValidationError) -> str:
    return str(next(name for name in error.validator_value if name not in error.instance))


def _unknown(error: ValidationError) -> str:
    return str(min(set(error.instance) - set(error.schema.get("properties", {})), default=""))
