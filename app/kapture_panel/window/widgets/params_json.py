"""Parameters as JSON text, read strictly."""

from __future__ import annotations

import json
from typing import Any

from kapture_panel.core.basics.free_json import Params


class ParamsError(ValueError):
    """Text that is not a JSON object; the message names line and column where there is one.

    Args:
        position: offset of the mistake in the text, or -1.
    """

    def __init__(self, message: str, position: int = -1) -> None:
        super().__init__(message)
        self.position = position


def dump(params: Params) -> str:
    """Parameters as a person reads and edits them."""
    return json.dumps(params, indent=2, ensure_ascii=False)


def load(text: str) -> Params:
    """The object in `text`; empty text is an empty object.

    Raises:
        ParamsError: not JSON, not an object, a key given twice, or a number JSON does not know.
    """
    if not text.strip():
        return {}
    try:
        value = json.loads(text, object_pairs_hook=_without_twins, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ParamsError(f"Line {error.lineno}, column {error.colno}: {error.msg}", error.pos) from None
    except RecursionError:
        raise ParamsError("The JSON is nested too deeply") from None
    if not isinstance(value, dict):
        raise ParamsError('The parameters must be one object, like {"selector": "#pay"}')
    return value


def _without_twins(pairs: list[tuple[str, Any]]) -> Params:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ParamsError(f"The key {twin!r} is given twice; keep one of them")
    return found


def _no_constant(name: str) -> Any:
    raise ParamsError(f"{name} is not JSON; give a number")
