"""What a client may do: presets by class and their sharper cases, addresses and files that are not open to agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.policy import TABLE, Case, Decision, Policy
from kapture_panel.core.gates.rules import PRESETS, Preset, Rule, Rules
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.protocol import EVERYTHING, Grant
from tests.support.core.fakes import CATALOGUE, COMMANDS, call_of
from tests.support.core.policy import AGENT, BANK, PERSON, SHOP, TERMINAL, agent, answered, case, verdict

#: The table of TRUST.
SPECIFIED = {
    "trusting": {"read": "allow", "interact": "allow", "navigate": "allow", "execute": "allow", "file": "allow"},
    "careful": {"read": "allow", "interact": "allow", "navigate": "allow", "execute": "ask", "file": "ask"},
    "read-only": {"read": "allow", "interact": "block", "navigate": "block", "execute": "block", "file": "block"},
}


def test_the_table_is_the_specified_one() -> None:
    assert TABLE == SPECIFIED
    assert tuple(TABLE) == PRESETS


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_command_follows_its_class(tmp_path: Path, preset: Preset, name: str) -> None:
    policy = Policy(preset, allow_dirs=(Path("/"),))
    for client in (AGENT, TERMINAL):
        assert verdict(policy, name, client) == SPECIFIED[preset][CATALOGUE.get(name).klass]
    assert policy.decide(case(name, PERSON)) == Decision("allow")


def test_a_persons_own_browser_has_a_preset_of_its_own() -> None:
    policy = Policy("trusting", own_preset="read-only")
    assert verdict(policy, "click") == "allow"
    assert verdict(policy, "click", is_managed=False) == "block"
    assert verdict(Policy("trusting"), "evaluate", is_managed=False) == "ask"


def test_a_refusal_names_the_policy_the_class_and_the_flag() -> None:
    policy = Policy("read-only", own_preset="read-only")
    for is_managed, flag in ((True, "--policy"), (False, "--own-policy")):
        said = policy.decide(case("click", is_managed=is_managed))
        assert (said.reason, said.way_out) == (
            "the policy 'read-only' does not allow click (interact)",
            f"a person can start the panel with {flag} trusting",
        )


def test_waiting_for_an_expression_runs_code() -> None:
    assert verdict(Policy("read-only"), "wait", time=1) == "allow"
    assert verdict(Policy("read-only"), "wait", expression="fetch('/buy')") == "block"
    assert verdict(Policy("careful"), "wait", expression="fetch('/buy')") == "ask"
    assert verdict(Policy("trusting"), "wait", expression="done") == "allow"


def test_connecting_a_tab_is_always_asked_about_once_it_is_known_which() -> None:
    for preset in ("trusting", "careful"):
        asked = Policy(preset).decide(case("connect_tab", origin=BANK))
        assert (asked.verdict, asked.scopes) == ("ask", ("once",))
        assert Policy(preset).grant(case("connect_tab")) == Grant()
    assert verdict(Policy("read-only"), "connect_tab", origin=BANK) == "block"


def test_closing_asks_for_a_tab_of_the_person_and_for_none_the_agent_opened() -> None:
    client = agent()
    client.opened.add("t2")
    for preset in ("trusting", "careful"):
        policy = Policy("trusting", own_preset=preset)
        assert verdict(policy, "close_tab", client, is_managed=False, tab_id="t1") == "ask"
        assert verdict(policy, "close_tab", client, is_managed=False, tab_id="t2") == "allow"
        assert verdict(policy, "close_tab", client, is_managed=True, tab_id="t1") == "allow"


@pytest.mark.parametrize("kind", ["password", "card", "one-time code"])
def test_careful_asks_about_secret_fields_alone(kind: str) -> None:
    for command in ("fill", "type", "click", "fill_form", "select", "press_key", "insert_text"):
        assert verdict(Policy("careful"), command) == "allow"
        asked = Policy("careful").decide(case(command, secret=kind))
        assert (asked.verdict, asked.reason, asked.permission) == ("ask", f"touches a {kind} field", "secret")
        assert verdict(Policy("trusting"), command, secret=kind) == "allow"
        assert verdict(Policy("read-only"), command, secret=kind) == "block"


def test_careful_asks_before_it_leaves_a_site_and_acts_in_a_frame_of_another() -> None:
    policy = Policy("careful")
    for same in (SHOP, "http://shop.example", "about://"):
        assert verdict(policy, "navigate", origin=same) == "allow"
    leaving = policy.decide(case("navigate", origin=BANK))
    assert (leaving.verdict, leaving.site) == ("ask", "bank.example")
    assert leaving.reason == "leaves shop.example for bank.example"
    assert policy.decide(case("new_tab", page="", origin=BANK)).reason == "goes to another site: bank.example"
    inside = policy.decide(case("click", origin=BANK))
    assert (inside.verdict, inside.reason) == ("ask", "acts in a frame of bank.example within shop.example")
    assert verdict(policy, "click", origin="about://") == "allow"
    assert policy.decide(case("fill", origin=BANK, secret="card")).reason == (
        "touches a card field in a frame of bank.example within shop.example"
    )


def test_who_may_not_navigate_a_page_may_not_leave_it() -> None:
    rules = Rules()
    rules.put(Rule("read-only", site="shop.example"))
    policy = Policy("trusting", rules=rules)
    assert verdict(policy, "navigate", origin=BANK) == "block"
    assert verdict(policy, "navigate", page=BANK, origin=SHOP) == "block"
    assert verdict(policy, "navigate", page=BANK, origin=BANK) == "allow"


def test_a_script_for_every_later_page_is_asked_about_unless_code_is_free_everywhere() -> None:
    rules = Rules()
    rules.put(Rule("allow", site="shop.example", permission="execute"))
    policy = Policy("careful", rules=rules)
    assert verdict(policy, "inject_script", source="1") == "allow"
    kept = policy.decide(case("inject_script", source="1", keep=True))
    assert (kept.verdict, kept.scopes) == ("ask", ("once",))
    assert verdict(Policy("trusting"), "inject_script", source="1", keep=True) == "allow"


class TestRules:
    def test_the_narrowest_rule_stands_before_the_browsers_preset(self) -> None:
        rules = Rules()
        policy = Policy("trusting", rules=rules)
        rules.put(Rule("careful", site="shop.example"))
        assert verdict(policy, "evaluate") == "ask"
        rules.put(Rule("read-only", client="claude", program="/usr/bin/claude"))
        assert verdict(policy, "evaluate") == "block"
        rules.put(Rule("trusting", client="claude", program="/usr/bin/claude", site="shop.example"))
        assert verdict(policy, "evaluate") == "allow"
        assert verdict(policy, "evaluate", agent("/tmp/claude")) == "ask"
        assert verdict(policy, "evaluate", page=BANK) == "block"

    def test_a_dot_at_the_end_of_the_host_leads_round_no_rule(self) -> None:
        policy = Policy("trusting")
        policy.rules.put(Rule("block", site="bank.example", command="click"))
        for origin in (BANK, f"{BANK}.", f"{BANK}.:8443"):
            decided = policy.decide(case("click", page=f"{origin}/", origin=origin))
            assert decided.verdict == ("allow" if "8443" in origin else "block")

    def test_a_rule_for_a_matter_says_allow_ask_or_block(self) -> None:
        rules = Rules()
        policy = Policy("trusting", rules=rules)
        rules.put(Rule("block", site="shop.example", permission="secret"))
        rules.put(Rule("ask", site="shop.example", permission="execute"))
        said = policy.decide(case("fill", secret="card"))
        assert (said.verdict, said.reason) == (
            "block", "a rule of the person does not allow fill (card fields) on shop.example",
        )  # fmt: skip
        asked = policy.decide(case("evaluate"))
        assert asked.reason == "falls under the rule to ask about running code on shop.example"
        assert verdict(policy, "fill") == "allow"

    def test_why_a_rule_asks_is_said_as_a_person_would(self) -> None:
        for rule, why in (
            (Rule("ask", site="shop.example", command="fill"), "“Fill a field” on shop.example"),
            (Rule("ask", command="fill"), "“Fill a field”"),
            (Rule("ask", permission="interact"), "acting in pages"),
        ):
            rules = Rules()
            rules.put(rule)
            asked = Policy("trusting", rules=rules).decide(case("fill"))
            assert (asked.verdict, asked.reason) == ("ask", f"falls under the rule to ask about {why}")


class TestGrants:
    def test_the_person_and_who_may_do_everything_cost_nothing(self) -> None:
        for made in (case("fill", PERSON), case("snapshot")):
            assert Policy("careful").grant(made) == EVERYTHING
        assert Policy("trusting").grant(case("fill")) == EVERYTHING

    def test_careful_is_bound_to_the_page_it_was_decided_for(self) -> None:
        policy, client = Policy("careful"), agent()
        for command in ("click", "evaluate", "navigate", "upload_file", "wait"):
            params = {"expression": "1"} if command == "wait" else {}
            assert policy.grant(case(command, client, **params)) == Grant([SHOP])
        assert policy.grant(case("new_tab", client, page="")) == Grant()
        policy.remember(answered(policy.decide(case("fill", client, secret="card")), client, "session"))
        assert policy.grant(case("fill", client)) == Grant([SHOP], secret=[SHOP])
        assert policy.grant(case("fill", client, page=BANK)) == Grant([BANK])

    def test_a_rule_for_any_site_binds_who_is_trusted_elsewhere(self) -> None:
        rules = Rules()
        policy = Policy("trusting", rules=rules)
        rules.put(Rule("read-only", site="bank.example"))
        assert policy.grant(case("click")) == Grant([SHOP], secret=[SHOP])
        rules.put(Rule("block", permission="secret"))
        assert policy.grant(case("click")) == Grant([SHOP])

    def test_it_grows_by_what_was_decided(self) -> None:
        grown = Grant([SHOP]).and_for(BANK, secret=True)
        assert (grown, EVERYTHING.and_for(BANK, secret=True)) == (Grant([SHOP, BANK], secret=[BANK]), EVERYTHING)
        assert grown.and_for(SHOP, secret=False) == grown
        assert grown.and_for(SHOP, secret=True) == Grant([SHOP, BANK], secret=[BANK, SHOP])


def test_defaults_are_kept_and_hold_at_once(tmp_path: Path) -> None:
    policy = Policy("trusting", rules=Rules(tmp_path / "policy.json"))
    policy.set_default("own", "read-only")
    assert (policy.default("own"), verdict(policy, "click", is_managed=False)) == ("read-only", "block")
    assert Rules(tmp_path / "policy.json").default("own") == "read-only"


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    for wrong in ({"preset": "careless"}, {"own_preset": "careless"}):
        with pytest.raises(KaptureError, match="no policy 'careless'; there are trusting, careful, read-only"):
            Policy(**wrong)  # type: ignore[arg-type]


def test_what_blocks_says_whose_word_it_is() -> None:
    rules = Rules()
    rules.put(Rule("read-only", site="shop.example"))
    said = Policy("trusting", rules=rules).decide(case("click"))
    assert said == Decision(
        "block",
        "the policy 'read-only' for shop.example does not allow click (interact)",
        "interact",
        "shop.example",
        way_out="a person can start the panel with --policy trusting",
    )
    everywhere = Rules()
    everywhere.put(Rule("read-only"))
    assert "'read-only' does not" in Policy("trusting", rules=everywhere).decide(case("click")).reason


def test_a_rule_for_every_site_says_whether_code_is_free() -> None:
    free, bound, asked = Rules(), Rules(), Rules()
    free.put(Rule("allow", permission="execute"))
    bound.put(Rule("block", permission="execute"))
    asked.put(Rule("ask", permission="interact"))
    assert verdict(Policy("careful", rules=free), "inject_script", source="1", keep=True) == "allow"
    assert Policy("careful", rules=free).grant(case("evaluate")).origins == "*"
    assert verdict(Policy("trusting", rules=bound), "inject_script", source="1", keep=True) == "block"
    assert Policy("trusting", rules=bound).grant(case("evaluate")).origins == [SHOP]
    assert Policy("trusting", rules=asked).grant(case("click")).origins == [SHOP]
    trusted = Rules()
    trusted.put(Rule("trusting"))
    assert Policy("careful", rules=trusted).grant(case("click")) == EVERYTHING


def test_a_case_is_about_the_document_it_would_touch() -> None:
    click = CATALOGUE.get("click")
    bare = Case(agent(), click, {})
    assert (bare.page, bare.is_managed, bare.tab_id, bare.origin, bare.secret) == ("", True, "", "", "")
    assert (bare.site, bare.kind, bare.permission) == ("", "managed", "interact")
    call = call_of(agent(), "click")
    assert Case.of(call).tab_id == ""
    call.tab = Tab("t1", SHOP, "Shop", "install")
    assert Case.of(call).tab_id == "t1"
    there = replace(bare, page=SHOP, origin=BANK, secret="card", is_managed=False)
    assert (there.site, there.kind, there.permission) == ("bank.example", "own", "secret")


def test_a_decision_says_no_more_than_it_was_given() -> None:
    bare = Decision("ask")
    assert (bare.reason, bare.permission, bare.site, bare.scopes, bare.way_out, bare.code) == (
        "", "", "", ("once",), "", "DENIED",
    )  # fmt: skip


def test_a_policy_nobody_chose_trusts_the_panels_browser_and_is_careful_in_the_persons() -> None:
    bare = Policy()
    assert (bare.preset, bare.own_preset, bare.allow_dirs, bare.instance_dirs) == ("trusting", "careful", (), ())
    assert len(bare.rules) == 0


def test_the_defaults_of_both_kinds_of_browser_are_set_apart() -> None:
    policy = Policy()
    policy.set_default("managed", "read-only")
    assert (policy.default("managed"), policy.default("own")) == ("read-only", "careful")


@pytest.mark.parametrize(("command", "params", "reason"), [
    ("close_tab", {"is_managed": False}, "closes a tab that you opened"),
    ("connect_tab", {"origin": BANK}, "shares a tab that is not connected"),
    ("inject_script", {"source": "1", "keep": True}, "runs code in this page and in every later page of the tab"),
    ("evaluate", {}, "runs code, which can read and change everything on this page"),
    ("read_image", {"path": "/a/b.png"}, "reads /a/b.png"),
])  # fmt: skip
def test_a_question_says_why(command: str, params: dict[str, Any], reason: str) -> None:
    asked = Policy("careful", own_preset="careful").decide(case(command, **params))
    assert (asked.verdict, asked.reason) == ("ask", reason)


def test_a_question_names_the_way_out_for_who_cannot_be_asked() -> None:
    policy = Policy("careful")
    assert policy.decide(case("evaluate")).way_out == "a person can start the panel with --policy trusting"
    assert policy.decide(case("evaluate", is_managed=False)).way_out == (
        "a person can start the panel with --own-policy trusting"
    )
    assert policy.decide(case("connect_tab", origin=BANK)).way_out == (
        "a person can connect the tab in the extension's popup"
    )


def test_the_way_out_on_another_machine_is_its_file() -> None:
    client = Client("claude", "agent")
    client.isolate(place="http://far.example:4444", place_policy="careful")
    assert Policy("careful").decide(case("evaluate", client)).way_out == (
        'a person can write policy = "trusting" for http://far.example:4444 into browsers.toml'
    )


def test_always_is_offered_where_there_is_a_site_to_bind_it_to() -> None:
    policy = Policy("careful")
    assert policy.decide(case("evaluate", page="")).scopes == ("once", "session")
    assert policy.decide(case("fill", secret="card")).scopes == ("once", "session", "always")
    asked = Policy("trusting").decide(case("close_tab", is_managed=False))
    assert (asked.scopes, asked.permission) == (("once",), "close")


def test_files_of_several_folders_are_one_question_in_order() -> None:
    asked = Policy("trusting").decide(case("upload_file", paths=["/b/x", "/a/y", "/b/z"]))
    assert (asked.permission, asked.code, asked.site) == ("file /a and /b", "FILE_NOT_ALLOWED", "shop.example")
    assert asked.reason == "gives /b/x, /a/y, /b/z to the page; it is outside the folders agents may read"
    assert asked.way_out.startswith("/b/x is outside the folders agents may read; ")
    careful = Policy("careful").decide(case("upload_file", paths=["/b/x"]))
    assert (careful.permission, careful.code) == ("file /b", "DENIED")


def test_a_blank_page_is_named_in_words() -> None:
    assert Policy("careful").decide(case("click", page="", origin=BANK)).reason == (
        "acts in a frame of bank.example within a blank page"
    )


def test_a_secret_field_is_open_to_who_was_allowed_it_on_the_page() -> None:
    rules = Rules()
    rules.put(Rule("allow", site="shop.example", permission="secret"))
    policy = Policy("careful", rules=rules)
    assert policy.grant(case("fill")) == Grant([SHOP], secret=[SHOP])
    assert policy.grant(case("evaluate")) == Grant([SHOP])


def test_a_rule_about_secret_fields_binds_who_may_do_everything_else() -> None:
    rules = Rules()
    rules.put(Rule("block", permission="secret"))
    assert Policy("trusting", rules=rules).grant(case("click")) == Grant("*")


def test_without_a_site_none_is_named() -> None:
    rules = Rules()
    rules.put(Rule("block", permission="execute"))
    said = Policy("trusting", rules=rules).decide(case("evaluate", page="")).reason
    assert said == "a rule of the person does not allow evaluate (execute)"


def test_a_yes_to_a_folder_is_not_one_to_its_files_and_neither_the_other_way(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "a.txt").touch()
    policy = Policy("careful")

    def permission(name: str) -> str:
        return policy.decide(case("upload_file", paths=[str(tmp_path / name)])).permission

    real = tmp_path.resolve()
    assert permission("papers") == f"file {real}/papers/"
    assert permission("a.txt") == f"file {real}"


def test_taking_files_out_of_a_field_is_decided_without_a_folder() -> None:
    assert Policy("trusting").decide(case("upload_file", paths=[])).verdict == "allow"
    assert Policy("careful").decide(case("upload_file", paths=[])).reason == "gives no files to the page"
