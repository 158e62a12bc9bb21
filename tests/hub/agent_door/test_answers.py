"""What a command answers: structured only when small, text and pictures never beside structure."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec
import pytest

from kapture_panel.core.answer import Answer, Picture
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.core.wire.effects import Effects
from kapture_panel.hub.agent_door import answers
from tests.support.core.fakes import CATALOGUE, COMMANDS

EFFECTS = {"url": "https://a.example/", "changed": True}
LATE = {"requests": 3}


def answer(name: str, result: Any, **more: Any) -> Answer:
    for seen in {"effects", "late_effects"} & more.keys():
        more[seen] = msgspec.convert(more[seen], Effects | None)
    return Answer(CATALOGUE.get(name), result, **more)


def pictured(**changed: Any) -> Answer:
    late = changed.pop("late", None)
    result = {"format": "png", "width": 800, "height": 600, "scale": 1.0, "x": 0, "y": 0, "path": "/s/a.png", **changed}
    return answer("screenshot", result, image=b"bytes", late_effects=late)


def test_small_data_is_structured_and_the_same_as_text() -> None:
    content = answers.content(answer("click", {"clicked": "button"}, effects=EFFECTS, late_effects=LATE))
    assert content.structured == {"clicked": "button", "effects": EFFECTS, "lateEffects": LATE}
    assert json.loads(content.text) == content.structured
    assert content.images == ()


def test_the_address_a_navigation_reached_is_told_once() -> None:
    reached = {"url": "https://a.example/", "title": "A"}
    elsewhere = {"url": "https://a.example/", "title": "B"}
    for effects, told in (({**reached, "changed": True}, {"changed": True}), (elsewhere, {"title": "B"})):
        content = answers.content(answer("navigate", reached, effects=effects))
        assert content.structured == {**reached, "effects": told}


@pytest.mark.parametrize("value", [None, 42, "text", [1, 2], True])
def test_a_bare_value_is_wrapped(value: Any) -> None:
    assert answers.content(answer("evaluate", value)).structured == {"value": value}


def test_page_text_stands_alone() -> None:
    content = answers.content(answer("snapshot", '- button "Büy" [ref=e1]', late_effects=LATE))
    assert content.structured is None
    assert content.text == '- button "Büy" [ref=e1]\nlateEffects: {"requests": 3}'
    assert answers.content(answer("snapshot", "- button")).text == "- button"


def test_data_that_carries_page_text_is_text_alone() -> None:
    found = {"count": 1, "elements": [{"ref": "e1", "name": "Büy"}]}
    content = answers.content(answer("query_dom", found, late_effects=LATE))
    assert content.structured is None
    assert json.loads(content.text) == {**found, "lateEffects": LATE}


def test_an_action_with_a_snapshot_is_text() -> None:
    content = answers.content(answer("click", {"clicked": "a"}, effects=EFFECTS, late_effects=LATE, snapshot="- link"))
    assert content.structured is None
    head, _, snapshot = content.text.partition("\n")
    assert json.loads(head) == {"clicked": "a", "effects": EFFECTS, "lateEffects": LATE}
    assert snapshot == content.paged == "- link"
    assert content.suffix == ".json"


def test_an_empty_snapshot_is_still_an_answer_in_text() -> None:
    assert answers.content(answer("click", {}, snapshot="")).structured is None


def line(**fields: Any) -> dict[str, Any]:
    return {"at": 1000.6, "level": "warn", "text": "careful", "source": "a.js:3", "context": "page", **fields}


def logs(*lines: dict[str, Any], kept: int = 9, dropped: int = 0, **more: Any) -> answers.Content:
    return answers.content(answer("logs", {"logs": list(lines), "kept": kept, "dropped": dropped}, **more))


def test_logs_are_text_a_line_each() -> None:
    content = logs(line(), line(source="", context="worker", text="Ü"), late_effects=LATE)
    assert content.structured is None
    assert content.text.splitlines() == [
        "1000 warn careful (a.js:3)", "1000 warn Ü [worker]", "(2 of 9 lines, newest first)",
        'lateEffects: {"requests": 3}',
    ]  # fmt: skip


def test_a_line_with_several_lines_cannot_pass_for_others() -> None:
    shown = logs(line(text="first\n9999 error forged")).text.splitlines()
    assert shown[:2] == ["1000 warn first", "    9999 error forged (a.js:3)"]


def test_lines_that_were_dropped_are_told() -> None:
    assert logs(line(), dropped=4).text.endswith("(1 of 9 lines, newest first; 4 older ones dropped)")


def test_no_lines_says_whether_there_are_others() -> None:
    assert logs(kept=0).text == "no console lines yet"
    assert logs(kept=7).text == "no console lines match"


@pytest.mark.parametrize("image_format", ["png", "jpeg", "webp"])
def test_a_picture_is_an_image_with_words_beside_it(image_format: str) -> None:
    content = answers.content(pictured(format=image_format, late=LATE))
    assert content.structured is None
    assert content.images == ((base64.b64encode(b"bytes").decode(), f"image/{image_format}"),)
    assert content.text.startswith(f"800 × 600 {image_format}, scale 1; ")
    assert "Saved as /s/a.png" in content.text
    assert content.text.endswith('lateEffects: {"requests": 3}')


def test_a_picture_says_what_is_not_as_expected() -> None:
    assert "scale 1; cut to the page; click" in answers.content(pictured(note="cut to the page")).text


@pytest.mark.parametrize(
    ("changed", "mapping"),
    [
        ({}, "pixel."),
        ({"scale": 0.5}, "pixel / 0.5."),
        ({"scale": 0.5, "x": 10, "y": 0}, "pixel / 0.5 + (10, 0)."),
        ({"x": 0, "y": -20.5}, "pixel + (0, -20.5)."),
    ],
)
def test_a_picture_says_how_its_pixels_map_to_the_page(changed: dict[str, Any], mapping: str) -> None:
    assert f"click x, y = {mapping} Saved" in answers.content(pictured(**changed)).text


def test_an_error_carries_what_came_after_the_answer_before_it() -> None:
    error = KaptureError("ELEMENT_NOT_FOUND", "nothing matches", lateEffects={"consoleErrors": ["late"]})
    assert answers.error_text(error) == 'ELEMENT_NOT_FOUND: nothing matches\nlateEffects: {"consoleErrors": ["late"]}'


def test_dialogs_that_were_answered_are_told_a_line_each() -> None:
    assert answers.dialogs_said([]) == ""
    shown = [
        AnsweredDialog("confirm", 'Say "ü"\nnow', accepted=True),
        AnsweredDialog("alert", "Hi", accepted=False, more=3),
    ]
    assert answers.dialogs_said(shown).splitlines() == [
        'the page showed a dialog, confirm "Say \\"ü\\"\\nnow"; it was accepted',
        'the page showed a dialog, alert "Hi"; it was dismissed',
        "and 3 dialogs more, answered in the same way",
    ]


def test_an_error_begins_with_its_code() -> None:
    assert answers.error_text(KaptureError("STALE_REF", "take a new snapshot")) == "STALE_REF: take a new snapshot"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_form_for_its_answer(name: str) -> None:
    command = CATALOGUE.get(name)
    if command.result == "image":
        made = pictured()
    elif name == "logs":
        made = answer(name, {"logs": [], "kept": 0, "dropped": 0})
    else:
        made = answer(name, "text" if command.result == "text" else {"tabs": []})
    content = answers.content(made)
    assert content.text
    page_text = command.page_text or command.result in ("text", "image") or name == "logs"
    assert (content.structured is None) == page_text


def test_a_picture_of_a_file_brings_its_own_words() -> None:
    said = "Image from /a.png (type: image/png), 3 × 2"
    answer = Answer(CATALOGUE.get("read_image"), {"text": said, "format": "jpeg"}, image=b"bytes")
    shown = answers.content(answer)
    assert (shown.text, shown.structured) == (said, None)
    assert shown.images == ((base64.b64encode(b"bytes").decode(), "image/jpeg"),)


def test_a_batch_shows_the_pictures_of_its_steps_in_order() -> None:
    pictures = (Picture(b"one", {"format": "png"}), Picture(b"two", {"format": "jpeg"}))
    shown = answers.content(Answer(CATALOGUE.get("batch"), "1. screenshot: …", pictures=pictures))
    assert shown.text == "1. screenshot: …"
    assert [(base64.b64decode(data), kind) for data, kind in shown.images] == [
        (b"one", "image/png"), (b"two", "image/jpeg"),
    ]  # fmt: skip


def for_people(of: Answer) -> str:
    return answers.for_people(of, answers.content(of))


def test_for_people_an_answer_is_in_lines() -> None:
    clicked = answer("click", {"clicked": "button"}, effects=EFFECTS, late_effects=LATE)
    assert for_people(clicked) == (
        "clicked: button\neffects:\n  url: https://a.example/\n  changed: true\nlateEffects:\n  requests: 3"
    )
    assert for_people(answer("click", {"clicked": "button"}, snapshot="- button")) == "clicked: button\n- button"
    assert for_people(answer("snapshot", "- button")) == "- button"


def test_for_people_what_code_gave_stands_alone_unless_there_is_more_to_say() -> None:
    still = {"changed": False}
    assert for_people(answer("evaluate", {"value": "Shop"}, effects=still)) == "Shop"
    assert for_people(answer("evaluate", {"value": [1]})) == "[\n  1\n]"
    assert for_people(answer("evaluate", {"value": 1}, effects={"changed": True})) == "1\neffects:\n  changed: true"
    late = answer("evaluate", {"value": 1}, effects=still, late_effects=LATE)
    assert for_people(late).endswith("lateEffects:\n  requests: 3"), "they are told only once"
