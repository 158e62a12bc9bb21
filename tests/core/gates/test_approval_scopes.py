"""How far an answer of the person goes."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import CATALOGUE
from tests.support.core.inbox import AGENT, OTHER, Inbox, next_round


class Permission:
    """Questions about one permission that may be answered for longer."""

    def __init__(self) -> None:
        self.inbox = Inbox()

    def begin(self, number: int, client: Client = AGENT, permission: str = "execute") -> asyncio.Task[str]:
        async def asking() -> str:
            try:
                await self.inbox.approvals.ask(
                    client, CATALOGUE.get("evaluate"), {"code": str(number)}, site="shop.example", where="Cart",
                    timeout_s=30, why="runs code", permission=permission, scopes=("once", "session"),
                )  # fmt: skip
            except KaptureError as error:
                return f"{error.code}: {error.message}"
            return "allowed"

        return tasks.spawn(asking(), "ask")


async def test_an_answer_for_the_session_settles_its_like_and_nothing_else() -> None:
    permission = Permission()
    like = [permission.begin(number) for number in range(3)]
    others = [permission.begin(0, OTHER), permission.begin(0, permission="secret")]
    await next_round()
    assert (permission.inbox.added[0].why, permission.inbox.added[0].scope) == ("runs code", "once")
    assert permission.inbox.approvals.allow(permission.inbox.added[0], "session")
    assert await asyncio.gather(*like) == ["allowed"] * 3
    assert not any(one.done() for one in others)
    for ask in permission.inbox.approvals:
        permission.inbox.approvals.deny(ask, "no", for_session=True)
    assert set(await asyncio.gather(*others)) == {"DENIED: a person refused evaluate on shop.example: no"}


async def test_of_several_callers_of_one_ask_all_are_served_by_a_yes_for_the_session() -> None:
    permission = Permission()
    callers = [permission.begin(1) for _ in range(3)]
    await next_round()
    (ask,) = permission.inbox.added
    permission.inbox.approvals.allow(ask, "session")
    assert await asyncio.gather(*callers) == ["allowed"] * 3
    assert len(permission.inbox.added) == 1


async def test_a_scope_that_is_not_offered_is_not_given() -> None:
    permission = Permission()
    asking = permission.begin(1)
    await next_round()
    with pytest.raises(ValueError, match="always"):
        permission.inbox.approvals.allow(permission.inbox.added[0], "always")
    assert not asking.done()
    await tasks.end(asking)


async def test_a_question_offers_a_yes_for_once_unless_it_says_more() -> None:
    inbox = Inbox(pending_s=0.005)
    await inbox.ask()
    (ask,) = inbox.added
    assert (ask.id, ask.why, ask.permission, ask.scopes, ask.scope, ask.reason) == ("a1", "", "", ("once",), "once", "")
    assert Ask("a", AGENT, ask.command, {}, "", "", 0.0).scopes == ("once",)
    assert Ask("a", AGENT, ask.command, {}, "", "", 0.0).why == ""
    assert Ask("a", AGENT, ask.command, {}, "", "", 0.0).permission == ""


@pytest.mark.parametrize(("is_yes", "scope"), [(True, "session"), (False, "session")])
async def test_an_answer_for_the_session_that_nobody_waited_for_is_the_policys_to_remember(
    is_yes: bool, scope: str
) -> None:
    approvals = Approvals(pending_s=0.005)
    approvals.attend()
    added: list[Ask] = []
    approvals.added.connect(added.append)

    async def ask(code: str, **params: int) -> None:
        await approvals.ask(
            AGENT, CATALOGUE.get("evaluate"), {"code": code, **params}, site="shop.example", where="",
            timeout_s=1, permission="execute", scopes=("once", "session"),
        )  # fmt: skip

    with pytest.raises(KaptureError, match="has not decided yet"):
        await ask("1")
    if is_yes:
        approvals.allow(added[0], "session")
    else:
        approvals.deny(added[0], for_session=True)
    assert added[0].scope == scope
    with pytest.raises(KaptureError, match="has not decided yet"):
        await ask("1")
    assert len(added) == 2
