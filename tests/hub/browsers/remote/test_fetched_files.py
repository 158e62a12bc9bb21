"""Downloads of a browser elsewhere: copied here piece by piece, bounded, and told when they are not."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.hub.browsers.cdp import Cdp
from kapture_panel.hub.browsers.remote import fetched_files
from kapture_panel.hub.browsers.remote.fetched_files import FetchedFiles


class Far(Cdp):
    """A machine with one file."""

    def __init__(self, data: bytes, *, is_readable: bool = True) -> None:
        super().__init__(lambda *_: None)
        self.data, self.is_readable = data, is_readable
        self.calls: list[tuple[str, Any]] = []

    async def _send(self, method: str, frame: str) -> None:
        call = json.loads(frame)
        self.calls.append((method, call["params"]))
        result: dict[str, Any] = {"targetId": "P", "sessionId": "S", "result": {"objectId": "O"}}
        if method == "Runtime.callFunctionOn":
            start, size = (given["value"] for given in call["params"]["arguments"])
            result = {"result": {"value": base64.b64encode(self.data[start : start + size]).decode()}}
            if not self.is_readable:
                result = {"exceptionDetails": {"text": "NotReadableError"}}
        self._take({"id": call["id"], "result": result})


async def fetched(folder: Path, far: Far, *, size: int | None = None, name: str = "a.csv") -> Any:
    """What is known of a download once it is whole there."""
    files = FetchedFiles(folder)
    files.prepare()
    await files.follow(far, "/there/profile")
    files.on_event("Browser.downloadWillBegin", {"guid": "g", "url": "u", "suggestedFilename": name})
    done = {"guid": "g", "state": "completed", "receivedBytes": len(far.data) if size is None else size}
    files.on_event("Browser.downloadProgress", {**done, "filePath": "/there/profile/kapture-downloads/g"})
    return await files.of("g", 10)


async def test_a_file_arrives_in_the_folder_here(tmp_path: Path) -> None:
    far = Far(bytes(range(256)) * 5000)  # of three pieces
    known = await fetched(tmp_path, far)
    assert (known.state, known.path) == ("completed", str(tmp_path / "a.csv"))
    assert Path(known.path).read_bytes() == far.data
    assert far.calls[0][1]["downloadPath"] == "/there/profile/kapture-downloads"
    assert ("DOM.setFileInputFiles", ["/there/profile/kapture-downloads/g"]) in [
        (method, params.get("files")) for method, params in far.calls
    ]
    assert far.calls[-1][0] == "Target.closeTarget"


async def test_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    known = await fetched(tmp_path / "in", Far(b"x"), name="../../evil")
    assert known.path == str(tmp_path / "in" / "evil")


@pytest.mark.parametrize("told", [None, 3])
async def test_a_file_that_is_too_large_stays_there_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: int | None
) -> None:
    monkeypatch.setattr(fetched_files, "MAX_BYTES", 9)
    known = await fetched(tmp_path, Far(b"0123456789"), size=told)  # it may not say how large it is
    assert (known.state, known.path) == ("completed", "")
    assert known.note.startswith("stays on the other machine: ")


async def test_a_file_that_cannot_be_read_stays_there(tmp_path: Path) -> None:
    known = await fetched(tmp_path, Far(b"x", is_readable=False))
    assert known.path == ""
    assert "cannot be read there" in known.note


async def test_without_a_folder_of_its_own_the_browser_keeps_its_usual_one(tmp_path: Path) -> None:
    far, files = Far(b""), FetchedFiles(tmp_path)
    await files.follow(far, "")
    assert far.calls == [("Browser.setDownloadBehavior", {"behavior": "default", "eventsEnabled": True})]
