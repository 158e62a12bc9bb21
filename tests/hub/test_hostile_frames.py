"""Frames of somebody who means harm, before and after the proof: nothing breaks, and others do not notice."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire import protocol
from kapture_panel.hub.agent_door import json_lines
from tests.support.hub.hostile import FIELDS, TYPES, Malice, Stage, greet, registered, say_each

#: Of each sort; `make soak` says ten thousand.
GREETINGS = 10
FRAMES = 40
#: So many at a time: one that is shown out takes the rest of its burst with it.
BURST = 5


@pytest.fixture
async def stage(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Stage]:
    """Whatever is said on it, the panel has nothing to report and the good tab is as it was."""
    caplog.set_level(logging.ERROR)
    made = Stage(tmp_path / "data")
    await made.start()
    yield made
    await made.ask_the_good_tab()
    assert made.hub.state.tabs.get("good1").url == "https://shop.example/"
    await made.end()
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize("sort", ["noise", "cut", "odd", "deep", "events", "long"])
async def test_hostile_frames_before_the_proof_do_no_harm(stage: Stage, sort: str) -> None:
    malice = Malice(seed=20261121)
    make = {one.__name__.strip("_"): one for one in (*malice.sorts, malice.long)}[sort]
    for _ in range(GREETINGS):
        await greet(stage, make())


@pytest.mark.parametrize("role", ["tab", "browser"])
async def test_hostile_frames_after_the_proof_do_no_harm(stage: Stage, role: str) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # shown when it fails: then `Malice(seed)` makes the same frames
    malice = Malice(seed)
    frames = [make() for make in malice.sorts for _ in range(FRAMES)]
    malice.shuffle(frames)
    assert await say_each(stage, frames, role, BURST) > 0
    stage.hub.core.router.gates.pause.lift()  # a browser's link may ask for it


@pytest.mark.parametrize(("depth", "is_read"), [(protocol.MAX_DEPTH, True), (protocol.MAX_DEPTH + 1, False)])
async def test_a_frame_is_read_to_a_bounded_depth(stage: Stage, depth: int, is_read: bool) -> None:
    hostile = await registered(stage)
    inner = depth - 1  # the frame itself is the first
    await hostile.send('{"type":"response","id":"c1","success":true,"result":' + "[" * inner + "]" * inner + "}")
    await hostile.send({"type": "ping"})
    if is_read:
        assert (await hostile.next())["type"] == "pong"
    else:
        assert await hostile.until_closed() == (1002, f"a frame of the extension is nested deeper than {depth - 1}")
    await hostile.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), inner),
    max_leaves=20,
)


def read(make: Callable[[], Any]) -> Any:
    """What was read, or the code of the refusal."""
    try:
        return make()
    except KaptureError as error:
        return error.code


@given(frame=st.text() | st.binary() | JSON.map(json.dumps), type_=st.sampled_from(TYPES), more=JSON)
def test_a_frame_is_a_message_or_refused_whatever_it_holds(frame: str | bytes, type_: str, more: Any) -> None:
    fields = more if isinstance(more, dict) else {"result": more}
    for one in (frame, json.dumps({**fields, "type": type_})):
        found = read(partial(protocol.decode, one))
        assert found == "INVALID_PARAMS" or isinstance(found, msgspec.Struct)


@given(st.text().map(str.encode) | st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_a_line_at_the_agents_door_is_an_object_or_refused_whatever_it_holds(line: bytes) -> None:
    found = read(partial(json_lines.object_in, line))
    assert found == "INVALID_PARAMS" or isinstance(found, dict)
