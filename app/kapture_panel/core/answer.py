"""What a command answers."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.stores.shots import Shot
from kapture_panel.core.wire.protocol import Response


@dataclass
class Answer:
    """What a command answers, before a door turns it into its own form.

    `result` is JSON; `shot` and `image` are set for pictures; `dialogs` are those the client's rule answered; `ms` is
    the whole time in the panel.
    """

    command: Command
    result: Any = None
    effects: dict[str, Any] | None = None
    late_effects: dict[str, Any] | None = None
    snapshot: str | None = None
    dialogs: list[dict[str, Any]] = field(default_factory=list)
    tab_id: str = ""
    ms: float = 0.0
    shot: Shot | None = None
    image: bytes | None = None
    row_id: int = 0

    @classmethod
    def of(cls, command: Command, response: Response, tab_id: str) -> Answer:
        """What the extension's response says, secrets in the addresses of pages masked; of code the whole value, and
        where it came from, as its caller gave it. A picture's bytes stand apart from what is said of it."""
        answer = cls(
            command,
            response.result if command.klass == "execute" else redaction.addresses(response.result),
            effects=redaction.addresses(response.effects),
            late_effects=redaction.addresses(response.lateEffects),
            snapshot=response.snapshot,
            dialogs=response.dialogs,
            tab_id=tab_id,
        )
        if command.result == "image" and isinstance(response.result, dict):
            answer.image = base64.b64decode(answer.result.pop("data"))
        return answer


@dataclass(frozen=True)
class Picture:
    """What a panel command returns to answer with an image: its bytes, and what `Answer.result` says of it."""

    data: bytes
    result: dict[str, Any]
