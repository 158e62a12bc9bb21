"""The small language in which a profile says what an answer looks like: texts with {fields}, shapes with $paths.

A field or path is dotted, from one of the scope's names (`result.value`, `result.tabs.0.url`), and may go through
converters (`result.tabId|tabNumber`). A text whose field is missing is no answer, so the next alternative is taken; a
key of a shape whose path is missing is left out. `{"$each": "$result.logs", "as": …}` shapes every `$item` of a list,
with its `"usual"` values where an item leaves them out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.hub.agent_door.profiles.converters import CONVERTERS

Scope = JsonObject
_FIELD = re.compile(r"\{([a-zA-Z][\w.]*(?:\|\w+)*)\}")
#: What a field or path may begin with.
ROOTS = frozenset({"result", "effects", "text", "given", "tabId", "error", "item"})


class Missing:
    """Stands for what the scope does not hold."""


MISSING = Missing()


def text(alternatives: str | list[str], scope: Scope) -> str | None:
    """The first alternative all of whose fields are there, filled in; None when there is none."""
    for template in [alternatives] if isinstance(alternatives, str) else alternatives:
        values = {field: lookup(field, scope) for field in _FIELD.findall(template)}
        if not any(value is None or value is MISSING for value in values.values()):
            return _FIELD.sub(lambda found, values=values: _as_text(values[found[1]]), template)  # type: ignore[misc]
    return None


def shaped(shape: Any, scope: Scope) -> Any:
    """`shape` with its paths replaced by what they lead to; `MISSING` for a path that leads nowhere."""
    if isinstance(shape, str) and shape.startswith("$"):
        return lookup(shape[1:], scope)
    if isinstance(shape, dict) and "$each" in shape:
        items = shaped(shape["$each"], scope)
        usual = shape.get("usual", {})
        full = [] if items is MISSING else [{**usual, **item} if usual else item for item in items]
        return [shaped(shape["as"], {**scope, "item": item}) for item in full]
    if isinstance(shape, dict):
        pairs = ((name, shaped(inner, scope)) for name, inner in shape.items())
        return {name: value for name, value in pairs if value is not MISSING}
    return shape


def lookup(path: str, scope: Scope) -> Any:
    """What a dotted path leads to, through its converters; `MISSING` when it leads nowhere."""
    dotted, *converters = path.split("|")
    value: Any = scope
    for name in dotted.split("."):
        if isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            return MISSING
    for converter in converters:
        value = CONVERTERS[converter](value)
    return value


def paths(template: Any) -> Iterator[str]:
    """Every field and path in a text or shape, for checking."""
    if isinstance(template, str):
        yield from [template[1:]] if template.startswith("$") else _FIELD.findall(template)
    elif isinstance(template, dict):
        for inner in template.values():
            yield from paths(inner)
    elif isinstance(template, list):
        for inner in template:
            yield from paths(inner)


def mistake(template: Any) -> str:
    """What is wrong with the paths of a text or shape, in words; "" when nothing is."""
    for path in paths(template):
        dotted, *converters = path.split("|")
        if dotted.split(".")[0] not in ROOTS:
            return f"{path!r} begins with none of {', '.join(sorted(ROOTS))}"
        for converter in converters:
            if converter not in CONVERTERS:
                return f"{converter!r} in {path!r} is not a converter; the converters are {', '.join(CONVERTERS)}"
    return ""


def _as_text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # some clients write every number with a fraction
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
