"""A recording: one HTML file with the rows as a timeline and their pictures in it. It needs no other file."""

from __future__ import annotations

import base64
import hashlib
import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kapture_panel.core import summary
from kapture_panel.core.basics import sanitize
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores import row_grades, row_words
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.recorder import FOLDER
from kapture_panel.core.stores.shot_finder import Finder

if TYPE_CHECKING:
    from jinja2 import Template

MAX_ROWS = 5000
MAX_PICTURES_BYTES = 100 * 1024 * 1024
#: Pictures are scaled down to this: legible on a screen, a tenth of the bytes.
MAX_PICTURE_PX = 1600
_QUALITY = 80
#: How hard WebP tries to be small, from 0 to 6: twice as fast as its own choice, 4, for a twentieth more bytes.
_METHOD = 2
_PAGE = Path(__file__).with_name("recording.html.jinja")
#: Typed text is mostly not in the rows, and who sends the page on shall not take that for all of it.
_SEEN = "Pictures show what the pages showed, also typed text that the rows leave out."
_STYLE = Path(__file__).with_name("recording.css")
_SCRIPT = Path(__file__).with_name("recording.js")


def page(rows: Sequence[Row], pictures: Path, catalogue: Catalogue) -> str:
    """The recording of `rows`, oldest first; beyond the bounds the oldest rows and the last pictures are left out."""
    shown = rows[-MAX_ROWS:]
    album = _Album(pictures)
    entries = [_entry(row, catalogue.titles.get(row.command, row.command), album) for row in shown]
    style, script = _STYLE.read_text(encoding="utf-8"), _SCRIPT.read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return _template().render(
        policy=policy,
        style=style,
        script=script,
        title=sanitize.line(_title(shown)),
        facts=sanitize.line(_facts(shown, album.number)),
        notes=[*_omitted(rows, album), *([_SEEN] if album.number else [])],
        entries=entries,
    )


def pictures_in(text: str) -> int:
    """How many pictures are in a recording: each is a figure, and what pages said is escaped."""
    return text.count("<figure>")


def _template() -> Template:
    import jinja2  # with the first recording: the window and the terminal do without it

    known = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    known.filters |= {"line": sanitize.line, "time": _time}
    return known.from_string(_PAGE.read_text(encoding="utf-8"))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


#: What a blank page has for a site.
_NOWHERE = ("", "about")


def _title(rows: Sequence[Row]) -> str:
    sites = list(dict.fromkeys(row.site for row in rows if row.site not in _NOWHERE))
    where = ", ".join(sites[:2]) + (f" and {len(sites) - 2} more" if len(sites) > 2 else "")
    return f"Recording of {where}" if where else "Recording"


def _facts(rows: Sequence[Row], pictures: int) -> str:
    errors = sum(map(row_grades.is_wrong, rows))
    agents = list(dict.fromkeys(row.client for row in rows))
    facts = [_count(len(rows), "command"), _count(errors, "error")]
    if pictures:
        facts.append(_count(pictures, "picture"))
    if rows:
        facts.append(f"{_time(rows[0].at, '%Y-%m-%d %H:%M')} to {_time(rows[-1].at, '%Y-%m-%d %H:%M')}")
        facts.append("by " + ", ".join(agents[:4]) + (" and others" if len(agents) > 4 else ""))
    return " · ".join(facts)


def _omitted(rows: Sequence[Row], album: _Album) -> list[str]:
    notes = []
    if len(rows) > MAX_ROWS:
        notes.append(f"The {_count(len(rows) - MAX_ROWS, 'oldest command')} of {len(rows):,} left out.")
    if album.too_many:
        pictures = _count(album.too_many, "picture")
        notes.append(f"{pictures} left out: a recording holds {MAX_PICTURES_BYTES // 1024 // 1024} MB of them.")
    if album.gone:
        notes.append(f"{_count(album.gone, 'picture')} no longer there when this was made: screenshots are kept a day.")
    if not (album.number or album.too_many or album.gone):
        notes.append("Without pictures: none were recorded.")
    return notes


@dataclass(frozen=True)
class _Entry:
    """A row as the page shows it; `facts` are names and values, and `look` is its class: its state, or "stopped"."""

    row: Row
    title: str
    look: str
    state: str
    site: str
    ms: str
    facts: list[tuple[str, str]]
    said: str
    pictures: list[_Picture]


def _waited(row: Row) -> str:
    return f" + {row.waited_ms / 1000:,.1f} s until a person answered" if row.waited_ms else ""


def _entry(row: Row, title: str, album: _Album) -> _Entry:
    facts = [(name, row_words.value(value)) for name, value in row.params.items()]
    elements = dict.fromkeys(map(row_words.element, row.targets))
    facts += [("element", words) for words in elements if words]
    state = row.code if row.code and not row_grades.is_stopped(row) else row_grades.words(row)
    said = [row.said.removesuffix(f" · {state}")] if row.said else []
    done = summary.effects(row.effects) if row.effects else ""
    if done and done not in row.said:
        said.append(done)
    return _Entry(
        row=row,
        title=title,
        look="stopped" if row_grades.is_stopped(row) else row.state,
        state=state,
        site="" if row.site in _NOWHERE else row.site,
        ms="" if row.ms is None else f"{row.ms:,.0f} ms{_waited(row)}",
        facts=facts,
        said=" · ".join(said),
        pictures=list(album.of(row, title)),
    )


@dataclass(frozen=True)
class _Picture:
    caption: str
    name: str
    address: str
    width: int
    height: int


class _Album:
    """Reads the rows' pictures, scaled down, until they are too many."""

    def __init__(self, folder: Path) -> None:
        self._recorded, self._taken = Finder(folder / FOLDER), Finder(folder)
        # The picture after an action is often the one before the next.
        self._fitted = lru_cache(maxsize=4)(_fitted)
        self._bytes = 0
        #: How many are in the page.
        self.number = 0
        self.too_many = 0
        self.gone = 0

    def of(self, row: Row, title: str) -> Iterator[_Picture]:
        """The pictures before and after an action, which has this title, and the one it took."""
        for caption, name in (("Before", row.before), ("After", row.after)):
            if name:
                yield from self._read(self._recorded.find(name), caption, f"{title}, {caption.lower()}")
        if row.shot:
            yield from self._read(self._taken.find(row.shot), "", f"Screenshot {row.params.get('name', '')}".strip())

    def _read(self, path: Path, caption: str, name: str) -> Iterator[_Picture]:
        if self._bytes >= MAX_PICTURES_BYTES:
            self.too_many += 1
            return
        try:
            src, width, height = self._fitted(path)
        except OSError:
            self.gone += 1
            return
        if self._bytes + len(src) > MAX_PICTURES_BYTES:
            self.too_many += 1
            return
        self._bytes += len(src)
        self.number += 1
        yield _Picture(caption, name, src, width, height)


def _fitted(path: Path) -> tuple[str, int, int]:
    """A picture as a data address, at most as large as is legible, with its width and height.

    One that is small already, as those beside actions are, stays as it is: made anew it would take a twentieth of a
    second each.
    """
    # Imported with the first picture, as `hub/panel_commands/images.py` does and for the same reasons.
    import PIL.Image
    import PIL.WebPImagePlugin  # else Pillow imports all its formats for it, which holds the window's thread up

    with PIL.Image.open(path) as image:
        whole = image.size
        image.thumbnail((MAX_PICTURE_PX, MAX_PICTURE_PX * 4))
        image.load()  # all of it can be read
        if image.format in ("JPEG", "WEBP") and image.size == whole:
            return _data_address(image.format, path.read_bytes()), *whole
        made = io.BytesIO()
        mode = "RGBA" if image.has_transparency_data else "RGB"
        image.convert(mode).save(made, "WEBP", quality=_QUALITY, method=_METHOD)
        return _data_address("WEBP", made.getvalue()), *image.size


def _data_address(image_format: str, data: bytes) -> str:
    return f"data:image/{image_format.lower()};base64,{base64.b64encode(data).decode()}"


def _time(at: float, form: str) -> str:
    return time.strftime(form, time.localtime(at))


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
