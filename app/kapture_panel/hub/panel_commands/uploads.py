"""`upload_file`: the panel reads the files a policy allows and sends their bytes; the extension never sees a path."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import MAX_FRAME_BYTES, Response

#: Base64 and JSON take a third more than the bytes; the rest of a frame is for everything else.
MAX_BYTES = MAX_FRAME_BYTES * 5 // 8

Send = Callable[[dict[str, Any]], Awaitable[Response]]


async def upload(_tab: Tab, params: dict[str, Any], send: Send) -> Response:
    """Replace `paths` by the files' names, types and contents.

    Raises:
        KaptureError: `FILE_NOT_FOUND`, or `INVALID_PARAMS` when the files are too large together.
    """
    files = await asyncio.to_thread(_read, [Path(path) for path in params.pop("paths")])
    return await send({**params, "files": files})


def _read(paths: list[Path]) -> list[dict[str, str]]:
    # Unlike Path.is_file it says no, too, of a name longer than a file system takes.
    missing = [str(path) for path in paths if not os.path.isfile(path)]  # noqa: PTH113
    if missing:
        raise KaptureError("FILE_NOT_FOUND", f"there is no file {missing[0]}; give absolute paths")
    total = sum(path.stat().st_size for path in paths)
    if total > MAX_BYTES:
        raise KaptureError(
            "INVALID_PARAMS", f"{total // 1_000_000} MB are too many at once; {MAX_BYTES // 1_000_000} are possible"
        )
    return [
        {
            "name": path.name,
            "type": mimetypes.guess_type(path.name)[0] or "",
            "data": base64.b64encode(path.read_bytes()).decode(),
        }
        for path in paths
    ]
