"""Write pictures into a WebM file; started by `hub.videos.encoder`, in a process of its own.

Standard input: for each picture its time in ms since the beginning and its length in bytes, four bytes each, then the
JPEG. One of length 0 ends the video at that time; so does the end of the input, should the panel be gone. After each a
JSON line: `{"bytes": …}` of the file so far, or `{"error": why}` and nothing more.
Arguments: the file, which is there and empty; width and height in pixels, both even.
"""

from __future__ import annotations

import io
import json
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

HEAD = struct.Struct("<II")
#: Text stays sharp at this, and a page that moves all the time has about 15 MB a minute.
BITS_PER_S = 2_000_000
#: The fastest that libvpx has: the machine is needed for what is recorded. The last tells it that this is a screen.
OPTIONS = {"deadline": "realtime", "cpu-used": "8", "screen-content-mode": "1"}


class Video:
    """A WebM file that grows by a picture at a time.

    Args:
        file: where it is written.
        width: of the video in pixels, as long as it lasts; a picture of another shape has bars beside it.
        height: the same.
    """

    def __init__(self, file: IO[bytes], width: int, height: int) -> None:
        import av

        self._av = av
        self._size = (width, height)
        # A cluster a second: what a process that is killed leaves behind can be played up to there.
        self._container = av.open(file, "w", format="webm", options={"cluster_time_limit": "1000"})
        self._stream = self._container.add_stream("libvpx", rate=30, options=OPTIONS)
        self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuv420p"
        self._stream.bit_rate = BITS_PER_S
        self._stream.time_base = self._stream.codec_context.time_base = Fraction(1, 1000)
        self._last: Image | None = None
        self._at_ms = -1

    def add(self, at_ms: int, jpeg: bytes) -> None:
        """Show a picture from `at_ms` on."""
        import PIL.Image
        import PIL.ImageOps

        with PIL.Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as picture:
            self._last = picture.convert("RGB")
        if self._last.size != self._size:
            self._last = PIL.ImageOps.pad(self._last, self._size, PIL.Image.Resampling.BILINEAR)
        self._show(at_ms)

    def end(self, at_ms: int) -> None:
        """Show the last picture until then, and close the file."""
        if self._last is not None:
            self._show(at_ms)
            self._container.mux(self._stream.encode(None))
        self._container.close()

    def _show(self, at_ms: int) -> None:
        assert self._last is not None
        frame = self._av.VideoFrame.from_image(self._last)  # type: ignore[no-untyped-call]
        # No two at the same time: the file would be refused.
        frame.pts = self._at_ms = max(at_ms, self._at_ms + 1)
        frame.time_base = Fraction(1, 1000)
        self._container.mux(self._stream.encode(frame))


def pictures(source: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Times and pictures as they come; the end of the input ends them at the time of the last."""
    at_ms = 0
    while len(head := source.read(HEAD.size)) == HEAD.size:
        at_ms, length = HEAD.unpack(head)
        jpeg = source.read(length)
        if not length or len(jpeg) < length:
            break
        yield at_ms, jpeg
    yield at_ms, b""


def main(arguments: list[str]) -> None:
    """Serve until the video has ended."""

    def say(value: object) -> None:
        with suppress(BrokenPipeError):  # the panel is gone, and the video still has an end
            print(json.dumps(value), flush=True)

    if hasattr(os, "nice"):
        os.nice(5)  # what is recorded goes first
    path, width, height = arguments
    try:
        with open(path, "wb") as file:  # noqa: PTH123 – the panel made it, readable for its owner alone
            video = Video(file, int(width), int(height))
            for at_ms, jpeg in pictures(sys.stdin.buffer):
                if jpeg:
                    video.add(at_ms, jpeg)
                    say({"bytes": file.tell()})
                else:
                    video.end(at_ms)
        say({"bytes": os.stat(path).st_size})  # noqa: PTH116
    except Exception as error:  # whatever it is, the panel says it
        say({"error": f"{type(error).__name__}: {error}"})
        raise


if __name__ == "__main__":
    main(sys.argv[1:])
