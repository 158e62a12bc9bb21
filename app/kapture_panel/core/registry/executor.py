"""Where the router's commands go."""

from __future__ import annotations

from typing import Protocol

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import NOTHING, DialogRule, Grant, Response


class Executor(Protocol):
    """The extension's links, as the hub holds them."""

    async def run_in_tab(
        self,
        tab: Tab,
        command: str,
        params: Params,
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
        frame_id: str = "",
        *,
        quiet: bool = False,
    ) -> Response:
        """Send to the tab's link and wait for its response; `dialogs` as `core.registry.clients.Client` has it, and
        `frame_id` is what the command is asked for by when its answer is lost. One that is `quiet` leaves what is
        told late (`Response.lateEffects`) to the next answer."""
        ...

    async def run_in_browser(
        self,
        session: str,
        command: str,
        params: Params,
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
    ) -> Response:
        """Send to the link of the session's browser and wait for its response."""
        ...

    def is_managed(self, session: str, command: str) -> bool:
        """Whether `run_in_browser` would go to a browser the panel started."""
        ...

    async def open_browser(self, session: str, *, in_front: bool = False) -> Tab:
        """Start the session's managed browser, its window over the others or not, and wait for its first tab."""
        ...

    async def open_tab(self, session: str) -> Tab:
        """Open a blank tab in the session's managed browser, which is started when it does not run."""
        ...
