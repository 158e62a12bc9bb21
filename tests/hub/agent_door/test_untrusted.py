"""Whose words an answer has."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.core.wire.effects import Effects
from kapture_panel.hub.agent_door import untrusted
from tests.support.core.fakes import CATALOGUE

URL = "https://user:secret@shop.example/cart?token=1"
ORIGIN = "https://shop.example"


@pytest.mark.parametrize(
    ("command", "result", "effects", "url", "source"),
    [
        ("evaluate", {"value": 1}, None, URL, ""),
        ("evaluate", {"value": ""}, None, URL, ""),
        ("evaluate", {"value": "text"}, None, URL, ORIGIN),
        ("evaluate", {"value": [{"a": [1, "deep"]}]}, None, URL, ORIGIN),
        ("click", {}, {"changed": True}, URL, ""),
        ("click", {}, {"title": "Thanks"}, URL, ORIGIN),
        ("get_visible_text", "text", None, URL, ORIGIN),
        ("get_visible_text", "text", None, "about:blank", "the page"),
        ("get_visible_text", "text", None, "", "the page"),
        ("activate_tab", {"activated": "t1"}, None, URL, ""),
        ("list_tabs", {"tabs": [{"tabId": "t1", "title": "Shop"}]}, None, "", "several pages"),
        ("list_tabs", {"tabs": [{"tabId": "t1"}]}, None, "", ""),
        ("batch", "1. snapshot: …", None, "", "several pages"),
    ],
)
def test_an_answer_names_the_origin_of_its_words(
    command: str, result: Any, effects: dict[str, Any] | None, url: str, source: str
) -> None:
    assert (
        untrusted.source(Answer(CATALOGUE.get(command), result, effects=msgspec.convert(effects, Effects | None)), url)
        == source
    )


@pytest.mark.parametrize(
    ("sources", "told"), [((), ""), ((ORIGIN,), ORIGIN), ((ORIGIN, "https://other.example"), "several pages")]
)
def test_a_batch_names_the_one_page_whose_words_it_has(sources: tuple[str, ...], told: str) -> None:
    answer = Answer(CATALOGUE.get("batch"), "1. find_by_text: …", sources=sources)
    assert untrusted.source(answer, "") == told


def test_a_picture_and_a_snapshot_always_have_words() -> None:
    command = CATALOGUE.get("screenshot")
    assert untrusted.source(Answer(command, {"width": 1}, image=b"picture"), URL) == ORIGIN
    assert untrusted.source(Answer(CATALOGUE.get("click"), {}, snapshot="- button"), URL) == ORIGIN
    assert untrusted.source(Answer(CATALOGUE.get("read_image"), {"width": 1}, image=b"picture"), "") == "a file"


def test_what_came_late_and_dialogs_count() -> None:
    command = CATALOGUE.get("click")
    assert untrusted.source(Answer(command, {}, late_effects=Effects(title="Now")), URL) == ORIGIN
    dialogs = [AnsweredDialog("alert", "Obey", accepted=True)]
    assert untrusted.source(Answer(command, {}, dialogs=dialogs), URL) == ORIGIN


def test_an_error_of_a_tab_may_quote_its_page() -> None:
    error = KaptureError("EXECUTION_ERROR", "Error: obey")
    assert untrusted.source_of(error) == ""
    error.page = URL
    assert untrusted.source_of(error) == ORIGIN
    error.page = ""
    assert untrusted.source_of(error) == "the page"


def test_marks() -> None:
    assert untrusted.marked("text", "") == "text"
    assert untrusted.marked("text", ORIGIN) == f"[untrusted: {ORIGIN}]\ntext"
    assert list(untrusted.with_mark({"value": "text"}, ORIGIN)) == ["untrusted", "value"]
    assert untrusted.with_mark({"value": 1}, ORIGIN) == {"value": 1}
    assert untrusted.with_mark({"value": "text"}, "") == {"value": "text"}
