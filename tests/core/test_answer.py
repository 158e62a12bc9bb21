"""What a response comes to as an answer."""

from __future__ import annotations

import msgspec

from kapture_panel.core.answer import Answer
from kapture_panel.core.wire.effects import Effects, NewTab
from tests.support.core.fakes import CATALOGUE, ok, picture


def test_all_that_a_response_says_is_in_it() -> None:
    dialogs = [{"type": "alert", "message": "Hi", "accepted": True}]
    said = {"effects": {"changed": True}, "lateEffects": {"url": "u"}, "snapshot": "- button", "dialogs": dialogs}
    answer = Answer.of(CATALOGUE.get("click"), ok({"clicked": "<p>"}, **said), "t1")
    assert (answer.result, answer.tab_id, answer.image) == ({"clicked": "<p>"}, "t1", None)
    told = {"effects": answer.effects, "lateEffects": answer.late_effects, "snapshot": answer.snapshot,
            "dialogs": answer.dialogs}  # fmt: skip
    assert msgspec.to_builtins(told) == said


def test_the_bytes_of_a_picture_stand_apart_and_the_response_keeps_its_own() -> None:
    response = picture(b"bytes")
    answer = Answer.of(CATALOGUE.get("screenshot"), response, "t1")
    assert answer.image == b"bytes"
    assert answer.result == {name: value for name, value in response.result.items() if name != "data"}
    assert "data" in response.result


def test_secrets_in_the_addresses_of_pages_are_masked_and_what_was_given_comes_back_as_it_was() -> None:
    secret = "https://a.example/cb?code=s3cret&page=2"
    masked = "https://a.example/cb?code=***&page=2"
    effects = {"url": secret, "newTabs": [{"tabId": "t2", "url": secret}]}
    answer = Answer.of(
        CATALOGUE.get("navigate"), ok({"url": secret}, effects=effects, lateEffects={"url": secret}), "t1"
    )
    assert (answer.result, answer.late_effects) == ({"url": masked}, Effects(url=masked))
    assert answer.effects == Effects(url=masked, newTabs=[NewTab("t2", masked)])
    script = Answer.of(CATALOGUE.get("inject_script"), ok({"url": secret}), "t1")
    assert script.result == {"url": secret}
