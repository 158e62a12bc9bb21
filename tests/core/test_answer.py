"""What a response comes to as an answer."""

from __future__ import annotations

from kapture_panel.core.answer import Answer
from tests.core.fakes import CATALOGUE, ok, picture


def test_all_that_a_response_says_is_in_it() -> None:
    said = {"effects": {"changed": True}, "lateEffects": {"url": "u"}, "snapshot": "- button", "dialogs": [{"a": 1}]}
    answer = Answer.of(CATALOGUE.get("click"), ok({"clicked": "<p>"}, **said), "t1")
    assert (answer.result, answer.tab_id, answer.image) == ({"clicked": "<p>"}, "t1", None)
    assert {"effects": answer.effects, "lateEffects": answer.late_effects, "snapshot": answer.snapshot,
            "dialogs": answer.dialogs} == said  # fmt: skip


def test_the_bytes_of_a_picture_stand_apart_and_the_response_keeps_its_own() -> None:
    response = picture(b"bytes")
    answer = Answer.of(CATALOGUE.get("screenshot"), response, "t1")
    assert answer.image == b"bytes"
    assert answer.result == {name: value for name, value in response.result.items() if name != "data"}
    assert "data" in response.result
