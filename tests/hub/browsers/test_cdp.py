"""What any way of speaking CDP does: the order of what is begun, and whose answer is whose."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.cdp import Cdp


class Written(Cdp):
    """Keeps what is sent."""

    def __init__(self) -> None:
        super().__init__(lambda *_event: None)
        self.sent: list[dict[str, Any]] = []
        self.is_over = False

    async def _send(self, _method: str, frame: str) -> None:
        if self.is_over:
            raise KaptureError("INTERNAL", "the browser has ended")
        self.sent.append(json.loads(frame))


async def test_what_is_begun_is_sent_in_order_and_answered_by_its_number() -> None:
    cdp = Written()
    first, second = await cdp.begin("A"), await cdp.begin("B", {"x": 1}, "S")
    assert [frame["method"] for frame in cdp.sent] == ["A", "B"]
    assert cdp.sent[1]["sessionId"] == "S"
    cdp._take({"id": cdp.sent[1]["id"], "error": {"message": "no"}})
    cdp._take({"id": cdp.sent[0]["id"], "result": {"a": 1}})
    assert await first == {"a": 1}
    with pytest.raises(KaptureError, match="B: no"):
        await second
    await asyncio.sleep(0)
    assert cdp._waiting == {}


async def test_what_cannot_be_sent_is_not_waited_for() -> None:
    cdp = Written()
    cdp.is_over = True
    with pytest.raises(KaptureError, match="has ended"):
        await cdp.call("A")
    await asyncio.sleep(0)
    assert cdp._waiting == {}
