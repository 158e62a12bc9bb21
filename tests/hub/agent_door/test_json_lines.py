"""A line at the local door is a JSON object, or refused."""

from __future__ import annotations

import asyncio
import json

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door import json_lines
from kapture_panel.hub.agent_door.json_lines import MAX_AHEAD, Ahead, lines_of, object_in


def test_an_object_is_taken() -> None:
    assert object_in(b'{"role": "call"}\n') == {"role": "call"}


@pytest.mark.parametrize("line", [b"", b"hello", b"[1]", b"7", b"null", b"\xff\xfe", b"[" * 100_000])
def test_anything_else_is_refused(line: bytes) -> None:
    with pytest.raises(KaptureError, match="was due") as raised:
        object_in(line)
    assert raised.value.code == "INVALID_PARAMS"


@pytest.mark.parametrize("text", ["a name \udcff", "\ud83d"])
def test_half_of_a_character_is_refused_and_shown_and_a_whole_one_is_taken(text: str) -> None:
    for message in ({"params": {"paths": [text]}}, {text: 1}):
        with pytest.raises(KaptureError, match="is no Unicode, at .*" + ascii(text[-1])[2:-1]) as raised:
            object_in(json.dumps(message).encode())
        assert raised.value.code == "INVALID_PARAMS"
    assert object_in(json.dumps({"text": "\U0001f600"}).encode()) == {"text": "\U0001f600"}


async def test_empty_lines_say_nothing_and_the_last_needs_no_end() -> None:
    reader = asyncio.StreamReader()
    reader.feed_data(b"one\n\n  \ntwo")
    reader.feed_eof()
    assert [line async for line in lines_of(reader)] == [b"one\n", b"two"]


async def test_lines_are_kept_while_nobody_asks_for_them_and_the_end_is_seen_before() -> None:
    reader = asyncio.StreamReader()
    ahead = Ahead(reader)
    reader.feed_data(b"one\ntwo\n")
    reader.feed_eof()
    await ahead.reading
    assert [line async for line in ahead.lines()] == [b"one\n", b"two\n"]


async def test_one_line_too_many_ends_the_reading(caplog: pytest.LogCaptureFixture) -> None:
    reader = asyncio.StreamReader()
    ahead = Ahead(reader)
    reader.feed_data(b"a\n" * (MAX_AHEAD + 1))
    with pytest.raises(KaptureError, match="more than 100 calls were sent ahead"):
        await ahead.reading
    lines = ahead.lines()
    assert [await anext(lines) for _ in range(MAX_AHEAD)] == [b"a\n"] * MAX_AHEAD
    with pytest.raises(KaptureError, match="more than 100 calls were sent ahead"):
        await anext(lines)


async def test_lines_that_are_long_together_end_the_reading_though_they_are_few(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(json_lines, "MAX_AHEAD_BYTES", 10)
    reader = asyncio.StreamReader()
    ahead = Ahead(reader)
    lines = ahead.lines()
    reader.feed_data(b"one line as long as any\n")
    assert await anext(lines) == b"one line as long as any\n"
    for _ in range(3):  # what was taken makes room
        reader.feed_data(b"1234\n5678\n")
        assert [await anext(lines) for _ in range(2)] == [b"1234\n", b"5678\n"]
    reader.feed_data(b"1234\n5678\n9\n")
    reader.feed_eof()
    with pytest.raises(KaptureError, match="calls of more than 10 bytes together were sent ahead") as caught:
        await ahead.reading
    assert caught.value.code == "INVALID_PARAMS"
    assert [await anext(lines) for _ in range(2)] == [b"1234\n", b"5678\n"]
    with pytest.raises(KaptureError, match="sent ahead"):
        await anext(lines)
