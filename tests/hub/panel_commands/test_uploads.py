"""Files as `upload_file` offers them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores import upload_copies
from kapture_panel.core.stores.offers import Offers
from kapture_panel.core.stores.upload_copies import UploadCopies
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.panel_commands import uploads
from tests.support.core.fakes import SOME_CALL

TAB = Tab("t1", "https://a.example/", "A", "install")


async def sent(*paths: Path, offers: Offers | None = None, folder: Path | None = None) -> list[dict[str, Any]]:
    """The files as the extension would be told of them, each with what it could read of it in `data`; their copies are
    in a folder beside the first, or in `folder`."""
    offers = Offers() if offers is None else offers
    copies = UploadCopies((folder or paths[0].parent) / "copies")
    seen: dict[str, Any] = {}

    async def send(params: dict[str, Any]) -> Response:
        seen.update(params)
        for file in params["files"]:
            if "token" in file:
                file["data"] = await offers.read(file["token"], 0, 100)
        return Response(id="c1", success=True)

    await uploads.upload(
        offers, copies, SOME_CALL, TAB, {"selector": "#f", "paths": [str(path) for path in paths]}, send
    )
    assert seen.keys() == {"selector", "files"}
    assert {copy.row_id for copy in copies.written()} <= {SOME_CALL.row.id}
    files: list[dict[str, Any]] = seen["files"]
    return files


async def test_a_file_is_told_by_its_path_and_can_be_read_while_the_upload_runs(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG")
    os.utime(path, (5, 5))
    offers = Offers()
    (file,) = await sent(path, offers=offers)
    token, given = file.pop("token"), Path(file.pop("path"))
    assert file == {"name": "a.png", "type": "image/png", "size": 4, "modified": 5000, "data": b"\x89PNG"}
    assert (given.name, given.parents[1]) == ("a.png", tmp_path.resolve() / "copies")
    path.unlink()
    path.write_bytes(b"another")
    assert (given.read_bytes(), given.stat().st_mtime) == (b"\x89PNG", 5)
    with pytest.raises(KaptureError) as caught:
        await offers.read(token, 0, 1)
    assert caught.value.code == "FILE_NOT_ALLOWED"


async def test_no_file_is_an_upload_too(tmp_path: Path) -> None:
    assert await sent(folder=tmp_path) == []


async def test_a_link_keeps_its_name_and_one_on_the_way_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.txt").write_text("a")
    (tmp_path / "b.txt").symlink_to(tmp_path / "real/a.txt")
    (tmp_path / "way").symlink_to(tmp_path / "real")
    link, beyond = await sent(tmp_path / "b.txt", tmp_path / "way/a.txt")
    assert (link["name"], link.get("path"), link["data"]) == ("b.txt", None, b"a")
    assert (beyond["name"], Path(beyond["path"]).read_text()) == ("a.txt", "a")


async def test_a_folder_is_told_with_its_number_of_files(tmp_path: Path) -> None:
    (tmp_path / "f/g").mkdir(parents=True)
    (tmp_path / "f/a").write_text("a")
    (tmp_path / "f/g/b").write_text("bb")
    assert await sent(tmp_path / "f") == [
        {"name": "f", "folder": True, "files": 2, "size": 3, "path": str((tmp_path / "f").resolve())}
    ]


async def test_a_folder_with_links_or_too_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f/g").mkdir(parents=True)
    for name in "ab":
        (tmp_path / "f" / name).touch()
    monkeypatch.setattr(uploads, "MAX_FOLDER_FILES", 1)
    with pytest.raises(KaptureError, match="more than 1 files"):
        await sent(tmp_path / "f")
    (tmp_path / "f/g/out").symlink_to("/etc")
    monkeypatch.setattr(uploads, "MAX_FOLDER_FILES", 10)
    with pytest.raises(KaptureError, match=r"g/out is a link") as caught:
        await sent(tmp_path / "f")
    assert caught.value.code == "FILE_NOT_ALLOWED"


@pytest.mark.parametrize("name", ["nowhere", "n" * 300])
async def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(KaptureError, match=name) as caught:
        await sent(tmp_path / name)
    assert caught.value.code == "FILE_NOT_FOUND"


async def test_what_is_neither_file_nor_folder_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(KaptureError, match="neither a file nor a folder"):
        await sent(tmp_path / "pipe")


@pytest.mark.parametrize("when", ["before it is looked at", "before it is read", "after it was given"])
async def test_a_link_that_leads_elsewhere_than_the_policy_saw_gives_nothing(
    tmp_path: Path, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("allowed", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(name)
    given = tmp_path / "allowed" / "a.txt"
    copies = UploadCopies(tmp_path / "copies", max_copied_bytes=0)  # as of a large file of another disk
    monkeypatch.setattr(upload_copies, "_linked", lambda *_given: False)
    reals = {str(given): str(given.resolve())}
    offers = Offers()
    data: list[bytes] = []

    def flip() -> None:
        given.unlink()
        given.symlink_to(tmp_path / "secret" / "a.txt")

    async def send(params: dict[str, Any]) -> Response:
        (file,) = params["files"]
        if when == "before it is read":
            flip()
        data.append(await offers.read(file["token"], 0, 100))
        if when == "after it was given":
            flip()
        return Response(id="c1", success=True)

    if when == "before it is looked at":
        flip()
    with pytest.raises(KaptureError) as caught:
        await uploads.upload(offers, copies, SOME_CALL, TAB, {"paths": [str(given)], "reals": reals}, send)
    assert caught.value.code == "FILE_NOT_ALLOWED"
    assert b"secret" not in data
