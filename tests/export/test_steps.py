"""Rows become steps that can be done again, or say why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target
from kapture_panel.export.steps import Plan, plan, why_not_again
from tests.support.core.fakes import CATALOGUE, row

BUY = Target(selector="#buy", role="button", name="Buy", alone=True)


def field(name: str, type: str = "text", *, secret: bool = False) -> Target:
    return Target(selector=f"#{name}", role="textbox", name=name, type=type, secret=secret)


def ok(command: str, **fields: Any) -> Row:
    return row(command, state="ok", **fields)


def planned(rows: Sequence[Row]) -> Plan:
    return plan(rows, CATALOGUE)


def commands(*rows: Row) -> list[str]:
    return [step.command for step in planned(rows).steps]


def test_every_command_that_only_reads_is_left_out_and_no_other() -> None:
    reads = {one.short_name for one in CATALOGUE if one.klass == "read"} - {"wait", "screenshot"}
    assert {one.short_name for one in CATALOGUE if why_not_again(one)} == reads | {"read_image", "connect_tab"}


def test_a_command_of_an_older_panel_is_left_out() -> None:
    assert [item.why for item in planned([ok("gone_since")]).left_out] == ["there is no such command any more"]


def test_a_ref_becomes_the_selector_that_was_kept() -> None:
    drag = ok("drag", params={"ref": "e1", "toRef": "e2"}, targets=[BUY, field("goal")])
    form = ok(
        "fill_form",
        params={"fields": [{"ref": "e3", "value": {"redacted": 3}}, {"selector": "#own", "value": {"redacted": 0}}]},
        targets=[field("Street"), field("own")],
    )
    made = planned([ok("click", params={"ref": "e1", "snapshot": "diff", "tabId": "t1"}, targets=[BUY]), drag, form])
    assert [step.params for step in made.steps[1:]] == [
        {"selector": "#buy"},
        {"selector": "#buy", "toSelector": "#goal"},
        {"fields": [{"value": {"parameter": "street"}, "selector": "#Street"}, {"selector": "#own", "value": ""}]},
    ]


def test_an_element_that_was_not_kept_cannot_be_found_again() -> None:
    made = planned([ok("click", params={"ref": "e1"}), ok("click", params={"ref": "e1"}, targets=[Target()])])
    assert [item.why for item in made.left_out] == ["the history does not say which element was meant"] * 2


def test_what_was_not_kept_becomes_a_parameter() -> None:
    made = planned(
        [
            ok("fill", params={"selector": "#a", "value": {"redacted": 5}}, targets=[field("E-Mail Adreße")]),
            ok("fill", params={"selector": "#b", "value": {"redacted": 6}}, targets=[field("Email", secret=True)]),
            ok("fill", params={"selector": "#b", "value": {"redacted": 6}}, targets=[field("Email")]),
            ok("type", params={"text": {"redacted": 2}}),
            ok("type", params={"text": {"redacted": 2}}, targets=[field("2nd class")]),
            ok("type", params={"text": {"redacted": 2}}, targets=[field("日本")]),
            ok("navigate", params={"url": "https://a.example/?token=***"}),
            ok("evaluate", params={"code": "x" * 1999 + "…"}),
        ]
    )
    assert [(one.name, one.length, one.secret) for one in made.parameters] == [
        ("e_mail_adree", 5, False), ("email", 6, True), ("email_2", 6, False), ("text", 2, False),
        ("value_2nd_class", 2, False), ("text_2", 2, False), ("url", None, False), ("code", None, False),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["class", "page", "page2", "dialog", "headless", "import"])
def test_a_parameter_has_no_name_that_a_script_needs(name: str) -> None:
    made = planned([ok("type", params={"text": {"redacted": 2}}, targets=[field(name)])])
    assert made.parameters[0].name == f"{name}_2"


def test_a_tick_is_known_by_its_length() -> None:
    box = field("terms", type="checkbox")
    made = planned(
        [ok("fill", params={"selector": "#t", "value": {"redacted": length}}, targets=[box]) for length in (4, 5)]
    )
    assert [step.params["value"] for step in made.steps[1:]] == ["true", "false"]
    assert made.parameters == []


def test_a_tab_that_was_there_before_is_opened_where_it_was() -> None:
    made = planned([ok("click", params={"selector": "#a"}, url="https://a.example/x")])
    assert [(step.command, step.params, step.tab, step.opens) for step in made.steps] == [
        ("new_tab", {"url": "https://a.example/x"}, "", "tab1"),
        ("click", {"selector": "#a"}, "tab1", ""),
    ]


def test_tabs_are_told_apart() -> None:
    made = planned(
        [
            ok("new_tab", params={"url": "https://a.example/"}, tab_id="t1"),
            ok("click", params={"selector": "a"}, tab_id="t1", effects={"newTabs": [{"tabId": "t2", "url": "b"}]}),
            ok("reload", tab_id="t2"),
            ok("new_tab", params={}, tab_id=""),
            ok("reload", tab_id="t3"),
        ]
    )
    assert [(step.command, step.tab, step.opens) for step in made.steps] == [
        ("new_tab", "", "tab1"), ("click", "tab1", "tab2"), ("reload", "tab2", ""), ("new_tab", "", "tab3"),
        ("reload", "tab3", ""),
    ]  # fmt: skip


def test_what_failed_is_not_done_again_but_for_what_opened_a_dialog() -> None:
    dialog = row("click", state="error", code="DIALOG_OPEN", params={"selector": "#ask"})
    assert commands(row("click", state="error", code="STALE_REF"), row("click", state="unknown")) == []
    assert commands(dialog) == []
    answered = planned([dialog, row("snapshot", state="error"), ok("handle_dialog", params={"accept": True})])
    wanted = [("new_tab", False), ("click", True), ("handle_dialog", False)]
    assert [(step.command, step.dialog) for step in answered.steps] == wanted


def test_an_action_that_says_which_dialog_it_opened_is_answered_by_what_follows() -> None:
    seen = {"dialogs": [{"type": "confirm", "message": "Sure?", "open": True}]}
    click = ok("click", params={"selector": "#ask"}, effects=seen)
    answer = ok("handle_dialog", params={"accept": True}, effects=seen)
    made = planned([click, answer, ok("handle_dialog", params={"accept": False})])
    assert [(step.command, step.dialog) for step in made.steps[1:]] == [
        ("click", True), ("handle_dialog", False), ("handle_dialog", False),
    ]  # fmt: skip
    assert [step.dialog for step in planned([click, ok("snapshot")]).steps] == [False, False]


def test_an_address_relative_to_a_page_is_made_whole() -> None:
    made = planned([ok("navigate", params={"url": "/cart?x=1"}, url="https://a.example/shop/")])
    assert made.steps[-1].params == {"url": "https://a.example/cart?x=1"}


def test_what_is_no_address_stays_as_it_is() -> None:
    made = planned([ok("navigate", params={"url": "//["}, url="https://a.example/shop/")])
    assert made.steps[-1].params == {"url": "//["}


def test_damaged_rows_are_left_out() -> None:
    assert commands(ok("click", params={"damaged": "?"})) == []
