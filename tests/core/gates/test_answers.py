"""What a person answered for as long as a client is here, kept and taken back."""

from __future__ import annotations

import pytest

from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from tests.support.core.policy import agent, answered, case, verdict


@pytest.mark.parametrize("is_yes", [True, False])
def test_an_answer_that_is_taken_back_is_as_if_it_had_not_been_given(is_yes: bool) -> None:
    policy, client = Policy("careful"), agent()
    told: list[Client] = []
    policy.answers.changed.connect(told.append)
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "session", is_yes=is_yes))
    assert verdict(policy, "evaluate", client) == ("allow" if is_yes else "block")
    policy.answers.take_back(client, asked.site, asked.permission)
    assert verdict(policy, "evaluate", client) == "ask"
    assert told == [client, client]


def test_an_answer_for_one_call_is_not_kept() -> None:
    policy, client = Policy("careful"), agent()
    asked = policy.decide(case("evaluate", client))
    policy.remember(answered(asked, client, "once"))
    policy.remember(answered(asked, client, "once", is_yes=False))
    assert client.granted == client.refused == set()
