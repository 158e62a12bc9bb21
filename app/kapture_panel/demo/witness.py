"""A second pair of eyes: reads the page over raw CDP, past the extension, the wire and the router."""

from __future__ import annotations

from typing import Any

from kapture_panel.core.errors import KaptureError
from kapture_panel.hub.cdp_pipe import CdpPipe


class Witness:
    """Looks at pages of the managed browser.

    Args:
        pipe: the browser's pipe.
        site: the start of the addresses it looks at.
    """

    def __init__(self, pipe: CdpPipe, site: str) -> None:
        self._pipe = pipe
        self._site = site
        self._sessions: dict[str, str] = {}

    async def see(self, expression: str, page: str = "") -> Any:
        """The value of a JavaScript expression in the page of the site whose address contains `page`.

        Raises:
            KaptureError: there is no such page, or the expression failed.
        """
        targets = (await self._pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
        pages = [target for target in targets if target["type"] == "page" and target["url"].startswith(self._site)]
        found = next((target["targetId"] for target in pages if page in target["url"]), None)
        if found is None:
            raise KaptureError("TAB_NOT_FOUND", f"no page {page!r} of the site; open are {[t['url'] for t in targets]}")
        if found not in self._sessions:
            # Kept for the witness's life: a detaching session would take the extension's emulation with it.
            attached = await self._pipe.call("Target.attachToTarget", {"targetId": found, "flatten": True})
            self._sessions[found] = attached["sessionId"]
        reply = await self._pipe.call(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True},
            session=self._sessions[found],
        )
        return reply["result"].get("value")
