"""`read_image`: a picture file in a form and size that a model can read."""

from __future__ import annotations

import asyncio
import io
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from kapture_panel.core.answer import Picture
from kapture_panel.core.basics import real_file
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.panel_commands.context import Context

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_BYTES = 50_000_000
#: A picture of this many pixels takes a third of a gigabyte while it is decoded.
MAX_PIXELS = 89_000_000
#: So few are read at once, in threads of their own: the greetings at both doors take a thread, too. One that was begun
#: goes on to its end, though its call may be given up.
MAX_AT_ONCE = 2
_READERS = ThreadPoolExecutor(MAX_AT_ONCE, "read_image")
#: Longest side of a picture a model reads without shrinking it, as in the extension's screenshots.
MODEL_SIDE_PX = 1568
JPEG_QUALITY = 85

#: First bytes → MIME type, for what can be shown.
_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
#: First bytes → what it is, for what cannot.
_OTHERS = {
    b"%PDF-": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "a gzip archive",
    b"BM": "a BMP picture",
    b"II*\x00": "a TIFF picture",
    b"MM\x00*": "a TIFF picture",
    b"<svg": "an SVG drawing",
    b"\x7fELF": "a program",
}
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})
#: MIME type → the decoder that may read it: no other is let near the file.
_DECODERS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/heic": "HEIF",
}


async def read_image(_context: Context, _client: Client, params: Params) -> Picture:
    """The picture in `path`, upright, its first frame, no larger than a model reads.

    Raises:
        KaptureError: `FILE_NOT_FOUND`, or `INVALID_PARAMS` for what is not a picture, damaged or too large.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_READERS, _read, Path(params["path"]), params.get("real", ""))


def _read(path: Path, looked_at: str) -> Picture:
    if not path.is_absolute():
        raise KaptureError("INVALID_PARAMS", f"{path} is not an absolute path", param="path")
    # Unlike those of Path these say no, too, of a name longer than a file system takes.
    if os.path.isdir(path):  # noqa: PTH112
        raise _refused(path, "it is a folder")
    if not os.path.isfile(path):  # noqa: PTH113
        raise KaptureError("FILE_NOT_FOUND", f"there is no file {path}")
    try:
        with os.fdopen(real_file.opened(Path(looked_at) if looked_at else path.resolve()), "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise KaptureError("FILE_NOT_ALLOWED", f"{path} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise _refused(path, f"it is larger than {MAX_BYTES // 1_000_000} MB")
    mime_type = _type_of(data)
    if mime_type not in _DECODERS:
        raise _refused(path, f"it is {mime_type}", "png, jpeg, gif, webp and heic can be read")
    try:
        return _picture(path, data, mime_type)
    except KaptureError:
        raise
    except Exception as error:  # decoders raise whatever a damaged file leads them to
        raise _refused(path, f"its {mime_type} data is damaged: {error}") from error


def _picture(path: Path, data: bytes, mime_type: str) -> Picture:
    # Imported with the first picture: Pillow and its codecs take longer than the start of the panel may.
    import PIL.Image
    import PIL.ImageOps
    import PIL.WebPImagePlugin  # else Pillow imports all its formats for it, which holds the window's thread up

    if mime_type == "image/heic":
        import pillow_heif

        pillow_heif.register_heif_opener()
    try:
        opened = PIL.Image.open(io.BytesIO(data), formats=(_DECODERS[mime_type],))
    except (PIL.Image.DecompressionBombWarning, PIL.Image.DecompressionBombError) as error:
        raise _refused(path, f"it has more than {MAX_PIXELS // 1_000_000} megapixels") from error
    with opened as source:
        if source.width * source.height > MAX_PIXELS:
            size = f"{source.width} × {source.height}"
            raise _refused(path, f"it has {size}, more than {MAX_PIXELS // 1_000_000} megapixels")
        turned = source.getexif().get(0x0112, 1) in (5, 6, 7, 8)
        original = (source.height, source.width) if turned else source.size
        # A JPEG is decoded at an eighth, a quarter or half of its size where that is enough.
        source.draft("RGB", (MODEL_SIDE_PX, MODEL_SIDE_PX))
        image = _plain(PIL.ImageOps.exif_transpose(source))
    if image.size != _within(original):
        image = image.resize(_within(original), PIL.Image.Resampling.LANCZOS, reducing_gap=3.0)
    shown, kind = _encoded(image, as_png=image.mode == "RGBA" or mime_type in ("image/png", "image/gif"))
    width, height = original
    said = f"{width} × {height}"
    if image.size != original:
        said += f" shown at {image.width} × {image.height}"
    result = {
        "text": f"Image from {path} (type: {mime_type}), {said}",
        "path": str(path),
        "type": mime_type,
        "originalWidth": width,
        "originalHeight": height,
        "width": image.width,
        "height": image.height,
        "format": kind,
    }
    return Picture(shown, result)


def _plain(image: Image) -> Image:
    """`image` as RGB, or as RGBA when parts of it are transparent."""
    if image.mode.startswith("I"):
        # Sixteen bits per pixel: a plain conversion would cut them off at white instead of scaling them.
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _within(size: tuple[int, int]) -> tuple[int, int]:
    scale = min(1.0, MODEL_SIDE_PX / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _encoded(image: Image, *, as_png: bool) -> tuple[bytes, str]:
    buffer = io.BytesIO()
    if as_png:
        image.save(buffer, "PNG")
        return buffer.getvalue(), "png"
    image.save(buffer, "JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue(), "jpeg"


def _type_of(data: bytes) -> str:
    """The MIME type of a picture, else what the bytes are in words; the file's name plays no part."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:8] == b"ftyp":
        end = min(int.from_bytes(data[:4], "big"), 256)
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, end, 4))}
        if brands & _HEIC_BRANDS:
            return "image/heic"
        return "an AVIF picture" if b"avif" in brands else "a video or another media file"
    for known in (_PICTURES, _OTHERS):
        for start, kind in known.items():
            if data.startswith(start):
                return kind
    if not data:
        return "an empty file"
    # A long text may be cut within a character.
    start = data[:4096]
    is_text = b"\0" not in start and start.decode(errors="ignore").encode() in (
        start,
        start[:-1],
        start[:-2],
        start[:-3],
    )
    return "text" if is_text else "no picture"


def _refused(path: Path, why: str, next_step: str = "") -> KaptureError:
    return KaptureError("INVALID_PARAMS", f"{path} cannot be shown: {why}", next_step, param="path")


COMMANDS = {"kapturemcp_read_image": read_image}
