"""An extension that keeps to what it was granted."""

from __future__ import annotations

from typing import Any

from kapture_panel.core.wire.protocol import Grant, Response
from tests.support.core.fakes import World, failed, ok


class Guarded:
    """An extension that acts only as far as it was granted; its target is a field of a document at `origin`."""

    def __init__(self, world: World, origin: str, secret: str = "") -> None:
        self.origin, self.secret = origin, secret
        self.done = 0
        self.grants: list[Grant] = []
        self._world = world
        for command in ("fill", "evaluate", "navigate"):
            world.executor.answers[command] = self._answer

    async def _answer(self, _params: dict[str, Any]) -> Response:
        grant = self._world.executor.sent[-1].grant
        self.grants.append(grant)
        if (grant.origins == "*" or self.origin in grant.origins) and (self.origin in grant.secret or not self.secret):
            self.done += 1
            return ok({})
        # As the page looks: a field of an origin that was granted for secret fields is told as any other.
        is_told = bool(self.secret) and self.origin not in grant.secret
        field = {"fieldKind": self.secret, "box": {"x": 1, "y": 2, "width": 3, "height": 4}} if is_told else {}
        return failed("NEEDS_APPROVAL", "", origin=self.origin, url=f"{self.origin}/x", title="There", **field)
