"""A browser that the panel starts and ends, on this machine or another one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Protocol

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire import handshake
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.browsers.downloads import Downloads
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard


class Browser(Protocol):
    """One run of a browser. Its extension connects by itself once `start` is over.

    `pairing` is what that proves itself with. `gone` is set once the browser is no more, and `died` then says, unless
    we ended it, what became of it. `downloads` knows its files, and `guard` is between the person's keyboard and its
    windows, None where they cannot meet. Whoever makes it gives it `on_ended`, which is called once.
    """

    pairing: Pairing
    downloads: Downloads
    gone: asyncio.Event
    died: str
    guard: KeyboardGuard | None

    async def start(self) -> None:
        """Have it run, with our extension and its key. A failed start leaves nothing behind.

        Raises:
            KaptureError: why there is none.
        """

    async def end(self) -> None:
        """End it and wait until it is gone."""

    async def caught_up(self) -> None:
        """Wait until all that it has told so far is known here, or it is gone."""


class MakeBrowser(Protocol):
    """What makes browsers."""

    def __call__(self, session: str, port: int, on_ended: Callable[[], None], *, in_front: bool) -> Browser:
        """The browser of a session, not yet started.

        Args:
            session: "" is the one that conversations share.
            port: our own listener's.
            on_ended: called once when it is gone.
            in_front: a person asked for its window.

        Raises:
            KaptureError: `INVALID_PARAMS`, the place it was to come from is not there any more.
        """


def new_pairing(session: str = "", place: str = "") -> Pairing:
    """A fresh identity for one run of a browser of ours."""
    install = f"managed-{handshake.new_secret()[:12]}"
    return Pairing(install=install, key=handshake.new_secret(), managed=True, session=session, place=place)


def handed_over(pairing: Pairing, port: int, viewport: tuple[int, int] | None, *, carried: bool = False) -> str:
    """What its worker evaluates to have its key, and the panel's port (`Config` of `extension/browser/panel_link.js`).

    Args:
        viewport: the size every tab gets, in CSS pixels; None leaves them the window's.
        carried: its links go over CDP.
    """
    config = {
        "install": pairing.install,
        "key": pairing.key,
        "port": port,
        "managed": pairing.managed,
        "viewport": _metrics(viewport) if viewport else None,
        **({"carried": True} if carried else {}),
    }
    return f"chrome.storage.session.set({json.dumps({'config': config})})"


def _metrics(size: tuple[int, int]) -> JsonObject:
    """A viewport as CDP's setDeviceMetricsOverride takes it."""
    return {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
