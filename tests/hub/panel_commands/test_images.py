"""`read_image`: picture files as a model reads them, and what is told of everything else."""

from __future__ import annotations

import asyncio
import io
import queue
import struct
import threading
import zlib
from pathlib import Path
from typing import Any

import pillow_heif
import pytest
from PIL import Image

from kapture_panel.core.answer import Picture
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.hub.panel_commands import images
from kapture_panel.hub.panel_commands.context import Context
from tests.support.patience import PATIENCE_S

pillow_heif.register_heif_opener()


async def read(path: Path | str) -> Picture:
    context = Context(Tabs(), None, lambda _tab: None)  # type: ignore[arg-type] # it runs no other command
    return await images.read_image(context, Client("claude", "agent"), {"path": str(path)})


async def refused(path: Path | str) -> KaptureError:
    with pytest.raises(KaptureError) as raised:
        await read(path)
    return raised.value


def saved(path: Path, size: tuple[int, int] = (60, 40), mode: str = "RGB", **how: Any) -> Path:
    """A picture of one colour, its upper left quarter another one."""
    image = Image.new(mode, size, "white" if mode != "RGBA" else (0, 0, 0, 0))
    image.paste(Image.new(mode, (size[0] // 2, size[1] // 2), "red"), (0, 0))
    image.save(path, **how)
    return path


def shown(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.data))


@pytest.mark.parametrize(
    ("form", "mime_type", "kind"),
    [("PNG", "image/png", "png"), ("JPEG", "image/jpeg", "jpeg"), ("GIF", "image/gif", "png"),
     ("WEBP", "image/webp", "jpeg"), ("HEIF", "image/heic", "jpeg")],
)  # fmt: skip
async def test_a_picture_is_known_by_its_bytes_not_its_name(
    tmp_path: Path, form: str, mime_type: str, kind: str
) -> None:
    path = saved(tmp_path / "notes.txt", format=form)
    picture = await read(path)
    assert picture.result["text"] == f"Image from {path} (type: {mime_type}), 60 × 40"
    image = shown(picture)
    assert (image.format, image.size, picture.result["format"]) == (kind.upper(), (60, 40), kind)
    red, white = image.convert("RGB").getpixel((5, 5)), image.convert("RGB").getpixel((50, 35))
    assert isinstance(red, tuple)
    assert isinstance(white, tuple)
    assert red[0] > 200 > 60 > red[1]
    assert min(white) > 230


async def test_a_large_one_is_shown_as_a_model_reads_it(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", (3000, 2000))
    picture = await read(path)
    assert picture.result["text"] == f"Image from {path} (type: image/png), 3000 × 2000 shown at 1568 × 1045"
    assert shown(picture).size == (1568, 1045)
    thin = await read(saved(tmp_path / "thin.png", (8000, 2)))
    assert shown(thin).size == (1568, 1)


async def test_a_photo_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter turn clockwise
    path = saved(tmp_path / "a.jpg", (3200, 1600), format="JPEG", exif=exif)
    picture = await read(path)
    assert picture.result["text"].endswith("1600 × 3200 shown at 784 × 1568")
    image = shown(picture)
    assert image.size == (784, 1568)
    corner = image.getpixel((780, 4))  # the upper left of the stored picture
    assert isinstance(corner, tuple)
    assert corner[1] < 60
    assert not image.getexif()


async def test_transparency_stays(tmp_path: Path) -> None:
    for form in ("PNG", "WEBP"):
        image = shown(await read(saved(tmp_path / "a", mode="RGBA", format=form)))
        assert (image.format, image.mode) == ("PNG", "RGBA")
        assert image.getpixel((50, 35)) == (0, 0, 0, 0)


async def test_an_animation_shows_its_first_frame(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:], duration=50)
    assert shown(await read(tmp_path / "a.gif")).convert("RGB").getpixel((5, 5)) == (255, 0, 0)


async def test_sixteen_bits_of_grey_are_not_cut_off_at_white(tmp_path: Path) -> None:
    Image.new("I;16", (10, 10), 0x8000).save(tmp_path / "a.png")
    grey = shown(await read(tmp_path / "a.png")).convert("L").getpixel((5, 5))
    assert grey == 128


async def test_print_colours_are_shown_as_screen_colours(tmp_path: Path) -> None:
    Image.new("CMYK", (10, 10), (0, 255, 255, 0)).save(tmp_path / "a.jpg")
    assert shown(await read(tmp_path / "a.jpg")).mode == "RGB"


OTHERS = [
    (b"%PDF-1.7\n", "a PDF document"), (b"PK\x03\x04rest", "a ZIP archive"), (b"hello\n", "text"),
    ("é".encode() * 4000, "text"), (b"x" + "é".encode() * 4000, "text"), (b"", "an empty file"),
    (b"\x00\x01\x02", "no picture"), (b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf", "an AVIF picture"),
    (b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "a video"), (b"<svg xmlns=''>", "an SVG drawing"),
    (b"BM\x00\x00", "a BMP picture"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "what"), OTHERS)
async def test_what_is_no_picture_is_named(tmp_path: Path, data: bytes, what: str) -> None:
    (tmp_path / "a.png").write_bytes(data)
    error = await refused(tmp_path / "a.png")
    assert (error.code, error.param) == ("INVALID_PARAMS", "path")
    assert f"it is {what}" in error.message


async def test_a_missing_file_a_folder_and_a_relative_path(tmp_path: Path) -> None:
    assert (await refused(tmp_path / "nowhere.png")).code == "FILE_NOT_FOUND"
    assert (await refused(tmp_path / ("n" * 300))).code == "FILE_NOT_FOUND"
    assert "it is a folder" in (await refused(tmp_path)).message
    assert "absolute" in (await refused("a.png")).message


async def test_a_damaged_picture_is_told(tmp_path: Path) -> None:
    whole = saved(tmp_path / "a.png", (600, 400)).read_bytes()
    for number, data in enumerate((whole[:200], whole[:8], whole[:40] + b"\xff" * 60 + whole[100:])):
        path = tmp_path / f"{number}.png"
        path.write_bytes(data)
        error = await refused(path)
        assert error.code == "INVALID_PARAMS"
        assert "damaged" in error.message


def bomb(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(9500, 9400), (10_000, 10_000), (60_000, 60_000)])
async def test_a_picture_that_would_fill_the_memory_is_not_decoded(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "a.png").write_bytes(bomb(*size))
    error = await refused(tmp_path / "a.png")
    assert (error.code, "more than 89 megapixels" in error.message) == ("INVALID_PARAMS", True)


async def test_a_file_too_large_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "MAX_BYTES", 50)
    assert "larger than" in (await refused(saved(tmp_path / "a.png"))).message


async def test_few_are_read_at_once_and_one_given_up_counts_until_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, under_way = threading.Event(), queue.SimpleQueue[Path]()
    reads = images._read

    def slowly(path: Path, looked_at: str) -> Picture:
        under_way.put(path)
        assert may_go_on.wait(PATIENCE_S)
        return reads(path, looked_at)

    monkeypatch.setattr(images, "_read", slowly)
    file = saved(tmp_path / "a.png")
    calls = [tasks.spawn(read(file), "read") for _ in range(images.MAX_AT_ONCE + 2)]
    for _ in range(images.MAX_AT_ONCE):
        await asyncio.to_thread(under_way.get, timeout=PATIENCE_S)
    await tasks.end(calls.pop(0))
    await asyncio.to_thread(int)  # other threads are free
    assert under_way.empty()
    may_go_on.set()
    assert {shown(await call).size for call in calls} == {(60, 40)}
