"""The commands given in a tab as captions of its video, in WebVTT."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from kapture_panel.core.basics import private_file, sanitize
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row

#: A command that takes no time is read in no less.
SHOWN_MS = 1500
_MARKS = {"ok": "✓", "unknown": "?"}


@dataclass
class _Cue:
    row_id: int
    from_ms: int
    text: str
    settled_ms: int | None = None


class Captions:
    """A file beside the video that grows by a cue at a time, in their order.

    Args:
        path: where it goes; readable for its owner alone.
        catalogue: what commands are called.

    Raises:
        OSError: it cannot be written; so do `begin` and `settle`.
    """

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._cues: list[_Cue] = []
        self._file = os.fdopen(private_file.created(path), "w", encoding="utf-8")
        self._file.write("WEBVTT\n")
        self._file.flush()

    def begin(self, row: Row, at_ms: int) -> None:
        """A command begins."""
        self._cues.append(_Cue(row.id, at_ms, self._said(row)))
        self._write()

    def settle(self, row: Row, at_ms: int) -> None:
        """It has been answered, or was cut off."""
        for cue in self._cues:
            if cue.row_id == row.id and cue.settled_ms is None:
                cue.settled_ms, cue.text = at_ms, self._said(row)
        self._write()

    def forget(self, ids: list[int]) -> None:
        """Leave out what is not written yet of these rows."""
        self._cues = [cue for cue in self._cues if cue.row_id not in ids]

    def end(self, at_ms: int) -> None:
        """Write the last ones, and close the file, unless that was done.

        Raises:
            OSError: they cannot be written; the file is closed all the same.
        """
        if self._file.closed:
            return
        for cue in self._cues:
            if cue.settled_ms is None:
                cue.settled_ms = at_ms
        with self._file:
            self._write(until_ms=at_ms)

    def _said(self, row: Row) -> str:
        who = "a person" if row.kind == "person" else sanitize.line(row.client, 40)
        title = self._catalogue.get(row.command).title
        name = next((sanitize.line(target.name, 60) for target in row.targets if target.name), "")
        what = f"{title} “{name}”" if name else title
        outcome = "" if row.state == "running" else f" {_MARKS.get(row.state, '✗')} {row.code}"
        plain = f"{who}: {what}{outcome}".rstrip()
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def _write(self, until_ms: int | None = None) -> None:
        """Write what has settled, as long as all before it has; each is shown until the next one, or a while."""
        while self._cues and self._cues[0].settled_ms is not None:
            if len(self._cues) == 1 and until_ms is None:
                break  # how long it is shown is known once the next one comes
            cue = self._cues.pop(0)
            assert cue.settled_ms is not None
            next_ms = self._cues[0].from_ms if self._cues else until_ms
            assert next_ms is not None
            to_ms = max(cue.settled_ms, min(cue.from_ms + SHOWN_MS, next_ms), cue.from_ms + 1)
            self._file.write(f"\n{_clock(cue.from_ms)} --> {_clock(to_ms)}\n{cue.text}\n")
        self._file.flush()


def _clock(ms: int) -> str:
    hours, rest = divmod(ms, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"
