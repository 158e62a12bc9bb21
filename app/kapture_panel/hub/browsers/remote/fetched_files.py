"""What a browser elsewhere downloads, fetched into the conversation's folder here."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
from pathlib import Path

from kapture_panel.core.basics import private_file, tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.hub.browsers.cdp import Cdp
from kapture_panel.hub.browsers.downloads import Downloads

log = logging.getLogger(__name__)

#: A larger file stays where it is.
MAX_BYTES = 100 * 1024 * 1024
_PIECE_BYTES = 512 * 1024
#: Gives a piece of the field's file as base64, and an empty text at its end.
_READ = """async function (start, size) {
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(this.files[0].slice(start, start + size));
  });
  return url.slice(url.indexOf(",") + 1);
}"""


class FetchedFiles(Downloads):
    """The same as `Downloads`, of a browser whose files nobody here can open: a page that no one sees reads them.

    Args:
        folder: where the files go here.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._cdp: Cdp | None = None
        self._fetching: set[asyncio.Task[None]] = set()

    async def follow(self, cdp: Cdp, profile: str) -> None:
        """Hear of downloads; they arrive in the browser's own folder, which goes with its session, where that is known.

        Raises:
            KaptureError: `INTERNAL`, it does not tell.
        """
        self._cdp = cdp
        named: JsonObject = {"behavior": "default", "eventsEnabled": True}
        if profile:
            named = {"behavior": "allowAndName", "downloadPath": f"{profile}/kapture-downloads", "eventsEnabled": True}
        await cdp.call("Browser.setDownloadBehavior", named)

    async def close(self) -> None:
        """Fetch no more."""
        for fetching in tuple(self._fetching):
            await tasks.end(fetching)

    def on_event(self, method: str, params: JsonObject) -> None:
        """Take an event of CDP's Browser domain: a file that is whole there is whole here once it is fetched."""
        path = str(params.get("filePath") or "")
        if method != "Browser.downloadProgress" or params.get("state") != "completed" or self._cdp is None:
            super().on_event(method, params)
            return
        fetching = tasks.spawn(self._fetch(self._cdp, params, path), "fetch a download")
        self._fetching.add(fetching)
        fetching.add_done_callback(self._fetching.discard)

    async def _fetch(self, cdp: Cdp, params: JsonObject, path: str) -> None:
        told = {name: value for name, value in params.items() if name != "filePath"}
        try:
            if not path:
                raise KaptureError("INTERNAL", "the browser does not say where the file is")
            if params["receivedBytes"] > MAX_BYTES:
                raise KaptureError("INTERNAL", f"more than {MAX_BYTES // 1024 // 1024} MiB are not fetched")
            here = self.arriving / Path(str(params["guid"])).name
            await self._copy(cdp, path, here)
            told["filePath"] = str(here)
        except (KaptureError, OSError) as error:
            log.warning("a download stays at the other machine: %s", error)
            self.leave(params["guid"], f"stays on the other machine: {error}")
        super().on_event("Browser.downloadProgress", told)

    async def _copy(self, cdp: Cdp, path: str, here: Path) -> None:
        """Read a file there into one here, through the file field of a page that is in no tab.

        Raises:
            KaptureError: it cannot be read there.
            OSError: it cannot be written here.
        """
        page = (await cdp.call("Target.createTarget", {"url": "about:blank", "hidden": True}))["targetId"]
        try:
            session = (await cdp.call("Target.attachToTarget", {"targetId": page, "flatten": True}))["sessionId"]
            made = {"expression": "Object.assign(document.createElement('input'), { type: 'file' })"}
            field = (await cdp.call("Runtime.evaluate", made, session))["result"]["objectId"]
            await cdp.call("DOM.setFileInputFiles", {"objectId": field, "files": [path]}, session)
            with os.fdopen(private_file.emptied(here), "wb") as file:
                while data := await self._piece(cdp, session, field, file.tell()):
                    if file.tell() + len(data) > MAX_BYTES:
                        raise KaptureError("INTERNAL", "it grows while it is read")
                    file.write(data)
        finally:
            await cdp.call("Target.closeTarget", {"targetId": page})

    @staticmethod
    async def _piece(cdp: Cdp, session: str, field: str, start: int) -> bytes:
        asked = {
            "objectId": field,
            "functionDeclaration": _READ,
            "arguments": [{"value": start}, {"value": _PIECE_BYTES}],
            "awaitPromise": True,
            "returnByValue": True,
        }
        reply = await cdp.call("Runtime.callFunctionOn", asked, session)
        if "exceptionDetails" in reply:
            raise KaptureError("INTERNAL", f"it cannot be read there: {json.dumps(reply['exceptionDetails'])[:200]}")
        return base64.b64decode(str(reply["result"].get("value", "")))
