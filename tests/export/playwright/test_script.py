"""A script for Playwright: what opens tabs, answers dialogs and asks for what was not kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from kapture_panel.core.wire.targets import Target
from kapture_panel.export.playwright.script import script
from tests.support.core.fakes import CATALOGUE, row
from tests.support.core.playwright import TWIN, body, done


def test_a_dialog_is_answered_before_what_opens_it() -> None:
    seen = {"dialogs": [{"type": "confirm", "message": "Sure?", "open": True}]}
    opening = row("click", state="ok", effects=seen, params={"selector": "#ask"})
    assert body(opening, done("handle_dialog", accept=False)) == [
        'page.once("dialog", lambda dialog: dialog.dismiss())',
        'with page.expect_event("dialog") as dialog1:', '    page.locator("css=#ask").first.click()',
        'assert dialog1.value.type == "confirm"', 'assert dialog1.value.message == "Sure?"',
    ]  # fmt: skip


def test_a_new_tab_is_a_page_of_its_own() -> None:
    popup = row("click", state="ok", params={"selector": "a"}, effects={"newTabs": [{"tabId": "t2", "url": ""}]})
    assert body(popup, row("reload", state="ok", tab_id="t2")) == [
        "with page.expect_popup() as popup2:", '    page.locator("css=a").first.click()', "page2 = popup2.value",
        "page2.reload()",
    ]  # fmt: skip


def test_what_was_not_kept_is_asked_for() -> None:
    rows = [
        done("fill", [replace(TWIN, name="E-mail 100%")], selector="#m", value={"redacted": 9}),
        done("fill", [replace(TWIN, name="Password", secret=True)], selector="#p", value={"redacted": 5}),
    ]
    text = script(rows, Path("nowhere"), CATALOGUE)
    assert "def run(page: Page, e_mail_100: str, password: str) -> None:" in text
    assert 'parser.add_argument("--e_mail_100", required=True, help="E-mail 100%% (9 characters' in text
    assert 'options.password or getpass.getpass("Password: ")' in text


def test_it_says_what_is_in_it_and_what_is_not() -> None:
    clicked = row("click", state="ok", params={"selector": "#a"})
    text = script([clicked], Path("nowhere"), CATALOGUE)
    # That the page is opened first was no step when it was recorded.
    assert text.startswith('"""Recorded by Kapture Panel: 1 step, each with')
    assert "\nWhat a person did in the page with mouse and keyboard is not in it.\n" in text
    assert "What was typed" not in text
    typed = done("fill", [TWIN], selector="#m", value={"redacted": 9})
    text = script([clicked, typed], Path("nowhere"), CATALOGUE)
    assert text.startswith('"""Recorded by Kapture Panel: 2 steps, each with')
    assert "\nWhat was typed was not kept, either: each text is an option (--help).\n" in text


CHOOSER = {"fileChooser": {"multiple": True, "accept": ".txt"}}


def test_what_opens_a_file_chooser_waits_for_it_and_its_files_come_in_the_same_or_a_later_step() -> None:
    pressed = row("upload_file", state="ok", params={"selector": "#add", "paths": ["/a"]}, effects=CHOOSER)
    clicked = row("click", state="ok", params={"selector": "#open"}, effects=CHOOSER)
    assert body(pressed, clicked, done("reload"), done("upload_file", paths=["/b"])) == [
        "with page.expect_file_chooser() as chooser1:", '    page.locator("css=#add").first.click()',
        'chooser1.value.set_files(["/a"])',
        "with page.expect_file_chooser() as chooser2:", '    page.locator("css=#open").first.click()',
        "page.reload()", 'chooser2.value.set_files(["/b"])',
    ]  # fmt: skip


def test_a_chooser_for_a_person_alone_is_none_for_the_script() -> None:
    clicked = row("click", state="ok", params={"selector": "#open"}, effects={"fileChooser": {"refused": True}})
    assert body(clicked) == ['page.locator("css=#open").first.click()']


def test_a_script_that_drops_files_brings_what_that_takes() -> None:
    rows = [done("new_tab"), done("upload_file", [Target(selector="#zone")], selector="#zone", paths=["/a"])]
    text = script(rows, Path("nowhere"), CATALOGUE)
    assert (
        "import argparse\nimport base64\nfrom pathlib import Path\n\nfrom playwright.sync_api import Locator, Page"
        in text
    )
    assert "\n\n\ndef drop_files(target: Locator, paths: list[str]) -> None:" in text
    plain = script([done("new_tab")], Path("nowhere"), CATALOGUE)
    assert "import argparse\n\nfrom playwright.sync_api import Page, sync_playwright\n\n\ndef run(" in plain


@pytest.mark.parametrize(
    ("outcome", "said"),
    [("no_effect", "had no effect"), ("unverifiable", "could not be seen"), ("done", ""), ("confirmed", "")],
)
def test_a_step_that_did_nothing_to_be_seen_says_so(outcome: str, said: str) -> None:
    made = script([row("click", params={"selector": "#a"}, state="ok", outcome=outcome)], Path("nowhere"), CATALOGUE)
    assert ("# When it was recorded" in made) is bool(said)
    assert said in made
