"""Rules about one command, and the folders that are open."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Rule, Rules
from kapture_panel.core.wire.protocol import Grant
from tests.support.core.policy import AGENT, PERSON, SHOP, agent, answered, case, verdict


def policy(*given: Rule, preset: str = "trusting", **options: object) -> Policy:
    rules = Rules()
    for rule in given:
        rules.put(rule)
    return Policy(preset, rules=rules, **options)  # type: ignore[arg-type]


def test_a_command_is_blocked_asked_about_or_allowed_by_itself() -> None:
    made = policy(
        Rule("block", command="click"), Rule("ask", command="hover"), Rule("allow", command="evaluate"),
        preset="careful",
    )  # fmt: skip
    said = {name: verdict(made, name) for name in ("click", "hover", "fill", "evaluate", "inject_script")}
    wanted = {"click": "block", "hover": "ask", "fill": "allow", "evaluate": "allow", "inject_script": "ask"}
    assert said == wanted
    assert verdict(made, "click", PERSON) == "allow"


@pytest.mark.parametrize("name", ["snapshot", "screenshot", "list_tabs", "batch"])
def test_looking_that_nothing_else_restricts_is_restricted_by_a_rule_for_it(name: str) -> None:
    assert verdict(policy(Rule("block", command=name)), name) == "block"
    assert verdict(policy(Rule("ask", command=name), preset="read-only"), name) == "ask"
    assert verdict(policy(Rule("block", permission="interact"), preset="read-only"), name) == "allow"


def test_of_equals_the_rule_for_the_command_counts_and_a_narrower_one_before_it() -> None:
    made = policy(Rule("block", permission="interact"), Rule("allow", command="click"))
    assert (verdict(made, "click"), verdict(made, "fill")) == ("allow", "block")
    made.rules.put(Rule("read-only", site="shop.example"))
    assert verdict(made, "click") == "block"
    made.rules.put(Rule("read-only"))
    assert [rule.site for rule in made.rules] == ["shop.example", ""], "a preset takes the place of narrower rules"


def test_that_a_command_is_allowed_opens_no_secret_field_and_no_folder(tmp_path: Path) -> None:
    made = policy(Rule("allow", command="fill"), Rule("allow", command="upload_file"), preset="careful")
    assert verdict(made, "fill") == "allow"
    assert made.decide(replace(case("fill"), secret="password")).verdict == "ask"
    assert not made.grant(case("fill")).secret
    asked = made.decide(case("upload_file", paths=[str(tmp_path / "a.pdf")]))
    assert (asked.verdict, asked.code) == ("ask", "FILE_NOT_ALLOWED")
    assert "What agents may do" in asked.way_out


def test_a_yes_to_a_command_is_about_that_command_alone() -> None:
    made = policy(Rule("ask", command="click"), Rule("ask", command="hover"))
    client = agent()
    asked = made.decide(case("click", client))
    assert asked.scopes == ("once", "session", "always")
    made.remember(answered(asked, client, "session"))
    assert (verdict(made, "click", client), verdict(made, "hover", client)) == ("allow", "ask")
    assert made.decide(replace(case("click", client), secret="password")).verdict == "ask"
    made.remember(answered(made.decide(case("hover", client)), client, "always"))
    assert Rule("allow", client.name, client.program, "shop.example", command="hover") in list(made.rules)


def test_what_is_asked_about_is_allowed_in_the_page_it_was_asked_about() -> None:
    assert policy().grant(case("click")).origins == "*"
    assert policy(Rule("ask", command="click")).grant(case("click")) == Grant([SHOP])
    assert policy(Rule("ask", command="hover")).grant(case("click")).origins == "*"


def test_rules_for_commands_and_folders_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    rules = Rules(path)
    rules.put(Rule("block", site="shop.example", command="evaluate"))
    rules.set_folders([tmp_path, tmp_path / "b", tmp_path])
    again = Rules(path)
    assert list(again) == [Rule("block", site="shop.example", command="evaluate")]
    assert again.folders == (tmp_path, tmp_path / "b")
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "folders": ["relative"]}))
    assert "rules for agents" in Rules(path).warning
    path.write_text(json.dumps({name: value for name, value in kept.items() if name != "folders"}))
    assert (len(Rules(path)), Rules(path).folders) == (1, ())


@pytest.mark.parametrize(
    "about",
    [{"decision": "careful", "command": "click"}, {"decision": "ask", "permission": "execute", "command": "evaluate"}],
)
def test_a_rule_for_a_command_is_a_verdict_about_nothing_else(about: dict[str, str]) -> None:
    with pytest.raises(KaptureError):
        Rule(**about)


def test_an_open_folder_holds_for_files_and_addresses(tmp_path: Path) -> None:
    made = Policy("trusting")
    file = tmp_path / "a.txt"
    assert verdict(made, "upload_file", AGENT, paths=[str(file)]) == "ask"
    assert verdict(made, "navigate", AGENT, url=file.as_uri()) == "block"
    made.rules.set_folders([tmp_path])
    assert verdict(made, "upload_file", AGENT, paths=[str(file)]) == "allow"
    assert verdict(made, "navigate", AGENT, url=file.as_uri()) == "allow"
    assert verdict(made, "upload_file", AGENT, paths=[str(tmp_path.parent / "b.txt")]) == "ask"
