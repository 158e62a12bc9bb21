"""What a person can do about an error; an error's own next step is worded for whoever sent the command, agents too."""

from __future__ import annotations

from kapture_panel.core.basics.errors import KaptureError

#: Of tabs their messages tell ids and commands.
_WHATS = {
    "TAB_NOT_FOUND": "No tab is chosen, or it is gone",
    "TAB_DISCONNECTED": "The tab was closed or disconnected",
}
#: Of these the next step is about snapshots, refs or commands: a person, who has the window, takes another.
STEPS = {
    "ELEMENT_NOT_FOUND": "Check the target, or press Pick and click the element in the page",
    "STALE_REF": "Press Pick and click the element in the page",
    "TAB_NOT_FOUND": "Choose a tab under Tabs, or start a browser",
    "TAB_DISCONNECTED": "Choose another tab under Tabs, or start a browser",
    "DIALOG_OPEN": "Answer it with Handle dialog",
    "PAUSED": "Resume the agents, then it can be tried again",
}


def of(code: str, step: str) -> str:
    """The next step of a person; `step` is the error's own, which may be empty."""
    return STEPS.get(code, step)


def words(error: KaptureError) -> str:
    """An error in sentences: what went wrong, and what the person can do about it."""
    what = _WHATS.get(error.code, error.what)
    said = ". ".join(filter(None, (what, _sentence(of(error.code, error.next_step)))))
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
