"""A second pair of eyes: reads the page over raw CDP, past the extension, the wire and the router."""

from __future__ import annotations

from typing import Any

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.cdp import Cdp


class Witness:
    """Looks at pages of a browser of ours.

    Args:
        pipe: raw CDP with that browser.
        site: the start of the addresses it looks at.
    """

    def __init__(self, pipe: Cdp, site: str) -> None:
        self._pipe = pipe
        self._site = site
        self._sessions: dict[str, str] = {}

    async def see(self, expression: str, page: str = "") -> Any:
        """The value of a JavaScript expression in the page of the site whose address contains `page`.

        Raises:
            KaptureError: there is no such page, or the browser has ended.
        """
        reply = await self._pipe.call(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True},
            session=await self.session(page),
        )
        return reply["result"].get("value")

    async def session(self, page: str = "") -> str:
        """The CDP session on a page, made when it is first looked at.

        It is kept for the witness's life: a detaching session would take the extension's emulation with it.
        """
        targets = (await self._pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
        pages = [target for target in targets if target["url"].startswith(self._site) and page in target["url"]]
        if not pages:
            raise KaptureError(
                "TAB_NOT_FOUND", f"no page {page!r} of the site", f"open are {[t['url'] for t in targets]}"
            )
        found = pages[0]["targetId"]
        if found not in self._sessions:
            attached = await self._pipe.call("Target.attachToTarget", {"targetId": found, "flatten": True})
            self._sessions[found] = attached["sessionId"]
        return self._sessions[found]
