"""What the extension answers when an element was picked; its name is a hostile one."""

from __future__ import annotations

from kapture_panel.core.wire.results import Candidate, Picked, PickedElement

PICKED = Picked(
    PickedElement(role="button", name="Pay\u202e <b>now</b>", tag="button"),
    reachable=True,
    candidates=[
        Candidate("selector", "#pay", "id", matches=1, first=True),
        Candidate("xpath", '//button[normalize-space()="Pay"]', "text", matches=2, first=True),
        Candidate("selector", "button.wide", "class", matches=12, first=False),
    ],
)
