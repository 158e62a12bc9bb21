"""The extension as it travels."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile

from kapture_panel import paths
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers.remote.packed import packed


def test_it_is_the_whole_extension_with_the_key_that_gives_its_id() -> None:
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(packed(paths.extension()))))
    files = {
        path.relative_to(paths.extension()).as_posix(): path for path in paths.extension().rglob("*") if path.is_file()
    }
    assert {name: archive.read(name) for name in archive.namelist()} == {
        name: path.read_bytes() for name, path in files.items()
    }
    key = base64.b64decode(json.loads(archive.read("manifest.json"))["key"])
    digits = hashlib.sha256(key).hexdigest()[:32]
    assert digits.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop")) == EXTENSION_ID
