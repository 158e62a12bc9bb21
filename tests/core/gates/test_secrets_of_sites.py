"""A yes to the secret fields of one site is none to those of another, in whichever order they are met."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Preset, Rule, Rules, Verdict
from kapture_panel.core.wire.protocol import Grant, Response
from tests.support.core.fakes import World, failed, ok, picture, refused
from tests.support.core.guarded import Guarded
from tests.support.core.policy import BANK, SHOP, agent, case, verdict

FILL = {"selector": "#card", "value": "4111"}


@pytest.fixture
def asked(world: World) -> list[Ask]:
    """What a person was asked, who says yes once to everything."""
    asks: list[Ask] = []
    approvals = world.router.gates.approvals
    approvals.attend()
    world.executor.answers["screenshot"] = picture()
    approvals.added.connect(asks.append)
    approvals.added.connect(lambda ask: asyncio.get_running_loop().call_soon(approvals.allow, ask))
    world.tab()
    return asks


def under(world: World, preset: Preset, *rules: Rule) -> Policy:
    world.router.gates.policy = Policy(preset, rules=laid_down(*rules))
    return world.router.gates.policy


def laid_down(*rules: Rule) -> Rules:
    made = Rules()
    for rule in rules:
        made.put(rule)
    return made


SHOPS_ARE_FREE = Rule("allow", site="shop.example", permission="secret")
BANKS_ARE_CLOSED = Rule("block", site="bank.example", permission="secret")


@pytest.mark.parametrize(("preset", "rules"), [
    ("trusting", [BANKS_ARE_CLOSED]),
    ("careful", [SHOPS_ARE_FREE, BANKS_ARE_CLOSED]),
])  # fmt: skip
async def test_a_page_whose_secret_fields_are_open_opens_none_in_a_frame_of_a_site_where_they_are_blocked(
    world: World, asked: list[Ask], preset: Preset, rules: list[Rule]
) -> None:
    under(world, preset, *rules)
    extension = Guarded(world, BANK, "card")
    error = await refused(world, "fill", **FILL)
    assert (error.code, extension.done) == ("DENIED", 0)
    assert error.what == "a rule of the person does not allow fill (card fields) on bank.example"
    assert extension.grants == [Grant([SHOP], secret=[SHOP])]
    assert asked == []


async def test_a_frame_of_another_site_is_asked_about_though_the_page_s_own_are_open(
    world: World, asked: list[Ask]
) -> None:
    under(world, "careful", SHOPS_ARE_FREE)
    extension = Guarded(world, BANK, "card")
    await world.run("fill", **FILL)
    (ask,) = asked
    assert (ask.permission, ask.site) == ("secret", "bank.example")
    assert ask.why == "touches a card field in a frame of bank.example within shop.example"
    assert extension.grants == [Grant([SHOP], secret=[SHOP]), Grant([SHOP, BANK], secret=[SHOP, BANK])]


async def test_a_yes_to_a_frame_s_secret_field_opens_none_of_the_page_around_it(world: World, asked: list[Ask]) -> None:
    under(world, "careful")
    found: list[Grant] = []

    async def both(_params: dict[str, Any]) -> Response:
        found.append(world.executor.sent[-1].grant)
        needed = next((origin for origin in (BANK, SHOP) if origin not in found[-1].secret), "")
        if not needed:
            return ok({})
        return failed("NEEDS_APPROVAL", "", origin=needed, url=f"{needed}/x", title="", fieldKind="card")

    world.executor.answers["fill_form"] = both
    await world.run(
        "fill_form", fields=[{"selector": "#bank >>> input", "value": "1"}, {"selector": "input", "value": "2"}]
    )
    assert [(ask.permission, ask.site) for ask in asked] == [("secret", "bank.example"), ("secret", "shop.example")]
    assert found == [
        Grant([SHOP]), Grant([SHOP, BANK], secret=[BANK]), Grant([SHOP, BANK], secret=[BANK, SHOP]),
    ]  # fmt: skip


async def test_a_frame_whose_plain_fields_alone_were_decided_about_is_none_with_secret_ones(
    world: World, asked: list[Ask]
) -> None:
    under(world, "careful", SHOPS_ARE_FREE)
    extension = Guarded(world, BANK)
    await world.run("fill", **FILL)
    assert [ask.permission for ask in asked] == ["interact"]
    assert extension.grants[-1] == Grant([SHOP, BANK], secret=[SHOP])


def frame(policy: Policy) -> str:
    """What is decided about a card field in a frame of the bank's within the shop."""
    return verdict(policy, "fill", origin=BANK, secret="card")


@pytest.mark.parametrize("decision", ["block", "ask"])
@pytest.mark.parametrize("secrets", [
    [], [Rule("allow", permission="secret")],
    [Rule("allow", client="claude", program="/usr/bin/claude", permission="secret")],
])  # fmt: skip
def test_who_may_not_act_in_a_frame_touches_no_secret_field_there(decision: Verdict, secrets: list[Rule]) -> None:
    acting = Rule(decision, site="bank.example", permission="interact")
    policy = Policy("trusting", rules=laid_down(acting, *secrets))
    decided = policy.decide(case("fill", origin=BANK, secret="card"))
    assert (decided.verdict, decided.permission, decided.site) == (decision, "interact", "bank.example")
    # The page's own was decided about before anything was sent.
    assert verdict(policy, "fill", page=BANK, origin=BANK, secret="card") == "allow"
    assert verdict(policy, "fill", page=BANK, secret="card") == "allow"


def test_a_frame_where_acting_is_blocked_is_not_asked_about() -> None:
    acting = Rule("block", site="bank.example", permission="interact")
    assert frame(Policy("careful", rules=laid_down(acting))) == "block"
    meant = Rule("allow", site="bank.example", permission="secret")
    assert frame(Policy("careful", rules=laid_down(acting, meant))) == "block"


def test_a_rule_for_the_secret_fields_of_a_site_opens_them_in_its_frames() -> None:
    meant = Rule("allow", site="bank.example", permission="secret")
    assert frame(Policy("careful", rules=laid_down(meant))) == "allow"
    for other in (Rule("allow", permission="secret"), Rule("allow", site="shop.example", permission="secret")):
        assert frame(Policy("careful", rules=laid_down(other))) == "ask"


def test_a_preset_for_the_site_says_nothing_against_a_rule_about_acting_there() -> None:
    rules = laid_down(
        Rule("trusting", site="bank.example"),
        Rule("ask", client="claude", program="/usr/bin/claude", site="bank.example", permission="interact"),
    )
    assert frame(Policy("careful", rules=rules)) == "ask"
    assert frame(Policy("careful", rules=laid_down(Rule("trusting", site="bank.example")))) == "allow"


def test_a_yes_for_the_conversation_to_both_kinds_is_asked_once() -> None:
    policy, client = Policy("careful"), agent()
    client.granted.add(("bank.example", "secret"))
    assert policy.decide(case("fill", client, origin=BANK, secret="card")).verdict == "allow"
