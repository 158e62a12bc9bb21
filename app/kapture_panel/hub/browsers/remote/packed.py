"""The extension as a zip for the request of a session: a Grid's nodes cannot read our folder."""

from __future__ import annotations

import base64
import io
import zipfile
from functools import cache
from pathlib import Path


@cache
def packed(folder: Path) -> str:
    """The extension's folder as a zip in base64. Its id is that of the key in its manifest, as in a crx."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return base64.b64encode(data.getvalue()).decode()
