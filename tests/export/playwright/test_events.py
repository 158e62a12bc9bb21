"""What a step leads to beside the page: waited for by the script, and checked."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.free_json import JsonObject
from tests.support.core.fakes import row
from tests.support.core.playwright import body


def test_what_a_step_leads_to_is_waited_for_and_checked() -> None:
    download = {"downloads": [{"guid": "g", "fileName": "data.csv"}]}
    assert body(row("click", state="ok", params={"selector": "a"}, effects=download)) == [
        "with page.expect_download() as download1:", '    page.locator("css=a").first.click()',
        'assert download1.value.suggested_filename == "data.csv"',
    ]  # fmt: skip
    numbered = {"downloads": [{"guid": "g", "fileName": "data-2026.csv"}]}
    last = body(row("click", state="ok", params={"selector": "a"}, effects=numbered))[-1]
    assert last == 'assert download1.value.suggested_filename.endswith(".csv")'


def test_dialogs_that_a_rule_answered_are_answered_again() -> None:
    one = {"type": "alert", "message": "Order 7", "accepted": True}
    assert body(row("click", state="ok", params={"selector": "a"}, effects={"dialogs": [one]})) == [
        'page.once("dialog", lambda dialog: dialog.accept())',
        'with page.expect_event("dialog") as dialog1:', '    page.locator("css=a").first.click()',
        'assert dialog1.value.type == "alert"',
    ]  # fmt: skip
    two = [one, {"type": "confirm", "message": "Sure?", "accepted": False}]
    assert body(row("click", state="ok", params={"selector": "a"}, effects={"dialogs": two})) == [
        "answer_dialogs(page, True, False)", 'page.locator("css=a").first.click()',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("effects", "awaited"),
    [
        ({"dialogs": [{"type": "alert", "accepted": True}]}, 'page.expect_event("dialog", timeout=60000) as dialog1'),
        ({"downloads": [{"fileName": "a.txt"}]}, "page.expect_download(timeout=60000) as download1"),
        ({"newTabs": [{"tabId": "t2", "url": ""}]}, "page.expect_popup(timeout=60000) as popup2"),
        ({"fileChooser": {}}, "page.expect_file_chooser(timeout=60000) as chooser1"),
    ],
)
def test_what_comes_of_a_call_is_waited_for_as_long_as_that(effects: JsonObject, awaited: str) -> None:
    clicked = row("click", state="ok", params={"selector": "a", "timeout": 60_000}, effects=effects)
    assert f"with {awaited}:" in body(clicked)
