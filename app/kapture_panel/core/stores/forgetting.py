"""Deletes what the person wants forgotten: rows, their pictures, videos, long answers, copies of uploaded files,
console lines and requests.

Only the person decides about it, in the window: no command leads here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.core.stores.notes import Notes
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.core.stores.upload_copies import UploadCopies
from kapture_panel.core.stores.videos import Video, Videos

Kind = Literal["hour", "tab", "agent", "site", "everything"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HOUR_S = 3600.0
#: A long answer is written this long after its command was answered, at most.
_WRITTEN_WITHIN_S = 2.0
_CONDITIONS: dict[Kind, str] = {
    "hour": "at >= ?",
    "tab": "tab_id = ?",
    "agent": "client = ?",
    "site": "site = ?",
    "everything": "1",
}


@dataclass(frozen=True)
class Scope:
    """Which part of the history: of the last `hour` what began at `since` (seconds since 1970) or later, else what
    `name` says: the tabId, the agent's name, or the site as history has it."""

    kind: Kind
    name: str = ""
    since: float = 0.0

    @property
    def condition(self) -> tuple[str, tuple[object, ...]]:
        """Which rows are meant, as SQL and its arguments."""
        arguments = {"hour": (self.since,), "everything": ()}.get(self.kind, (self.name,))
        return _CONDITIONS[self.kind], arguments


def last_hour(clock: Callable[[], float] = time.time) -> Scope:
    """What began within the hour before now."""
    return Scope("hour", since=clock() - HOUR_S)


@dataclass(frozen=True)
class Amount:
    """How much goes, or went: rows, pictures, videos, long answers, copies of uploaded files, lines of the console,
    requests; `running` rows stay, since their commands go on."""

    rows: int = 0
    pictures: int = 0
    videos: int = 0
    answers: int = 0
    uploads: int = 0
    lines: int = 0
    requests: int = 0
    running: int = 0


@dataclass(frozen=True)
class _Found:
    rows: int
    running: int
    shots: list[Shot]
    recorded: list[Shot]
    videos: list[Video]
    outputs: list[str]
    uploads: list[str]
    tabs: set[str]


class Forgetting:
    """Counts what a scope holds, and lets go of it for good.

    Args:
        recordings: the recorder's own pictures.
        videos: one that is being recorded ends.
        notes: what the person pointed at; each goes with its picture.
    """

    def __init__(
        self,
        history: History,
        shots: Shots,
        recordings: Shots,
        videos: Videos,
        outputs: Outputs,
        upload_copies: UploadCopies,
        console: Console,
        requests: NetworkLog,
        notes: Notes,
    ) -> None:
        self._history = history
        self._shots = shots
        self._recordings = recordings
        self._videos = videos
        self._outputs = outputs
        self._upload_copies = upload_copies
        self._console = console
        self._requests = requests
        self._notes = notes

    def amount(self, scope: Scope) -> Amount:
        """What would go now."""
        return self._told(scope, self._found(scope))

    def forget(self, scope: Scope) -> Amount:
        """Let go of it; nothing brings it back.

        Returns:
            What went.

        Raises:
            KaptureError: `INTERNAL` when the history cannot be written; then nothing has gone.
        """
        found = self._found(scope)
        told = self._told(scope, found)
        self._history.forget(*scope.condition)
        if scope.kind == "everything":
            self._history.forget_damaged()
        for shot in found.shots:
            self._shots.remove(shot)
        for shot in found.recorded:
            self._recordings.remove(shot)
        for video in found.videos:
            self._videos.remove(video)
        for name in found.outputs:
            self._outputs.remove(name)
        for name in found.uploads:
            self._upload_copies.remove(name)
        for store in (self._console, self._requests):
            if scope.kind == "everything":
                store.clear()
            elif scope.kind == "hour":
                store.forget_since(scope.since * 1000)
            else:
                for tab_id in found.tabs:
                    store.clear(tab_id)
        return told

    def _found(self, scope: Scope) -> _Found:
        rows = self._history.outlines(*scope.condition)
        taken = {name for one in rows for name in one.pictures}
        spans = [(one.at, one.at + (one.ms or 0) / 1000 + _WRITTEN_WITHIN_S) for one in rows]
        noted = self._notes.of_site(scope.name) if scope.kind == "site" else set()
        still = self._history.pictures(*scope.condition)
        return _Found(
            rows=len(rows),
            running=self._history.running(*scope.condition),
            shots=[
                shot for shot in self._shots
                if shot.file in taken or shot in noted or self._holds(scope, shot)
            ],
            recorded=[
                shot for shot in self._recordings
                if shot.file not in still and (shot.file in taken or self._holds(scope, shot))
            ],
            videos=[video for video in self._videos if _shows(video, scope)],
            outputs=[name for name, at in self._outputs.written() if _is_within(at, spans, scope)],
            uploads=self._copies(scope, {one.id for one in rows}),
            tabs={one.tab_id for one in rows if one.tab_id} | ({scope.name} if scope.kind == "tab" else set()),
        )  # fmt: skip

    def _copies(self, scope: Scope, row_ids: set[int]) -> list[str]:
        """The names of the copies of uploaded files that go with these rows, or belong to the scope without one; the
        page of an upload that is still under way has to open its own."""
        running = self._history.under_way()
        return [
            copy.name for copy in self._upload_copies.written()
            if copy.row_id in row_ids or (copy.row_id not in running and _is_within(copy.at, [], scope))
        ]  # fmt: skip

    @staticmethod
    def _holds(scope: Scope, shot: Shot) -> bool:
        """Whether a picture is of the scope whatever row it belongs to."""
        if scope.kind == "hour":
            return shot.taken_at >= scope.since
        return scope.kind == "everything" or (scope.kind == "tab" and shot.tab_id == scope.name)

    def _told(self, scope: Scope, found: _Found) -> Amount:
        def held(at_ms: float, tab_id: str) -> bool:
            if scope.kind == "hour":
                return at_ms >= scope.since * 1000
            return scope.kind == "everything" or tab_id in found.tabs

        return Amount(
            found.rows,
            len(found.shots) + len(found.recorded),
            len(found.videos),
            len(found.outputs),
            len(found.uploads),
            sum(held(line.at, line.tab_id) for line in self._console.lines()),
            sum(held(request.at, request.tab_id) for request in self._requests.all()),
            found.running,
        )


def _shows(video: Video, scope: Scope) -> bool:
    """Whether a video has anything of the scope in it: it goes as a whole."""
    return {
        "hour": video.ended_at is None or video.ended_at >= scope.since,
        "tab": video.tab_id == scope.name,
        "agent": scope.name in video.clients,
        "site": scope.name in video.sites,
        "everything": True,
    }[scope.kind]


def _is_within(at: float, spans: list[tuple[float, float]], scope: Scope) -> bool:
    """Whether a file was written while one of these commands ran, or belongs to the scope whatever was written then."""
    if scope.kind == "hour":
        return at >= scope.since
    return scope.kind == "everything" or any(start <= at <= end for start, end in spans)
