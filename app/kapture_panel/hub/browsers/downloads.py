"""What a managed browser downloads, as its pipe tells it: where a file is and whether it is whole."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import OrderedDict
from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire.effects import Download

log = logging.getLogger(__name__)

#: A small file is whole by the time an answer leaves; a large one is not waited for longer.
WAIT_S = 2.0
_KEPT = 200
#: Bytes of a name, which leaves room for a number; file systems take 255.
_MAX_NAME_BYTES = 200


class Downloads:
    """The latest downloads by their guid. While one runs its file bears its guid; whole, it gets its name, or one with
    a number where that is taken.

    Args:
        folder: where the files go.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: Where the browser puts what is not whole yet, each file by its guid.
        self.arriving = folder / ".arriving"
        self._names: dict[str, str] = {}
        #: What the pipe told of them: guid → (url, file name).
        self._begun: dict[str, tuple[str, str]] = {}
        #: The guids of those that an answer told of.
        self._told: set[str] = set()
        self._states: OrderedDict[str, Download] = OrderedDict()
        self._ended: dict[str, asyncio.Event] = {}

    def prepare(self) -> None:
        """Have both folders, without what an earlier browser did not finish."""
        for folder in (self._folder, self.arriving):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for leftover in self.arriving.iterdir():
            leftover.unlink()

    def on_event(self, method: str, params: JsonObject) -> None:
        """Take an event of CDP's Browser domain."""
        if method == "Browser.downloadWillBegin":
            self._know(params["guid"])
            self._names[params["guid"]] = params["suggestedFilename"]
            self._begun[params["guid"]] = (params["url"], params["suggestedFilename"])
        elif method == "Browser.downloadProgress" and params["guid"] in self._states:
            state = self._states[params["guid"]]
            state.state, state.bytes = params["state"], int(params["receivedBytes"])
            if params["state"] == "completed" and params.get("filePath"):
                state.path = str(self._named(params["guid"], Path(params["filePath"])))
            if params["state"] != "inProgress":
                self._ended[params["guid"]].set()

    async def of(self, guid: str, wait_s: float = WAIT_S) -> Download:
        """What is known of a download; one that runs is waited for up to `wait_s`."""
        # The tab tells of it another way than the pipe, and may be the first to.
        ended = self._know(guid)
        try:
            async with asyncio.timeout(wait_s):
                await ended.wait()
        except TimeoutError:
            return replace(self._states.get(guid, Download()), folder=str(self._folder))
        return self._states.get(guid, Download())

    @contextmanager
    def telling(self, guids: Collection[str]) -> Iterator[None]:
        """Stand around the making of an answer that tells of these: cut off before its end, it told of none."""
        self._told.update(guids)
        try:
            yield
        except BaseException:
            self._told.difference_update(guids)
            raise

    def is_told(self, guid: str) -> bool:
        """Whether an answer told of it: the tab it began in may tell of it again."""
        return guid in self._told

    def of_new_tab(self, url: str, besides: Container[str]) -> Download | None:
        """The download that a new tab led to before we were in it, as the tab would tell it.

        Args:
            url: where the tab was to lead.
            besides: guids of others.
        """
        for guid, (at, name) in reversed(self._begun.items()):
            if at == url and guid not in self._told and guid not in besides:
                return Download(guid=guid, fileName=name, url=url)
        return None

    def leave(self, guid: str, note: str) -> None:
        """A whole file is not to be had here; the note says why."""
        if guid in self._states:
            self._states[guid].note = note

    def _named(self, guid: str, arrived: Path) -> Path:
        """Where the file is under its own name; nothing that is there is overwritten."""
        name = Path(self._names.pop(guid, "")).name
        free = None
        try:
            free = _reserved(self._folder, name or "download")
            arrived.replace(free)
        except OSError as error:
            log.warning("the download %s stays %s: %s", name, arrived, error)
            if free is not None:
                free.unlink()
            return arrived
        return free

    def _know(self, guid: str) -> asyncio.Event:
        """Set when the download has ended or is forgotten."""
        if guid not in self._ended:
            self._states[guid] = Download(state="inProgress")
            self._ended[guid] = asyncio.Event()
            while len(self._states) > _KEPT:
                forgotten, _ = self._states.popitem(last=False)
                self._ended.pop(forgotten).set()
                self._names.pop(forgotten, None)
                self._begun.pop(forgotten, None)
                self._told.discard(forgotten)
        return self._ended[guid]


def _reserved(folder: Path, name: str) -> Path:
    """An empty file of this name, or the first that is free with a number: made, so that nobody else takes it."""
    stem, suffix = Path(name).stem, Path(name).suffix
    if stem.endswith(".tar"):
        stem, suffix = stem.removesuffix(".tar"), f".tar{suffix}"
    stem = stem.encode()[: max(1, _MAX_NAME_BYTES - len(suffix.encode()))].decode(errors="ignore")
    for number in itertools.count():
        path = folder / (f"{stem} ({number}){suffix}" if number else f"{stem}{suffix}")
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            continue
        return path
    raise AssertionError("numbers do not end")
