"""`upload_file`: the panel looks at the files a policy allows; the browser reads them by paths of ours, or gets them in
pieces where it may not."""

from __future__ import annotations

import asyncio
import mimetypes
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from kapture_panel.core.basics import real_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.call import Call
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.router import Send
from kapture_panel.core.stores.offers import Offers
from kapture_panel.core.stores.upload_copies import UploadCopies
from kapture_panel.core.wire.protocol import Response

#: To a browser on another machine goes no more than this at once.
MAX_SENT_BYTES = 100 * 1024 * 1024
#: A folder with more files than these is not an upload.
MAX_FOLDER_FILES = 10_000

#: Gives an open file, by its descriptor and name, a path of ours.
Give = Callable[[int, str], Path | None]


async def upload(offers: Offers, copies: UploadCopies, call: Call, tab: Tab, params: Params, send: Send) -> Response:
    """Replace `paths` by `files`, {name, type, size in bytes, modified in ms since 1970, token, path}, of a folder
    {name, folder: true, files: their number, size, path}. The path of a file is one of `copies`, so that the browser
    opens what was looked at; that of a folder, or of a file that could not be copied, leads through no link. A file
    whose own name is a link has none, since the page would see another name. Nor has any for a browser on another
    machine, where it would lead to a file of that.

    Raises:
        KaptureError: `FILE_NOT_FOUND`, `INVALID_PARAMS` for what is neither file nor folder, or a folder that leads
            outside; or for what cannot be sent to another machine.
    """
    paths = [Path(path) for path in params.pop("paths")]
    looked_at = params.pop("reals", {})
    reals = await asyncio.to_thread(lambda: [_real(path, looked_at.get(str(path), "")) for path in paths])
    # Another machine can open no path of ours.
    give = None if tab.place else partial(copies.give, call.row.id)
    files = await asyncio.to_thread(lambda: [_seen(path, real, give) for path, real in zip(paths, reals, strict=True)])
    if tab.place:
        files = _to_be_sent(files, tab.place)
    opened = [Path(file.get("path", real)) for file, real in zip(files, reals, strict=True)]
    with offers.open(opened) as tokens:
        for file, token in zip(files, tokens, strict=True):
            if not file.get("folder"):
                file["token"] = token
        response = await send({**params, "files": files})
    # The browser opens a path by itself.
    for path in opened:
        real_file.demand_real(path)
    return response


def _to_be_sent(files: list[JsonObject], place: str) -> list[JsonObject]:
    """The same for a browser that can open none of them by its path."""
    folder = next((file["name"] for file in files if file.get("folder")), None)
    if folder is not None:
        raise KaptureError("INVALID_PARAMS", f"the folder {folder} cannot be sent to {place}", "give files")
    size = sum(file["size"] for file in files)
    if size > MAX_SENT_BYTES:
        raise KaptureError(
            "INVALID_PARAMS", f"{size} bytes are more than the {MAX_SENT_BYTES} that are sent to {place}", "give less"
        )
    return [{name: value for name, value in file.items() if name != "path"} for file in files]


def _real(path: Path, looked_at: str) -> Path:
    """Where a path leads: as it did when the policy looked, if it did look."""
    try:
        return Path(looked_at) if looked_at else path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise _missing(path) from None


def _missing(path: Path) -> KaptureError:
    return KaptureError("FILE_NOT_FOUND", f"there is no file {path}", "give absolute paths")


def _seen(path: Path, real: Path, give: Give | None) -> JsonObject:
    try:
        about = real.lstat()
    except (OSError, ValueError):  # it is not there, or no file system takes such a name
        raise _missing(path) from None
    real_file.demand_real(real)
    if stat.S_ISDIR(about.st_mode):
        return _folder(path, real)
    if not stat.S_ISREG(about.st_mode):
        raise _no_file(path)
    try:
        descriptor = real_file.opened(real)
    except OSError:
        raise KaptureError("FILE_NOT_FOUND", f"the panel may not read {path}") from None
    try:
        return _file(path, real, descriptor, give)
    finally:
        os.close(descriptor)


def _file(path: Path, real: Path, descriptor: int, give: Give | None) -> JsonObject:
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):  # it was put there in between
        raise _no_file(path)
    seen = {
        "name": path.name,
        "type": mimetypes.guess_type(path.name)[0] or "",
        "size": about.st_size,
        "modified": about.st_mtime_ns // 1_000_000,
    }
    if real.name == path.name:
        seen["path"] = str((give(descriptor, real.name) if give is not None else None) or real)
    return seen


def _no_file(path: Path) -> KaptureError:
    return KaptureError("INVALID_PARAMS", f"{path} is neither a file nor a folder")


def _folder(path: Path, real: Path) -> JsonObject:
    number, size = 0, 0
    for file in _files_in(real):
        number, size = number + 1, size + file.stat().st_size
        if number > MAX_FOLDER_FILES:
            raise KaptureError("INVALID_PARAMS", f"{path} holds more than {MAX_FOLDER_FILES} files")
    return {"name": real.name, "folder": True, "files": number, "size": size, "path": str(real)}


def _files_in(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            # A browser follows links, and what one leads to was not looked at by the policy.
            if (link := Path(parent, name)).is_symlink():
                raise KaptureError(
                    "FILE_NOT_ALLOWED", f"{link} is a link", "give the files themselves, or a folder without links"
                )
        yield from (Path(parent, name) for name in files)
