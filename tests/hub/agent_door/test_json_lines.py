"""A line at the local door is a JSON object, or refused."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.json_lines import lines_of, object_in, until_end


def test_an_object_is_taken() -> None:
    assert object_in(b'{"role": "call"}\n') == {"role": "call"}


@pytest.mark.parametrize("line", [b"", b"hello", b"[1]", b"7", b"null", b"\xff\xfe", b"[" * 100_000])
def test_anything_else_is_refused(line: bytes) -> None:
    with pytest.raises(KaptureError, match="was due") as raised:
        object_in(line)
    assert raised.value.code == "INVALID_PARAMS"


async def test_empty_lines_say_nothing_and_the_last_needs_no_end() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(b"one\n\n  \ntwo")
    reader.feed_eof()
    assert [line async for line in lines_of(reader)] == [b"one\n", b"two"]
    await until_end(reader)
