"""What a person entered comes back after a restart, but nothing typed, no code and no secret unless they said so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.command.forms.kept_values import KeptValues, without_private
from tests.support.window.forms.generated import params_of
from tests.support.window.forms.samples import CATALOGUE, COMMANDS

FILL = CATALOGUE.get("fill")
SECRET = "hunter2-correct-horse"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@pytest.mark.parametrize(
    ("command", "params", "kept"),
    [
        ("click", {"selector": "#a", "clickCount": 2, "tabId": "t1"}, {"selector": "#a", "clickCount": 2}),
        ("fill", {"selector": "#card", "value": SECRET}, {"selector": "#card"}),
        ("type", {"selector": "#a", "text": SECRET}, {"selector": "#a"}),
        ("evaluate", {"code": SECRET, "timeout": 5}, {"timeout": 5}),
        ("wait", {"expression": SECRET}, {}),
        ("navigate", {"url": f"https://a.example/?token={SECRET}"}, {}),
        ("navigate", {"url": f"https://me:{SECRET}@a.example/"}, {}),
        ("navigate", {"url": "https://a.example/b?page=2"}, {"url": "https://a.example/b?page=2"}),
        ("batch", {"steps": [{"command": "fill", "params": {"value": SECRET}}]}, {}),
        ("fill_form", {"fields": [{"selector": "#a", "value": SECRET}]}, {}),
        ("click", {"selector": "a" * 20_000}, {}),
    ],
)
def test_the_last_values_are_kept_without_what_is_private(
    command: str, params: dict[str, Any], kept: dict[str, Any], path: Path
) -> None:
    KeptValues(Settings(path)).keep_last(CATALOGUE.get(command), params)
    assert KeptValues(Settings(path)).last(CATALOGUE.get(command)) == kept
    assert SECRET not in path.read_text(encoding="utf-8")


@given(st.sampled_from(COMMANDS).flatmap(lambda command: st.tuples(st.just(command), params_of(command))))
def test_nothing_typed_and_no_code_of_any_command_is_kept(call: Any) -> None:
    command, params = call
    kept = without_private(command, params)
    for name in kept:
        text = json.dumps(command.all_properties[name])
        assert '"typed"' not in text
        assert '"javascript"' not in text


def test_a_template_is_saved_renamed_replaced_and_deleted(path: Path) -> None:
    kept = KeptValues(Settings(path))
    kept.save_template(FILL, "card", {"selector": "#card", "value": SECRET}, is_whole=False)
    kept.save_template(FILL, "Also", {"selector": "#b"}, is_whole=False)
    assert list(kept.templates(FILL)) == ["Also", "card"]
    kept.rename_template(FILL, "card", "Pay")
    kept.save_template(FILL, "Also", {"selector": "#c"}, is_whole=False)
    again = KeptValues(Settings(path))
    assert again.templates(FILL) == {"Also": {"selector": "#c"}, "Pay": {"selector": "#card"}}
    again.delete_template(FILL, "Also")
    assert list(again.templates(FILL)) == ["Pay"]
    assert again.templates(CATALOGUE.get("click")) == {}


def test_a_template_holds_what_is_private_only_when_the_person_said_so(path: Path) -> None:
    kept = KeptValues(Settings(path))
    params = {"selector": "#card", "value": SECRET, "tabId": "t1"}
    kept.save_template(FILL, "card", params, is_whole=True)
    assert kept.templates(FILL)["card"] == {"selector": "#card", "value": SECRET}


@pytest.mark.parametrize("broken", [5, [], {"kapturemcp_fill": 7}, {"kapturemcp_fill": {"a": 3}}])
def test_settings_a_person_has_edited_do_no_harm(broken: Any, path: Path) -> None:
    path.write_text(json.dumps({"forms.last": broken, "forms.templates": broken}), encoding="utf-8")
    kept = KeptValues(Settings(path))
    assert isinstance(kept.last(FILL), dict)
    assert kept.templates(FILL) == {}
    kept.keep_last(FILL, {"selector": "#a"})
    assert kept.last(FILL) == {"selector": "#a"}
    kept.forget_last(FILL)
    assert kept.last(FILL) == {}
