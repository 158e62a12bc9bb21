"""What a person can do about an error; the messages themselves are worded for whoever sent the command, agents too."""

from __future__ import annotations

import re

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores import row_words

#: Words of agents, who take snapshots and name tabs by their ids.
_OF_AGENTS = re.compile(r"\bsnapshot\b|\btabId\b|\brefs?\b")
_COMMAND = re.compile(r"\bkapturemcp_(\w+)")
#: Of tabs their messages tell ids and commands.
_WHATS = {
    "TAB_NOT_FOUND": "No tab is chosen, or it is not there",
    "TAB_DISCONNECTED": "The tab was closed or disconnected",
}
STEPS = {
    "ELEMENT_NOT_FOUND": "Check the target, or press Pick and click the element in the page",
    "STALE_REF": "Press Pick and click the element in the page",
    "TAB_NOT_FOUND": "Choose a tab under Tabs, or start a browser",
    "TAB_DISCONNECTED": "Choose another tab under Tabs, or start a browser",
}


def of(code: str, step: str) -> str:
    """The next step of a person, who has the window; `step` is the message's own, which may be empty."""
    if code in STEPS and (not step or _OF_AGENTS.search(step)):
        return STEPS[code]
    return _COMMAND.sub(lambda found: found[1].replace("_", " ").capitalize(), step)


def words(error: KaptureError) -> str:
    """An error in sentences: what went wrong, and what the person can do about it."""
    if error.code in _WHATS:
        return f"{_WHATS[error.code]}. {STEPS[error.code]}"
    what, step = row_words.error(error.message)
    return ". ".join(filter(None, (what, _sentence(of(error.code, step)))))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
