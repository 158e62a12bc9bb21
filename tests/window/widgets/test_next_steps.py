"""What a person reads of an error is about the window, not about snapshots and refs."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import CODES, KaptureError
from kapture_panel.window.widgets import next_steps


@pytest.mark.parametrize(
    ("code", "what", "next_step", "words"),
    [
        ("ELEMENT_NOT_FOUND", 'nothing matches "#a"', 'look at a snapshot',
         'nothing matches "#a". Check the target, or press Pick and click the element in the page.'),
        ("STALE_REF", "e5 is gone", "take a snapshot and use its refs",
         "e5 is gone. Press Pick and click the element in the page."),
        ("INVALID_SELECTOR", '"#" is not a CSS selector', 'write one like #id',
         '"#" is not a CSS selector. Write one like #id.'),
        ("DIALOG_OPEN", "the page shows an alert", "answer it with kapturemcp_handle_dialog",
         "the page shows an alert. Answer it with Handle dialog."),
        ("TAB_NOT_FOUND", "no tab is named; no tab is connected: start a browser with kapturemcp_navigate", "",
         "No tab is chosen, or it is gone. Choose a tab under Tabs, or start a browser."),
        ("TAB_DISCONNECTED", "the tab 'dxavk' you used last is closed or disconnected", "no tab is connected",
         "The tab was closed or disconnected. Choose another tab under Tabs, or start a browser."),
        ("INTERNAL", "broken", "", "broken."),
        ("EXECUTION_ERROR", "nothing came back!", "", "nothing came back!"),
    ],
)  # fmt: skip
def test_the_next_step_is_one_a_person_can_take(code: str, what: str, next_step: str, words: str) -> None:
    assert next_steps.words(KaptureError(code, what, next_step)) == words


def test_every_code_with_a_step_of_its_own_is_a_code() -> None:
    assert next_steps.STEPS.keys() <= CODES.keys()
