"""What the policy remembers of the answers a person gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Rules
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import CATALOGUE
from tests.support.core.policy import BANK, TERMINAL, agent, answered, case, verdict


class TestAnswers:
    def test_how_far_a_yes_may_go(self) -> None:
        policy = Policy("careful")
        assert policy.decide(case("evaluate")).scopes == ("once", "session", "always")
        assert policy.decide(case("evaluate", agent(program=""))).scopes == ("once", "session")
        assert policy.decide(case("evaluate", TERMINAL)).scopes == ("once",)
        assert policy.decide(case("read_image", path="/a")).scopes == ("once", "session")

    def test_a_yes_for_the_session_is_for_this_client_site_and_matter(self) -> None:
        policy, client = Policy("careful"), agent()
        policy.remember(answered(policy.decide(case("evaluate")), client, "once"))
        assert verdict(policy, "evaluate", client) == "ask"
        policy.remember(answered(policy.decide(case("evaluate")), client, "session"))
        assert verdict(policy, "inject_script", client) == "allow"
        assert verdict(policy, "evaluate", client, page=BANK) == "ask"
        assert verdict(policy, "fill", client, secret="card") == "ask"
        assert verdict(policy, "evaluate") == "ask"
        policy.preset = "read-only"
        assert verdict(policy, "evaluate", client) == "block"

    def test_a_no_for_the_session_is_told_without_asking_until_the_person_says_yes(self) -> None:
        policy, client = Policy("careful"), agent()
        asked = policy.decide(case("evaluate", client))
        policy.remember(answered(asked, client, "session", is_yes=False))
        said = policy.decide(case("evaluate", client))
        assert said.verdict == "block"
        assert said.reason == "a person refused evaluate (execute) on shop.example for this conversation"
        policy.remember(answered(asked, client, "session"))
        assert verdict(policy, "evaluate", client) == "allow"
        assert client.refused == set()

    def test_always_is_a_rule_for_the_agents_name_and_program_on_this_site(self, tmp_path: Path) -> None:
        policy = Policy("careful", rules=Rules(tmp_path / "policy.json"))
        policy.remember(answered(policy.decide(case("evaluate")), agent(), "always"))
        again = Policy("careful", rules=Rules(tmp_path / "policy.json"))
        assert verdict(again, "evaluate") == "allow"
        assert verdict(again, "evaluate", agent("/tmp/claude")) == "ask"
        assert verdict(again, "evaluate", Client("codex", "agent", program="/usr/bin/claude")) == "ask"
        assert verdict(again, "evaluate", page=BANK) == "ask"

    def test_a_rule_that_cannot_be_kept_holds_for_the_conversation(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        policy, client = Policy("careful", rules=Rules(tmp_path / "gone" / "policy.json")), agent()
        policy.remember(answered(policy.decide(case("evaluate")), client, "always"))
        assert verdict(policy, "evaluate", client) == "allow"
        assert verdict(policy, "evaluate") == "ask"
        assert "for this conversation only" in caplog.text

    def test_a_yes_to_a_file_is_for_its_folder(self) -> None:
        policy, client = Policy("trusting"), agent()
        asked = policy.decide(case("read_image", client, path="/pictures/a.png"))
        policy.remember(answered(asked, client, "session"))
        assert verdict(policy, "read_image", client, path="/pictures/b.png") == "allow"
        assert verdict(policy, "read_image", client, path="/etc/b.png") == "ask"
        assert verdict(policy, "upload_file", client, paths=["/etc/b.png"]) == "ask"


async def test_an_answer_in_the_inbox_is_remembered_though_nobody_waits() -> None:
    policy, client, approvals = Policy("careful"), agent(), Approvals(pending_s=0.001)
    approvals.attend()
    approvals.settled.connect(policy.remember)
    asked = policy.decide(case("evaluate", client))
    with pytest.raises(KaptureError, match="has not decided"):
        await approvals.ask(
            client, CATALOGUE.get("evaluate"), {}, site=asked.site, where="", timeout_s=1, permission=asked.permission,
            scopes=asked.scopes,
        )  # fmt: skip
    approvals.allow(next(iter(approvals)), "session")
    assert verdict(policy, "evaluate", client) == "allow"


def test_a_no_for_once_is_not_remembered() -> None:
    policy, client = Policy("careful"), agent()
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "once", is_yes=False))
    assert policy.decide(case("evaluate", client)).verdict == "ask"
    assert (client.granted, client.refused) == (set(), set())


def test_a_no_takes_back_an_earlier_yes_for_the_session() -> None:
    policy, client = Policy("careful"), agent()
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "session"))
    policy.remember(answered(asked, client, "session", is_yes=False))
    assert policy.decide(case("evaluate", client)).verdict == "block"
    assert client.granted == set()


def test_an_expired_question_is_no_answer() -> None:
    policy, client = Policy("careful"), agent()
    ask = answered(policy.decide(case("evaluate", client)), client, "session")
    ask.state = "expired"
    policy.remember(ask)
    assert (client.granted, client.refused) == (set(), set())


def test_who_takes_the_rule_of_always_away_is_asked_again() -> None:
    policy, client = Policy("careful"), agent()
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "session", is_yes=False))
    policy.remember(answered(asked, client, "always"))
    assert verdict(policy, "evaluate", client) == "allow"
    (rule,) = policy.rules
    policy.rules.remove(rule)
    assert verdict(policy, "evaluate", client) == "ask"
