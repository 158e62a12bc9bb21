"""What a command answers."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.core.wire.effects import Effects
from kapture_panel.core.wire.outcome import Outcome
from kapture_panel.core.wire.protocol import Response


@dataclass(frozen=True)
class Picture:
    """A picture that the panel has: its bytes, and what `Answer.result` says of it, its `format` for one."""

    data: bytes
    result: JsonObject


@dataclass(frozen=True)
class Steps:
    """What a panel command made of commands returns: what they answered as one text, and their pictures in order.

    `sources` are where their words come from, each once; none when all are ours.
    """

    text: str
    pictures: tuple[Picture, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass
class Answer:
    """What a command answers, before a door turns it into its own form.

    `result` is JSON; `shot` and `image` are set for pictures, `pictures` and `sources` for those of a batch; `dialogs`
    are those the client's rule answered; `ms` is the whole time in the panel.
    """

    command: Command
    result: Any = None
    outcome: Outcome | None = None
    effects: Effects | None = None
    late_effects: Effects | None = None
    snapshot: str | None = None
    dialogs: list[AnsweredDialog] = field(default_factory=list)
    tab_id: str = ""
    ms: float = 0.0
    shot: Shot | None = None
    image: bytes | None = None
    pictures: tuple[Picture, ...] = ()
    sources: tuple[str, ...] | None = None
    row_id: int = 0

    def keep_picture(self, shots: Shots, name: str, session: str, tab: Tab | None) -> None:
        """Store its picture, and say where it is.

        Args:
            shots: the store.
            name: what the caller calls it.
            session: the conversation whose own browser it shows; empty for one that is shared.
            tab: the tab it shows, None when that has gone meanwhile.

        Raises:
            OSError: it could not be stored.
        """
        picture = self.result
        self.shot = shots.add(
            self.image or b"",
            name=name,
            tab_id=self.tab_id,
            format=picture["format"],
            width=picture["width"],
            height=picture["height"],
            scale=picture["scale"],
            x=picture["x"],
            y=picture["y"],
            session=session,
            scroll_x=picture.pop("scrollX", 0.0),
            scroll_y=picture.pop("scrollY", 0.0),
            view_width=picture.pop("viewWidth", 0.0),
            view_height=picture.pop("viewHeight", 0.0),
            title=(tab.title or tab.url) if tab is not None else "",
        )
        picture["path"] = str(self.shot.path)

    @classmethod
    def of(cls, command: Command, response: Response, tab_id: str) -> Answer:
        """What the extension's response says, secrets in the addresses of pages masked; of code the whole value, and
        where it came from, as its caller gave it. A picture's bytes stand apart from what is said of it."""
        answer = cls(
            command,
            response.result if command.klass == "execute" else redaction.addresses(response.result),
            outcome=response.outcome,
            effects=masked(response.effects),
            late_effects=masked(response.lateEffects),
            snapshot=response.snapshot,
            dialogs=response.dialogs,
            tab_id=tab_id,
        )
        if command.result == "image" and isinstance(response.result, dict):
            answer.image = base64.b64decode(answer.result.pop("data"))
        return answer


def masked(seen: Effects | None) -> Effects | None:
    """Effects with the secrets in their addresses masked."""
    return msgspec.convert(redaction.addresses(seen.as_json()), Effects) if seen is not None else None
