"""What a command is told that was not answered in time; also when the panel itself was stopped meanwhile."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from kapture_panel.core import deadlines
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.deadlines import within
from kapture_panel.core.wire.protocol import Response

ANSWER = Response(id="c1", success=True)


def call(*, acts: bool) -> Any:
    return SimpleNamespace(acts=acts, command=SimpleNamespace(short_name="click"))


@pytest.mark.parametrize(("acts", "code"), [(False, "COMMAND_TIMEOUT"), (True, "OUTCOME_UNKNOWN")])
async def test_what_was_not_answered_may_have_been_done_if_it_acts(acts: bool, code: str) -> None:
    silent: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
    with pytest.raises(KaptureError, match="click did not answer within 1 ms") as caught:
        await within(silent, call(acts=acts), 1, 0.0)
    assert caught.value.code == code
    assert silent.cancelled()


async def test_an_answer_that_is_read_after_the_panel_was_stopped_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "AWAKE_S", 0.3)
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Response] = loop.create_future()
    running = tasks.spawn(within(answer, call(acts=True), 1, 0.0), "within")
    await asyncio.sleep(0)  # it has begun
    time.sleep(0.5)  # noqa: ASYNC251 # nothing of this process runs meanwhile

    def read(turns: int) -> None:
        if turns:
            loop.call_soon(read, turns - 1)
        else:
            answer.set_result(ANSWER)

    read(4)  # from its socket, some turns after the deadline is seen to be over
    assert await running is ANSWER
