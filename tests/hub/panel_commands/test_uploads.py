"""Files as `upload_file` sends them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.panel_commands import uploads

TAB = Tab("t1", "https://a.example/", "A", "install")


async def sent(paths: list[str]) -> dict[str, Any]:
    """The parameters that would reach the extension."""
    seen: dict[str, Any] = {}

    async def send(params: dict[str, Any]) -> Response:
        seen.update(params)
        return Response(id="c1", success=True)

    await uploads.upload(TAB, {"selector": "#f", "paths": paths}, send)
    return seen


async def test_names_types_and_contents_are_sent_and_no_path(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    seen = await sent([str(tmp_path / "a.png")])
    assert seen == {
        "selector": "#f",
        "files": [{"name": "a.png", "type": "image/png", "data": base64.b64encode(b"\x89PNG").decode()}],
    }


async def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="nowhere") as error:
        await sent([str(tmp_path / "nowhere")])
    assert error.value.code == "FILE_NOT_FOUND"


async def test_a_name_longer_than_a_file_system_takes_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(KaptureError) as caught:
        await sent([str(tmp_path / ("n" * 300))])
    assert caught.value.code == "FILE_NOT_FOUND"


async def test_files_too_large_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES", 5)
    (tmp_path / "big").write_bytes(b"123456")
    with pytest.raises(KaptureError, match="too many"):
        await sent([str(tmp_path / "big")])
