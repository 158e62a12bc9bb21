"""Pictures for videos, and videos as somebody sees them who plays them."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import av
from PIL import Image

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.wire.watching import LivePicture


def jpeg(colour: str, size: tuple[int, int] = (320, 200)) -> bytes:
    """A page of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "JPEG")
    return file.getvalue()


def picture(colour: str, number: int = 1) -> LivePicture:
    """The same as a tab sends it."""
    return LivePicture(number=number, data=base64.b64encode(jpeg(colour)).decode(), width=320, height=200)


def frames(path: Path | str) -> list[tuple[float, Image.Image]]:
    """Each picture of a video with its time in seconds; a file that cannot be played raises."""
    with av.open(str(path)) as video:
        return [(float(frame.time or 0), _image(frame)) for frame in video.decode(video=0)]


def colours(path: Path | str) -> list[str]:
    """What the pictures of a video have in the middle: red, green or blue."""
    found = []
    for _at, image in frames(path):
        red, green, blue = image.getpixel((image.width // 2, image.height // 2))  # type: ignore[misc]
        found.append("red" if red > max(green, blue) else "green" if green > blue else "blue")
    return found


def length_s(path: Path | str) -> float:
    """How long it is, as the file says."""
    with av.open(str(path)) as video:
        return (video.duration or 0) / 1e6


def _image(frame: av.VideoFrame) -> Image.Image:
    return frame.to_image().convert("RGB")  # type: ignore[no-any-return, no-untyped-call]


class FakePictures:
    """Gives the pictures a test gives; `asked` are the tabs that are recorded now, `acknowledged` what was taken in."""

    def __init__(self) -> None:
        self.recorded: Signal[str, LivePicture] = Signal()
        self.asked: dict[str, tuple[int, int]] = {}
        self.acknowledged: list[int] = []

    def record(self, tab_id: str, width: int, height: int) -> None:
        self.asked[tab_id] = (width, height)

    def record_no_more(self, tab_id: str) -> None:
        self.asked.pop(tab_id, None)

    def taken(self, tab_id: str, number: int) -> None:
        self.acknowledged.append(number)
