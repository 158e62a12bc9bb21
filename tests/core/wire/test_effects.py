"""What the extension saw after an action goes on as it came, and nothing else is taken for it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel.core.wire.effects import ByPerson, Effects


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"changed": False},
        {"url": "https://a.example/", "title": "", "changed": True},
        {"newTabs": [{"tabId": "t2", "url": ""}, {"url": "chrome://x/"}]},
        {"dialogs": [{"type": "alert", "message": "Hi", "open": True}]},
        {"dialogs": [{"type": "confirm", "message": "", "accepted": False}]},
        {"downloads": [{"guid": "g1", "fileName": "a.pdf", "url": "https://a.example/a.pdf"}]},
        {"fileChooser": {"multiple": True, "folder": True, "accept": ".csv"}},
        {"fileChooser": {"refused": True}},
        {"consoleErrors": ["broken"], "requests": 3, "loadFailed": True, "reloaded": True, "changed": True},
        {"programs": [{"url": "mailto:a", "kept": False}]},
        {"changed": "unknown"},
        {
            "target": {
                "focused": [False, True],
                "value": ["", "a"],
                "checked": [False, "mixed"],
                "expanded": [None, True],
            }
        },
        {"target": {"length": [0, 8], "selected": [True, False], "pressed": ["mixed", True]}},
    ],
)
def test_effects_go_on_as_they_came(told: dict[str, Any]) -> None:
    effects = msgspec.convert(told, Effects)
    assert effects.as_json() == told
    assert list(effects.as_json()) == list(told)


@pytest.mark.parametrize(
    "told",
    [
        {"url": 7},
        {"changed": "yes"},
        {"target": {"checked": ["yes", True]}},
        {"target": {"value": ["a"]}},
        {"requests": "3"},
        {"newTabs": {}},
        {"newTabs": ["t2"]},
        {"dialogs": [{"message": "Hi"}]},
        {"downloads": [{"url": None, "bytes": "9"}]},
        {"consoleErrors": [7]},
        {"programs": [{"url": "mailto:a"}]},
    ],
)
def test_effects_of_another_form_are_none(told: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(told, Effects)


def test_two_effects_share_no_list() -> None:
    one, other = Effects(), Effects()
    one.consoleErrors.append("broken")
    assert other.as_json() == {}


def test_what_the_person_did_says_only_what_is_new() -> None:
    assert Effects(person=ByPerson(did=["click #a"])).as_json() == {"person": {"did": ["click #a"]}}
    assert Effects(person=ByPerson(changed=False)).as_json() == {"person": {"changed": False}}
