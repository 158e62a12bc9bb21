"""What a person sees who has started the panel's browser: what it is, and how agents are stopped.

It is written into the first tab's blank page. A page of the extension could not be connected, and the first tab must
be: an agent's first `navigate` goes there. So for agents and history the tab stays `about:blank`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from kapture_panel.core.basics.free_json import JsonObject

#: The key of the emergency stop, as the page has it and as macOS does: there Qt makes Ctrl the Command key.
_CTRL, _COMMAND = "<kbd>Ctrl</kbd>", "<kbd>⌘</kbd>"
#: As `Cdp.call`.
Call = Callable[[str, JsonObject, str], Awaitable[JsonObject]]


async def show(call: Call, target: str, page: Path) -> None:
    """Write `page` into the blank page of `target`."""
    session = (await call("Target.attachToTarget", {"targetId": target, "flatten": True}, ""))["sessionId"]
    frame = (await call("Page.getFrameTree", {}, session))["frameTree"]["frame"]["id"]
    words = await asyncio.to_thread(page.read_text, "utf-8")
    if sys.platform == "darwin":
        words = words.replace(_CTRL, _COMMAND)
    await call("Page.setDocumentContent", {"frameId": frame, "html": words}, session)
    await call("Target.detachFromTarget", {"sessionId": session}, "")
