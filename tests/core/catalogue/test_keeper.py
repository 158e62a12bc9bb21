"""What is kept of a command that was answered: no more than the answer allows."""

from __future__ import annotations

import hmac
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.wire.targets import Target
from tests.support.core.fakes import CATALOGUE

CANARY = "kanari3nvogel"


KEEPER = redaction.Keeper(CATALOGUE, b"k" * 32)


def test_what_was_typed_is_taken_out_of_an_errors_words() -> None:
    fill, form = CATALOGUE.get("fill"), CATALOGUE.get("fill_form")
    said = '<input id="floor"> takes a number, not "three hundred"'
    kept = KEEPER.message(fill, {"selector": "#floor", "value": "three hundred"}, said)
    assert kept == '<input id="floor"> takes a number, not ***'
    kept = KEEPER.message(form, {"fields": [{"selector": "#a", "value": "canary"}]}, "the field holds canary")
    assert kept == "the field holds ***"
    assert KEEPER.message(fill, {"value": ""}, "nothing matches") == "nothing matches"


def test_effects_are_kept_without_what_was_typed() -> None:
    given = {"selector": "#q", "value": "three hundred"}
    seen = {"url": "https://a.example/?q=three%20hundred", "dialogs": [{"message": "three hundred?"}], "requests": 2}
    kept = KEEPER.effects(CATALOGUE.get("fill"), given, seen)
    assert kept == {"url": "https://a.example/?q=***", "dialogs": [{"message": "***?"}], "requests": 2}


class TestSteps:
    """A batch is written before anything looks into its steps."""

    batch = CATALOGUE.get("batch")

    def test_a_step_is_kept_as_its_command_would_be(self) -> None:
        steps = [
            {"command": "kapturemcp_fill", "params": {"selector": "#a", "value": CANARY}},
            {"command": "fill_form", "params": {"fields": [{"ref": "e1", "value": CANARY}]}},
            {"command": "navigate", "params": {"url": f"https://me:{CANARY}@a.example/?token={CANARY}"}},
            {"command": "reload"},
        ]
        length = {"redacted": len(CANARY)}
        assert KEEPER.params(self.batch, {"steps": steps}) == {
            "steps": [
                {"command": "kapturemcp_fill", "params": {"selector": "#a", "value": length}},
                {"command": "fill_form", "params": {"fields": [{"ref": "e1", "value": length}]}},
                {"command": "navigate", "params": {"url": "https://***@a.example/?token=***"}},
                {"command": "reload"},
            ]
        }

    @pytest.mark.parametrize(
        "step",
        [
            {"command": "fill", "params": {"vlaue": CANARY}},
            {"command": "fill_from", "params": {"value": CANARY}},
            {"command": "batch", "params": {"steps": [{"command": "fill", "params": {"value": CANARY}}]}},
            {"command": "fill", "params": {"other": {"deep": [CANARY]}}},
        ],
    )
    def test_what_nothing_declares_is_kept_as_its_length(self, step: dict[str, object]) -> None:
        assert CANARY not in json.dumps(KEEPER.params(self.batch, {"steps": [step]}))

    def test_what_a_step_typed_is_taken_out_of_the_error(self) -> None:
        steps = [{"command": "fill", "params": {"selector": "#a", "value": CANARY}}, {"command": "no such"}]
        said = f'step 2 of 2 failed; done before it: 1. fill: {{"value":"{CANARY}"}}'
        assert CANARY not in KEEPER.message(self.batch, {"steps": steps}, said)


class TestAnswered:
    """What is kept once the page has said which field was meant."""

    fill, form, press, select = (CATALOGUE.get(name) for name in ("fill", "fill_form", "press_key", "select"))

    def kept(
        self,
        command: Command,
        given: dict[str, Any],
        targets: list[dict[str, Any]],
        *,
        success: bool = True,
        keeper: redaction.Keeper = KEEPER,
    ) -> dict[str, Any]:
        return keeper.answered(
            command, keeper.params(command, given), given, msgspec.convert(targets, list[Target]), success=success
        )

    def test_equal_texts_are_told_equal_by_their_fingerprints(self) -> None:
        one, again, other = (
            self.kept(self.fill, {"selector": "#a", "value": value}, [{"role": "textbox"}])["value"]
            for value in ("Ada Lovelace", "Ada Lovelace", "Ada Lovelacf")
        )
        assert one == again
        assert one["redacted"] == other["redacted"] == 12
        assert one["fingerprint"] != other["fingerprint"]
        assert redaction.is_redacted(one)

    def test_a_fingerprint_takes_the_key_of_the_instance(self) -> None:
        other = redaction.Keeper(CATALOGUE, b"l" * 32)
        given = {"selector": "#a", "value": "Ada"}
        assert self.kept(self.fill, given, [{}]) != self.kept(self.fill, given, [{}], keeper=other)

    @pytest.mark.parametrize(
        "targets", [[], [{"secret": True}], [{}, {"secret": True}], [{"focus": True, "secret": True}]]
    )
    @pytest.mark.parametrize("records", [True, False])
    def test_a_secret_or_unknown_field_leaves_the_length_alone(
        self, targets: list[dict[str, Any]], records: bool
    ) -> None:
        keeper = redaction.Keeper(CATALOGUE, b"k" * 32, lambda: records)
        calls: list[tuple[Command, dict[str, Any]]] = [
            (self.fill, {"selector": "#a", "value": CANARY}),
            (self.form, {"fields": [{"ref": "e1", "value": CANARY}]}),
            (self.select, {"selector": "#a", "labels": [CANARY]}),
            (self.press, {"key": "7"}),
        ]
        for command, params in calls:
            kept = self.kept(command, params, targets, keeper=keeper)
            assert kept == keeper.params(command, params)
            assert CANARY not in json.dumps(kept)
            assert "fingerprint" not in json.dumps(kept)

    def test_the_person_may_have_typed_text_kept(self) -> None:
        keeper = redaction.Keeper(CATALOGUE, b"k" * 32, lambda: True)
        given = {"selector": "#a", "value": "see https://a.example/?token=x"}
        kept = self.kept(self.fill, given, [{}], keeper=keeper)
        assert kept == {"selector": "#a", "value": "see https://a.example/?token=***"}

    def test_what_was_chosen_is_kept_in_words_but_in_secret_fields(self) -> None:
        assert self.kept(self.press, {"key": "j", "count": 2}, [{"focus": True}]) == {"key": "j", "count": 2}
        assert self.kept(self.press, {"key": "Shift+J"}, []) == {"key": {"redacted": 7}}
        assert self.kept(self.press, {"key": "Enter"}, []) == {"key": "Enter"}
        given = {"selector": "#a", "values": ["red", "blue"]}
        assert self.kept(self.select, given, [{"role": "listbox"}]) == given

    def test_of_a_form_each_field_speaks_for_itself(self) -> None:
        given = {"fields": [{"ref": "e1", "value": "Ada"}, {"ref": "e2", "value": CANARY}]}
        name, password = self.kept(self.form, given, [{}, {"secret": True}])["fields"]
        assert "fingerprint" in name["value"]
        assert password == {"ref": "e2", "value": {"redacted": len(CANARY)}}

    @pytest.mark.parametrize(
        ("targets", "success"), [([{}, {}, {"secret": True}], True), ([{}, {}], False), ([{}, {"secret": True}], False)]
    )
    def test_a_form_that_does_not_tell_which_was_secret_keeps_lengths(
        self, targets: list[dict[str, Any]], success: bool
    ) -> None:
        given = {"fields": [{"ref": "e1", "value": "Ada"}, {"ref": "e2", "value": CANARY}]}
        assert "fingerprint" not in json.dumps(self.kept(self.form, given, targets, success=success))


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "history.key"
    made = redaction.key(file)
    assert len(made) == 32
    assert redaction.key(file) == made
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text('"abcd"', encoding="utf-8")
    assert len(redaction.key(file)) == 32


def test_what_only_had_the_focus_is_no_element_of_the_row() -> None:
    assert redaction.elements([Target(focus=True), Target(selector="#a")]) == [Target(selector="#a")]


class TestMoreAnswered:
    """The same for values in lists and forms."""

    form, select, fill = (CATALOGUE.get(name) for name in ("fill_form", "select", "fill"))

    def kept(self, command: Command, given: dict[str, Any], targets: list[dict[str, Any]]) -> dict[str, Any]:
        return KEEPER.answered(
            command, KEEPER.params(command, given), given, msgspec.convert(targets, list[Target]), success=True
        )

    def test_a_form_without_secrets_has_all_its_fingerprints(self) -> None:
        given = {"fields": [{"ref": f"e{at}", "value": f"value {at}"} for at in range(3)]}
        for count in (3, 1):
            targets: list[dict[str, Any]] = [{}] * count
            fields = self.kept(self.form, given, targets)["fields"]
            assert [field["ref"] for field in fields] == ["e0", "e1", "e2"]
            assert all(len(field["value"]["fingerprint"]) == 16 for field in fields)

    def test_of_a_long_choice_as_much_is_kept_as_there_is(self) -> None:
        labels = [f"label {at}" for at in range(150)]
        assert self.kept(self.select, {"ref": "e1", "labels": labels}, [{}])["labels"] == labels[:100]

    def test_any_text_has_a_fingerprint(self) -> None:
        for value in ("\ud800", "ü", "日"):
            assert self.kept(self.fill, {"ref": "e1", "value": value}, [{}])["value"]["fingerprint"]

    def test_nothing_typed_has_none_and_neither_has_a_panel_without_a_key(self) -> None:
        assert self.kept(self.fill, {"ref": "e1", "value": ""}, [{}])["value"] == {"redacted": 0}
        keeper, given = redaction.Keeper(CATALOGUE), {"ref": "e1", "value": "Ada"}
        kept = keeper.answered(self.fill, keeper.params(self.fill, given), given, [Target()], success=True)
        assert kept["value"] == {"redacted": 3}

    def test_the_fingerprint_is_the_keyed_hash_of_the_text(self) -> None:
        """Written down apart from the code: rows of two versions must be told equal."""
        given = {"ref": "e1", "value": "Ada"}
        made = hmac.new(b"k" * 32, b"Ada", "sha256").hexdigest()[:16]
        assert self.kept(self.fill, given, [{}])["value"] == {"redacted": 3, "fingerprint": made}

    def test_a_default_that_was_added_later_is_kept_as_it_is(self) -> None:
        given = {"ref": "e1", "value": "Ada"}
        kept = {**KEEPER.params(self.fill, given), "timeout": 5000}
        assert KEEPER.answered(self.fill, kept, given, [Target()], success=True)["timeout"] == 5000


class TestMoreSteps:
    batch = CATALOGUE.get("batch")

    def kept(self, *steps: Any) -> Any:
        return KEEPER.params(self.batch, {"steps": list(steps)})["steps"]

    def test_of_what_nobody_knows_the_form_is_kept_and_no_text(self) -> None:
        odd = {"list": ["abc", 7, None, *range(200)], f"https://u:{CANARY}@a.example": {"deep": "four"}, "yes": True}
        (kept,) = self.kept({"command": "no such", "params": odd})
        assert kept["command"] == "no such"
        assert kept["params"]["list"][:3] == [{"redacted": 3}, 7, None]
        assert len(kept["params"]["list"]) == 100
        assert kept["params"]["https://***@a.example"] == {"deep": {"redacted": 4}}
        assert kept["params"]["yes"] is True

    def test_a_step_whose_parameters_are_none_is_kept_as_it_stands(self) -> None:
        assert self.kept({"command": "fill", "params": 7}) == [{"command": "fill", "params": 7}]
        assert self.kept({"command": "fill", "params": {"ref": "e1", "x": 4, "odd": "abc"}}) == [
            {"command": "fill", "params": {"ref": "e1", "x": 4, "odd": {"redacted": 3}}}
        ]

    def test_the_parameters_of_a_step_are_no_steps(self) -> None:
        inner = {"command": "batch", "params": {"steps": [{"command": "fill", "params": {"value": CANARY}}]}}
        assert self.kept(inner) == [
            {"command": "batch",
             "params": {"steps": [{"command": {"redacted": 4}, "params": {"value": {"redacted": len(CANARY)}}}]}}
        ]  # fmt: skip

    def test_what_any_step_typed_is_taken_out_and_an_odd_step_hides_none_after_it(self) -> None:
        steps = [
            {"command": "no such", "params": {"value": "x"}},
            {"command": "fill", "params": 7},
            {"command": "reload"},
            {"command": "fill", "params": {"ref": "e1", "value": CANARY, "odd": "o"}},
        ]
        assert KEEPER.message(self.batch, {"steps": steps}, f"it held {CANARY}") == "it held ***"


def test_what_was_typed_is_found_in_every_way_it_may_be_said() -> None:
    fill = CATALOGUE.get("fill")
    typed = 'Grüße/"x"'
    for shown in (typed, json.dumps(typed), json.dumps(typed, ensure_ascii=False), quote(typed), quote(typed, safe="")):
        assert KEEPER.message(fill, {"value": typed}, f"<{shown}>") == "<***>"
    assert KEEPER.message(fill, {"value": "abc"}, 'abc "abc"') == "abc ***"
    assert KEEPER.message(fill, {"value": "abcd"}, "abcd") == "***"
