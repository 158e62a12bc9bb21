"""Print the icons of DevTools: `python -m kapture_panel.programs.drawn_icons > extension/devtools/icons.js`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtGui import QGuiApplication, QPainterPath, QRawFont

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.programs import terminal

Point = tuple[int, ...]
Kind = QPainterPath.ElementType

HEAD = """\
// Generated from the window's icons, those that commands.json and DevTools name; `make generated` makes it.

/**
 * The window's icons as SVG paths in a box of 24: Material Design Icons by the Pictogrammers, Apache License 2.0.
 * @type {Record<string, string>}
 */
export const ICONS = {
"""
#: The side of the box in CSS pixels, that of the font's, and where in it the base line is, from above.
_BOX = 24
_UNITS = 512
_BASE = 448
#: Drawn this large, the points of curves, which stand at halves and thirds of units, are whole numbers.
_SCALE = 12
_SET = "materialdesignicons6-webfont"
_NAME = re.compile(r'"(mdi6\.[\w-]+)"')
#: As Prettier breaks lines.
_LINE = 120


def text() -> str:
    """The module, as Prettier would write it.

    Raises:
        KeyError: an icon is named that there is none of.
    """
    fonts = _fonts()
    (table,) = fonts.glob(f"{_SET}-charmap-*.json")
    (file,) = fonts.glob(f"{_SET}-[0-9]*.ttf")
    codes = json.loads(table.read_text(encoding="utf-8"))
    font = QRawFont(str(file), _UNITS * _SCALE)
    lines = []
    for name in sorted(_named()):
        (glyph,) = font.glyphIndexesForString(chr(int(codes[name.removeprefix("mdi6.")], 16)))
        path = "".join(_drawn(font.pathForGlyph(glyph)))
        line = f'  "{name}": "{path}",'
        lines.append(line if len(line) <= _LINE else f'  "{name}":\n    "{path}",')
    return HEAD + "\n".join(lines) + "\n};\n"


def _fonts() -> Path:
    spec = find_spec("qtawesome")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "fonts"


def _named() -> set[str]:
    """What the catalogue and the files of DevTools name."""
    extension = paths.extension()
    files = [path for path in (extension / "devtools").rglob("*.js") if path.name != "icons.js"]
    here = {name for path in files for name in _NAME.findall(path.read_text(encoding="utf-8"))}
    return here | {command.icon for command in Catalogue(paths.catalogue())}


def _drawn(path: QPainterPath) -> Iterator[str]:
    """A glyph's outline as SVG has it; the font's curves are quadratic, Qt tells them as cubic ones."""
    start: Point = (0, 0)
    now = start
    letter = ""
    elements = [path.elementAt(at) for at in range(path.elementCount())]
    at = 0
    while at < len(elements):
        kind, there = elements[at].type, _point(elements[at])
        if kind is Kind.MoveToElement:
            yield f"{'Z' if letter else ''}M{_said(there)}"
            letter, start = "M", there
        elif kind is Kind.CurveToElement:
            # The point both ends of the quadratic curve lean to.
            leaning = tuple(round((3 * one - before) / 2) for one, before in zip(there, now, strict=True))
            at += 2
            there = _point(elements[at])
            yield f"Q{_said(leaning)} {_said(there)}"
            letter = "Q"
        elif there != now and (there != start or _goes_on(elements, at)):
            said, letter = _line(now, there, letter)
            yield said
        now = there
        at += 1
    yield "Z"


def _line(now: Point, there: Point, letter: str) -> tuple[str, str]:
    """A straight line, and the letter it leaves for the next."""
    if now[1] == there[1]:
        return f"H{_length(there[0])}", "H"
    if now[0] == there[0]:
        return f"V{_length(there[1])}", "V"
    return f"{' ' if letter in 'ML' else 'L'}{_said(there)}", "L"


def _goes_on(elements: list[QPainterPath.Element], at: int) -> bool:
    """Whether the outline goes on after this point: the way back to its start is said by its end."""
    return at + 1 < len(elements) and elements[at + 1].type is not Kind.MoveToElement


def _point(element: QPainterPath.Element) -> Point:
    return round(element.x), round(element.y) + _BASE * _SCALE


def _said(point: Point) -> str:
    return f"{_length(point[0])} {_length(point[1])}"


def _length(of: int) -> str:
    return f"{of * _BOX / _UNITS / _SCALE:.2f}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    _application = QGuiApplication([])
    terminal.say(text(), end="")
