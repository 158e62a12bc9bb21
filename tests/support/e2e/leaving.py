"""Looks into a page that may be on its way to another one, as a tab is that has just opened."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from kapture_panel.core.basics.errors import KaptureError

#: Chrome's words for what was asked of a page that was left before it answered.
_LEFT = ("context was destroyed", "navigated or closed")


async def unless_left(look: Awaitable[Any]) -> Any:
    """What a look comes to; None when its page was left meanwhile, so that it is to be looked at again."""
    try:
        return await look
    except KaptureError as error:
        if not any(words in error.message for words in _LEFT):
            raise
        return None
