"""The elements a command meant, as the page told them to the extension; for the history alone."""

from __future__ import annotations

import msgspec


class Target(msgspec.Struct, omit_defaults=True, kw_only=True):
    """An element, as `extension/page/target_record.js` describes it.

    `selector` finds it in the whole page, None when nothing does; `through` says of each >>> in it whether it enters a
    frame or a shadow root; `alone`: nothing else of the document has this role and name; `focus`: no element was named,
    and what has the focus is meant."""

    selector: str | None = None
    through: list[str] = []  # msgspec copies it per instance
    role: str = ""
    name: str = ""
    alone: bool = False
    type: str = ""
    secret: bool = False
    focus: bool = False
