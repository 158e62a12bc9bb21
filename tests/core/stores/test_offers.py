"""What an upload offers while it runs, in pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores import offers as module
from kapture_panel.core.stores.offers import Offers


async def test_pieces_are_read_from_where_they_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    offers = Offers()
    with offers.open([tmp_path / "a"]) as (token,):
        assert await offers.read(token, 3, 4) == b"3456"
        assert await offers.read(token, 8, 4) == b"89"
        assert await offers.read(token, 20, 4) == b""


async def test_no_piece_is_larger_than_it_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PIECE_BYTES", 3)
    (tmp_path / "a").write_bytes(b"0123456789")
    offers = Offers()
    with offers.open([tmp_path / "a"]) as (token,):
        assert await offers.read(token, 0, 10) == b"012"


async def test_only_what_is_offered_is_read_and_only_so_long(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    offers = Offers()
    with offers.open([tmp_path / "a"]) as (token,):
        with pytest.raises(KaptureError) as caught:
            await offers.read(str(tmp_path / "a"), 0, 1)
        assert caught.value.code == "FILE_NOT_ALLOWED"
        (tmp_path / "a").unlink()
        with pytest.raises(KaptureError, match="cannot be read any more") as caught:
            await offers.read(token, 0, 1)
        assert caught.value.code == "FILE_NOT_FOUND"
    with pytest.raises(KaptureError) as caught:
        await offers.read(token, 0, 1)
    assert caught.value.code == "FILE_NOT_ALLOWED"
