"""Cases for the policy, and what it says of them."""

from __future__ import annotations

from typing import Any

from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.core.gates.policy import Case, Decision, Policy
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import CATALOGUE, minimal

AGENT, TERMINAL, PERSON = Client("claude", "agent"), Client("terminal", "terminal"), Client("you", "person")

SHOP, BANK = "https://shop.example", "https://bank.example"


def agent(program: str = "/usr/bin/claude") -> Client:
    return Client("claude", "agent", program=program)


def case(command: str, client: Client | None = None, page: str = SHOP, **more: Any) -> Case:
    """A command in a tab of the panel's browser."""
    entry = CATALOGUE.get(command)
    fields = {name: more.pop(name) for name in ("origin", "secret", "is_managed", "tab_id") if name in more}
    return Case(client or agent(), entry, {**minimal(entry), **more}, page, **fields)


def verdict(policy: Policy, command: str, client: Client | None = None, **more: Any) -> str:
    return policy.decide(case(command, client, **more)).verdict


def allowed(policy: Policy, client: Client, command: str, **params: object) -> bool:
    return verdict(policy, command, client, **params) == "allow"


def answered(decision: Decision, client: Client, scope: Scope, *, is_yes: bool = True) -> Ask:
    """A question about it, with the person's answer."""
    return Ask(
        "a1", client, CATALOGUE.get("click"), {}, decision.site, "", 0.0, decision.reason, decision.permission,
        decision.scopes, scope=scope, state="allowed" if is_yes else "denied",
    )  # fmt: skip
