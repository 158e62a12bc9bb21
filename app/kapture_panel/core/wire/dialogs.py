"""The JavaScript dialogs of a page, as the extension tells of them."""

from __future__ import annotations

import msgspec


class OpenDialog(msgspec.Struct, frozen=True):
    """A dialog that blocks the page: alert, confirm, prompt or beforeunload."""

    type: str
    message: str


class AnsweredDialog(msgspec.Struct, frozen=True, omit_defaults=True):
    """One that a client's rule answered; `more` were answered in the same way and are not told one by one."""

    type: str
    message: str
    accepted: bool
    more: int = 0
