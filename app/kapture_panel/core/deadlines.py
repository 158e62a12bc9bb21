"""Ends what the extension does not answer in time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.wire.protocol import Response

#: Stopped until after its deadline (a laptop that slept), the panel has not read yet what came: it gets so long to.
AWAKE_S = 0.5


async def within(work: Awaitable[Response], call: Call, timeout_ms: int, grace_s: float) -> Response:
    """What a command that was sent is answered with; the extension has a grace to tell of its own time-out.

    Raises:
        KaptureError: `COMMAND_TIMEOUT` for what only looks, `OUTCOME_UNKNOWN` for what may have been done.
    """
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + timeout_ms / 1000 + grace_s
    limit = asyncio.timeout(None)

    def end() -> None:
        now = loop.time()
        limit.reschedule(now + AWAKE_S if now - ends_at > AWAKE_S else now)

    timer = loop.call_at(ends_at, end)
    try:
        async with limit:
            return await work
    except TimeoutError:
        call.is_given_up = True
        if call.acts:
            what = f"{call.command.short_name} did not answer within {timeout_ms} ms, and may have been done"
            raise KaptureError("OUTCOME_UNKNOWN", what, "look at the page before trying again") from None
        advice = "the tab may be busy: try a longer timeout or reload the tab"
        raise timed_out(call.command, timeout_ms, advice) from None
    finally:
        timer.cancel()


def timed_out(command: Command, timeout_ms: int, advice: str) -> KaptureError:
    """A command did not answer in time, and that is all there is to say."""
    return KaptureError("COMMAND_TIMEOUT", f"{command.short_name} did not answer within {timeout_ms} ms", advice)
