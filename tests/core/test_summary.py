"""One line that says what a command did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core import summary
from kapture_panel.core.answer import Answer
from kapture_panel.core.stores.shots import Shot
from kapture_panel.core.wire.effects import Effects
from kapture_panel.core.wire.outcome import Confirmed, Done, Outcome, Unverifiable
from tests.support.core.fakes import CATALOGUE


@pytest.mark.parametrize(
    ("seen", "line"),
    [
        ({}, "no observable effect"),
        ({"changed": False, "requests": 0, "newTabs": []}, "no observable effect"),
        ({"changed": True}, "page changed"),
        ({"changed": "unknown"}, "effect unknown"),
        ({"url": "https://a.example/thanks", "changed": True}, "navigated to /thanks"),
        ({"url": "https://a.example"}, "navigated to /"),
        ({"url": "https://a.example/s?q=tea"}, "navigated to /s?q=tea"),
        ({"changed": True, "requests": 1, "consoleErrors": 2}, "2 console errors · 1 request · page changed"),
        ({"requests": ["a", "b"]}, "2 requests"),
        ({"changed": False, "requests": 1, "pending": ["POST https://a.example/save"]}, "1 request · 1 under way"),
        (
            {"changed": False, "programs": [{"url": "mailto:amy@a.example?body=hi", "kept": True}]},
            "kept back a mailto: address for another program",
        ),
        ({"programs": [{"url": "unknown", "kept": False}]}, "handed over an address for another program"),
        ({"newTabs": [{}], "dialogs": [{}, {}], "downloads": [{}]}, "1 new tab · 2 dialogs · 1 download"),
    ],
)
def test_effects_are_told_in_words(seen: dict[str, Any], line: str) -> None:
    assert summary.effects(seen) == line


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (None, "page changed"),
        (Done(), "page changed"),
        (Confirmed(), "page changed · confirmed"),
        (Unverifiable("no look"), "page changed · unverifiable: no look"),
    ],
)
def test_an_outcome_is_said_where_the_effects_do_not(outcome: Outcome | None, line: str) -> None:
    assert summary.of(Answer(CATALOGUE.get("click"), {}, outcome, Effects(changed=True))) == line


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ({"value": 42}, "42"),
        ({"url": "https://a.example/"}, "https://a.example/"),
        ({"tabs": [{}, {}]}, "2 tabs"),
        ({"logs": [{}], "kept": 1, "dropped": 0}, "1 log"),
        ({"waited": 5, "expression": True}, "waited 5 ms, expression True"),
        ([1, 2, 3], "3 items"),
        (None, "None"),
        ("  one line  ", "one line"),
        ("first\nsecond", "first …"),
        ("x" * 500, "x" * 160 + " …"),
    ],
)
def test_a_result_is_told_in_a_line(result: Any, line: str) -> None:
    assert summary.value(result) == line


def test_half_an_address_does_not_give_its_password_away() -> None:
    address = f"{'x' * 120} https://me:{'s' * 200}@a.example/"
    assert "sss" not in summary.value(address)


def test_a_picture_is_told_by_its_size() -> None:
    shot = Shot(Path(), "a.png", "a", "t1", 0.0, 10, 640, 480)
    answer = Answer(CATALOGUE.get("screenshot"), {"format": "png"}, shot=shot)
    assert summary.of(answer) == "640 × 480 png"


def test_what_an_action_did_matters_more_than_what_it_answered() -> None:
    click = CATALOGUE.get("click")
    assert summary.of(Answer(click, {"clicked": "button"}, effects=Effects(changed=True))) == "page changed"
    assert summary.of(Answer(click, {"clicked": "button"})) == "clicked button"


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ({"value": "kanari3nvogel", "type": "string"}, "text of 13 characters"),
        ({"value": 4111111111111111}, "a number"),
        ({"value": True}, "true"),
        ({"value": None}, "null"),
        ({"value": ["a"]}, "1 item"),
        ({"value": {"a": 1, "b": 2}}, "2 fields"),
        ("text", "text of 4 characters"),
    ],
)
def test_what_code_came_to_is_told_by_its_kind(result: Any, line: str) -> None:
    assert summary.of(Answer(CATALOGUE.get("evaluate"), result)) == line
