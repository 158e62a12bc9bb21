"""The person's rules: which one counts, and how they are kept."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Preset, Rule, Rules, preset_for
from kapture_panel.core.registry.clients import Client

CLAUDE = Client("claude", "agent", program="/usr/bin/claude")
OTHER = Client("claude", "agent", program="/tmp/claude")
BOUND = {"client": "claude", "program": "/usr/bin/claude"}
SHOP = {"site": "shop.example"}


def rules(*given: Rule) -> Rules:
    made = Rules()
    for rule in given:
        made.put(rule)
    return made


def test_the_narrower_rule_counts_in_whatever_order_they_came() -> None:
    """Client and site before client before site."""
    narrow, client, site, any_ = (
        Rule("read-only", **BOUND, **SHOP), Rule("careful", **BOUND), Rule("trusting", **SHOP), Rule("careful"),
    )  # fmt: skip
    for order in permutations((narrow, client, site, any_)):
        kept = rules(*order)
        assert kept.find(CLAUDE, "shop.example", "interact") == narrow
        assert kept.find(CLAUDE, "bank.example", "interact") == client
        assert kept.find(OTHER, "shop.example", "interact") == site
        assert kept.find(OTHER, "bank.example", "interact") == any_
    assert list(rules(any_, site, client, narrow)) == [narrow, client, site, any_]
    assert rules().find(CLAUDE, "shop.example", "read") is None


def test_of_rules_for_a_command_the_narrower_counts_too() -> None:
    wide, narrow = Rule("block", **BOUND, command="click"), Rule("allow", **BOUND, **SHOP, command="click")
    for order in permutations((wide, narrow, Rule("ask", command="click"))):
        kept = rules(*order)
        assert kept.find_for_command(CLAUDE, "shop.example", "click") == narrow
        assert kept.find_for_command(CLAUDE, "bank.example", "click") == wide
        assert kept.find_for_command(CLAUDE, "shop.example", "fill") is None


def test_of_equals_the_one_for_the_matter_counts_and_a_wider_preset_does_not_undo_it() -> None:
    execute = Rule("allow", **BOUND, **SHOP, permission="execute")
    kept = rules(Rule("careful", **BOUND, **SHOP), execute)
    assert kept.find(CLAUDE, "shop.example", "execute") == execute
    assert kept.find(CLAUDE, "shop.example", "navigate") == Rule("careful", **BOUND, **SHOP)
    kept.put(Rule("read-only", **BOUND))
    assert kept.find(CLAUDE, "shop.example", "execute") == execute


def test_the_preset_of_a_site_is_that_of_the_rule_that_counts_there() -> None:
    kept = rules(Rule("read-only", **BOUND, **SHOP), Rule("careful", **BOUND))
    assert kept.preset_of(CLAUDE, "shop.example") == "read-only"
    assert kept.preset_of(CLAUDE, "bank.example") == "careful"
    assert kept.preset_of(OTHER, "shop.example") is None


def test_a_preset_takes_the_place_of_all_that_was_said_of_the_same() -> None:
    kept = rules(Rule("allow", **BOUND, **SHOP, permission="execute"), Rule("allow", **SHOP, permission="secret"))
    kept.put(Rule("read-only", **BOUND, **SHOP))
    assert set(kept) == {Rule("read-only", **BOUND, **SHOP), Rule("allow", **SHOP, permission="secret")}
    kept.put(Rule("trusting", **SHOP), instead_of=Rule("read-only", **BOUND, **SHOP))
    assert set(kept) == {Rule("trusting", **SHOP)}


def test_a_rule_for_an_agent_is_for_its_name_together_with_its_program() -> None:
    assert Rule("careful", **BOUND).is_about(CLAUDE)
    assert not Rule("careful", **BOUND).is_about(OTHER)
    assert not Rule("careful", **BOUND).is_about(Client("codex", "agent", program="/usr/bin/claude"))
    for alone in ({"client": "claude"}, {"program": "/usr/bin/claude"}):
        with pytest.raises(KaptureError, match="its name and its program") as refused:
            Rule("careful", **alone)
        assert refused.value.code == "INVALID_PARAMS"


@pytest.mark.parametrize("wrong", [{"decision": "allow"}, {"decision": "careful", "permission": "execute"},
                                   {"decision": "ask", "permission": "cooking"}, {"decision": ""}])  # fmt: skip
def test_what_is_no_rule_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(KaptureError, match=f"{wrong.get('permission', 'everything')!r} is not a rule") as refused:
        Rule(**wrong)
    assert refused.value.code == "INVALID_PARAMS"


def test_whether_a_client_is_the_same_everywhere() -> None:
    assert not rules(Rule("careful", **BOUND)).depends_on_site(CLAUDE)
    assert rules(Rule("careful", **BOUND, **SHOP)).depends_on_site(CLAUDE)
    assert not rules(Rule("careful", **BOUND, **SHOP)).depends_on_site(OTHER)
    assert rules(Rule("careful", **SHOP)).depends_on_site(OTHER)
    assert rules(Rule("careful"), Rule("careful", **SHOP)).depends_on_site(OTHER)


def test_rules_and_defaults_outlive_the_panel_in_a_file_of_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    kept, news = Rules(path), []
    kept.changed.connect(lambda: news.append(len(kept)))
    kept.put(Rule("allow", **BOUND, **SHOP, permission="secret"))
    kept.set_default("own", "read-only")
    assert path.stat().st_mode & 0o777 == 0o600
    # As files of earlier panels have it.
    assert [rule["matter"] for rule in json.loads(path.read_text())["rules"]] == ["secret"]
    again = Rules(path)
    assert list(again) == list(kept)
    assert (again.default("own"), again.default("managed"), again.warning) == ("read-only", None, "")
    again.remove(next(iter(again)))
    again.remove(Rule("careful"))
    assert (len(Rules(path)), news) == (0, [1, 1])


@pytest.mark.parametrize(
    "kept",
    ["{", "[]", {}, {"defaults": {}, "rules": [{}]}, {"defaults": {"own": "reckless"}, "rules": []},
     {"defaults": {"theirs": "careful"}, "rules": []}, {"defaults": {}, "rules": [{"decision": "allow"}]},
     {"defaults": {}, "rules": [{"decision": "careful", "more": 1}]}, {"defaults": [], "rules": 7}],
    ids=str,
)  # fmt: skip
def test_a_damaged_file_is_moved_aside_and_told(tmp_path: Path, kept: object) -> None:
    path = tmp_path / "policy.json"
    path.write_text(kept if isinstance(kept, str) else json.dumps(kept))
    made = Rules(path)
    assert (len(made), made.default("own")) == (0, None)
    assert "policy.damaged.json" in made.warning
    made.put(Rule("careful"))
    assert list(Rules(path)) == [Rule("careful")]


def test_what_cannot_be_written_down_does_not_hold(tmp_path: Path) -> None:
    kept = Rules(tmp_path / "gone" / "policy.json")
    with pytest.raises(OSError, match="gone"):
        kept.put(Rule("trusting"))
    with pytest.raises(OSError, match="gone"):
        kept.set_default("own", "trusting")
    assert (len(kept), kept.default("own")) == (0, None)


def test_one_rule_is_removed_and_the_others_stay() -> None:
    execute, shop = Rule("block", permission="execute"), Rule("read-only", **SHOP)
    kept = rules(execute, shop)
    kept.remove(shop)
    assert list(kept) == [execute]


def test_a_rate_the_person_chose_outlives_the_panel(tmp_path: Path) -> None:
    Rules(tmp_path / "policy.json").set_rate(Rate(7, 9))
    assert Rules(tmp_path / "policy.json").rate == Rate(7, 9)
    assert Rules().rate == Rate()


def test_rules_in_memory_have_nothing_to_warn_of() -> None:
    assert Rules().warning == ""


def test_the_defaults_of_both_kinds_of_browser_are_kept(tmp_path: Path) -> None:
    kept = Rules(tmp_path / "policy.json")
    kept.set_default("own", "trusting")
    kept.set_default("managed", "careful")
    again = Rules(tmp_path / "policy.json")
    assert (again.default("own"), again.default("managed"), again.warning) == ("trusting", "careful", "")


@pytest.mark.parametrize(
    ("usual", "said", "holds"),
    [
        ("trusting", "", "careful"),
        ("careful", "", "careful"),
        ("read-only", "", "read-only"),
        ("careful", "trusting", "trusting"),
        ("trusting", "read-only", "read-only"),
    ],
)
def test_on_another_machine_careful_holds_unless_the_person_said_otherwise(
    usual: Preset, said: str, holds: Preset
) -> None:
    client = Client("a", "agent")
    assert preset_for(client, usual) == usual
    client.isolate(place="night", place_policy=said)
    assert preset_for(client, usual) == holds


def test_a_site_in_the_file_is_meant_as_a_browser_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    Rules(path).put(Rule("careful", site="shop.example"))
    kept = json.loads(path.read_text())
    kept["rules"] = [{**kept["rules"][0], "site": site} for site in ("münchen.example", "https://bank.example:443/")]
    path.write_text(json.dumps(kept))
    assert {rule.site for rule in Rules(path)} == {"xn--mnchen-3ya.example", "bank.example"}
