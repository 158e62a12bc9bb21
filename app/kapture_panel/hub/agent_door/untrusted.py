"""Says which words of an answer are a page's: content for an agent to read, never orders to follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject

if TYPE_CHECKING:  # the terminal's program needs the words alone
    from kapture_panel.core.answer import Answer

#: In JSON the mark stands under this name.
KEY = "untrusted"
#: Every tool result with words of a page has it in its `_meta`, also those of profiles with answers of another form.
META = "kapture-panel/untrusted"
_A_PAGE = "the page"
#: Texts under these names are ours.
_OURS = frozenset(
    {
        "tabId",
        "path",
        "state",
        "driver",
        "holder",
        "connectedAt",
        "browser",
        "format",
        "activated",
        "closed",
        "outcome",
        "reason",
    }
)


def source(answer: Answer, url: str) -> str:
    """Where the texts of an answer come from: an origin, or in words; empty when they are all ours.

    Args:
        answer: of any command.
        url: where its tab is now; empty without one.
    """
    seen = [effects.as_json() for effects in (answer.effects, answer.late_effects) if effects is not None]
    told = (answer.result, seen, [dialog.type for dialog in answer.dialogs])
    if answer.image is None and answer.snapshot is None and not any(map(_speaks, told)):
        return ""
    if answer.sources is not None and len(answer.sources) < 2:
        return "".join(answer.sources)
    return answer.command.source or _named(url)


def source_of(error: KaptureError) -> str:
    """The same for an error: one that came from a tab may quote its page."""
    return "" if error.page is None else _named(error.page)


def line(source: str) -> str:
    """The mark of a text, a line above or below it."""
    return f"[untrusted: {source}]"


def marked(text: str, source: str) -> str:
    """A text with its mark, or as it is."""
    return f"{line(source)}\n{text}" if source else text


def with_mark(value: JsonObject, source: str) -> JsonObject:
    """A JSON object with its mark before all else, or as it is when no words of others are in it."""
    return {KEY: source, **value} if source and _speaks(value) else value


def _named(url: str) -> str:
    origin = addresses.origin_of(url)
    return origin if addresses.site_of(origin) else _A_PAGE


def _speaks(value: Any) -> bool:
    if isinstance(value, str):
        return value != ""
    if isinstance(value, dict):
        return any(_speaks(inner) for name, inner in value.items() if name not in _OURS)
    return isinstance(value, list) and any(map(_speaks, value))
