"""What a row of the history was about, in the few words a narrow column has room for: where, then what came of it."""

from __future__ import annotations

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import CODES
from kapture_panel.core.stores import row_words
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.widgets import command_names, safe_text

#: The parameters that find an element: its name says better which one it was.
_ELEMENTS = ("selector", "xpath", "ref", "formSelector")
#: The parameters that say best where a command went, the first one that is given.
_PLACES = (
    *_ELEMENTS, "url", "key", "text", "urlContains", "name", "path", "requestId",
    "expression", "code", "source", "toSelector", "toRef",
)  # fmt: skip
_MAX_PLACE_CHARS = 80
#: Says no more than the mark of the outcome does.
_SILENT = ("no observable effect",)
_WENT = "navigated to "


def where(row: Row) -> str:
    """The element, address or key `row` was about: "“Pay”", "#full-name", "/checkout", "Enter"; empty without one."""
    params = row.params
    given = next((name for name in _PLACES if isinstance(params.get(name), str) and params[name]), "")
    named = command_names.element(command_names.meant(row.targets))
    if named and (given in _ELEMENTS or not given):
        return named
    if given:
        place = _address(params[given], row.site) if given == "url" else params[given]
        return safe_text.line(place, _MAX_PLACE_CHARS)
    if {"x", "y"} <= params.keys():
        return safe_text.line(f"{params['x']}, {params['y']}", _MAX_PLACE_CHARS)
    return safe_text.line(row_words.element(row.targets[0]), _MAX_PLACE_CHARS) if row.targets else ""


def summary(row: Row) -> str:
    """Where first, then what came of it: "#place-order → /thanks", "#plc · nothing matches …"."""
    place, said = where(row), safe_text.line(row.said or CODES.get(row.code, row.code))
    if said.startswith(_WENT):
        arrived, *rest = said.removeprefix(_WENT).split(" · ")
        went = [] if arrived == place else [f"{place} → {arrived}" if place else arrived]
        return " · ".join([*(went or [place]), *rest])
    if place and said in (*_SILENT, place):
        return place
    return " · ".join(filter(None, (place, said)))


def _address(url: str, site: str) -> str:
    """A path of the site the command was given on; of another one with its host."""
    parts = addresses.parts_of(url)
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    if not parts.netloc:
        return url
    host = addresses.without_end_dot(parts.netloc.rpartition("@")[2])
    return path if host == site else f"{host}{'' if path == '/' else path}"
