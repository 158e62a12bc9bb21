"""The inbox of questions to the person."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import MAX_OPEN_PER_CLIENT, Approvals, Ask
from tests.support.core import loop_clock
from tests.support.core.fakes import CATALOGUE
from tests.support.core.inbox import AGENT, OTHER, TERMINAL, Inbox, next_round


async def test_an_ask_says_who_wants_what_where_and_waits_for_the_person() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    (ask,) = inbox.added
    assert (ask.client, ask.command.short_name, ask.params) == (AGENT, "connect_tab", {"browserTabId": 1})
    assert (ask.site, ask.where, ask.state) == ("shop.example", "Cart – https://shop.example/", "open")
    assert list(inbox.approvals) == [ask]
    assert not asking.done()
    assert inbox.approvals.allow(ask)
    assert await asking == "allowed"
    assert inbox.settled == [(ask.id, "allowed")]
    assert len(inbox.approvals) == 0


async def test_a_denial_carries_the_person_s_reason() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    inbox.approvals.deny(inbox.added[0], "  not my bank ")
    assert await asking == "DENIED: a person refused connect_tab on shop.example: not my bank"


async def test_allowed_once_is_one_call() -> None:
    inbox = Inbox()
    for _ in range(2):
        asking = inbox.begin()
        await next_round()
        inbox.approvals.allow(inbox.added[-1])
        assert await asking == "allowed"
    assert len(inbox.added) == 2


async def test_of_two_that_wait_for_one_answer_only_one_is_carried_out() -> None:
    inbox = Inbox()
    both = [inbox.begin(), inbox.begin()]
    await next_round()
    assert len(inbox.added) == 1
    inbox.approvals.allow(inbox.added[0])
    await next_round()
    assert sum(call.done() for call in both) == 1
    assert len(inbox.added) == 2
    inbox.approvals.deny(inbox.added[1])
    assert sorted(await asyncio.gather(*both)) == ["DENIED: a person refused connect_tab on shop.example", "allowed"]


async def test_an_open_ask_answers_pending_and_the_same_call_joins_it() -> None:
    inbox = Inbox(pending_s=0.01)
    assert (await inbox.ask()).startswith("APPROVAL_PENDING: ")
    assert (await inbox.ask()).startswith("APPROVAL_PENDING: ")
    (ask,) = inbox.added
    inbox.approvals.allow(ask)
    assert await inbox.ask() == "allowed"
    assert (await inbox.ask()).startswith("APPROVAL_PENDING: ")
    assert len(inbox.added) == 2


async def test_a_denial_while_nobody_waited_is_told_to_the_same_call() -> None:
    inbox = Inbox(pending_s=0.01)
    await inbox.ask()
    inbox.approvals.deny(inbox.added[0], "no")
    assert (await inbox.ask()).startswith("DENIED: ")
    assert len(inbox.added) == 1


async def test_a_short_timeout_of_the_call_is_kept_and_a_terminal_waits_for_its_own() -> None:
    inbox = Inbox(pending_s=0.01)
    assert (await Inbox().ask(timeout_s=0.01)).startswith("APPROVAL_PENDING")
    asking = inbox.begin(TERMINAL)
    for _ in range(2):  # the second begins to wait after the terminal did
        assert (await inbox.ask()).startswith("APPROVAL_PENDING")
    assert not asking.done()
    inbox.approvals.allow(next(ask for ask in inbox.added if ask.client is TERMINAL))
    assert await asking == "allowed"
    assert (await Inbox().ask(TERMINAL, timeout_s=0.01)).startswith("APPROVAL_PENDING")


async def test_another_call_client_or_site_is_another_ask() -> None:
    inbox = Inbox()
    calls = [inbox.begin(), inbox.begin(tab=2), inbox.begin(OTHER), inbox.begin(site="bank.example")]
    await next_round()
    assert len(inbox.added) == 4
    for ask in inbox.added:
        inbox.approvals.deny(ask)
    await asyncio.gather(*calls)


async def test_an_ask_nobody_decides_says_that_it_expired() -> None:
    inbox = Inbox(expiry_s=0.01)
    assert (await inbox.ask()).startswith("APPROVAL_EXPIRED: ")
    assert inbox.settled[-1][1] == "expired"
    later = Inbox(pending_s=0.005, expiry_s=600.0)
    assert (await later.ask()).startswith("APPROVAL_PENDING")
    loop_clock.put_on(600.0)
    await later.ended.wait()
    assert (await later.ask()).startswith("APPROVAL_EXPIRED")
    assert (await later.ask()).startswith("APPROVAL_PENDING")
    assert len(later.added) == 2


async def test_a_yes_nobody_came_for_does_not_last() -> None:
    inbox = Inbox(pending_s=0.005, expiry_s=600.0)
    await inbox.ask()
    inbox.approvals.allow(inbox.added[0])
    loop_clock.put_on(600.0)
    await next_round()
    assert (await inbox.ask()).startswith("APPROVAL_EXPIRED")


async def test_a_caller_that_gives_up_withdraws_its_ask() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    await tasks.end(asking)
    assert inbox.settled == [(inbox.added[0].id, "withdrawn")]
    assert not inbox.approvals.allow(inbox.added[0])


async def test_an_answer_that_comes_with_the_caller_s_end_is_not_carried_out_later() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    asking.cancel()
    inbox.approvals.allow(inbox.added[0])
    await asyncio.wait([asking])
    assert asking.cancelled()
    again = inbox.begin()
    await next_round()
    assert len(inbox.added) == 2
    await tasks.end(again)


async def test_one_of_two_callers_that_gives_up_leaves_the_ask_to_the_other() -> None:
    inbox = Inbox()
    one, two = inbox.begin(), inbox.begin()
    await next_round()
    await tasks.end(one)
    inbox.approvals.allow(inbox.added[0])
    assert await two == "allowed"


async def test_what_a_client_that_left_was_allowed_is_forgotten() -> None:
    inbox = Inbox(pending_s=0.005)
    await inbox.ask()
    await inbox.ask(tab=2)
    await inbox.ask(OTHER)
    inbox.approvals.allow(inbox.added[0])
    inbox.approvals.withdraw(AGENT)
    assert [ask.state for ask in inbox.added] == ["allowed", "withdrawn", "open"]
    assert (await inbox.ask()).startswith("APPROVAL_PENDING")
    assert len(inbox.added) == 4


async def test_with_nobody_to_ask_it_is_denied_with_what_a_person_can_do() -> None:
    approvals = Approvals()
    with pytest.raises(KaptureError, match=r"no window to ask in.*with its window: kapture") as refused:
        await approvals.ask(AGENT, CATALOGUE.get("connect_tab"), {}, site="a.example", where="A", timeout_s=1)
    assert refused.value.code == "DENIED"
    assert len(approvals) == 0


async def test_when_the_window_goes_what_is_open_is_denied() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    inbox.approvals.leave()
    assert await asking == "DENIED: the panel's window was closed before a person decided"
    assert "no window" in await inbox.ask()


async def test_one_client_cannot_bury_the_person_in_questions() -> None:
    inbox = Inbox(pending_s=0.005)
    for tab in range(MAX_OPEN_PER_CLIENT):
        assert (await inbox.ask(tab=tab)).startswith("APPROVAL_PENDING")
    assert (await inbox.ask(tab=99)).startswith("BUSY: ")
    assert (await inbox.ask(OTHER)).startswith("APPROVAL_PENDING")


async def test_where_nobody_can_be_asked_the_answer_names_what_a_person_can_do() -> None:
    with pytest.raises(KaptureError) as refused:
        await Approvals().ask(
            AGENT, CATALOGUE.get("read_image"), {}, site="", where="", timeout_s=1, why="reads /a",
            code="FILE_NOT_ALLOWED", way_out="a person can allow its folder with --allow-dir /",
        )  # fmt: skip
    assert refused.value.as_wire() == {
        "code": "FILE_NOT_ALLOWED",
        "message": "read_image needs a person's yes (reads /a), and this panel has no window to ask in; "
        "a person can allow its folder with --allow-dir /",
    }


async def test_only_open_questions_are_in_the_inbox() -> None:
    inbox = Inbox(pending_s=0.005)
    await inbox.ask()
    await inbox.ask(tab=2)
    assert len(inbox.approvals) == 2
    assert inbox.approvals.deny(inbox.added[0])
    assert list(inbox.approvals) == [inbox.added[1]]
    assert len(inbox.approvals) == 1


async def test_an_answer_counts_once_and_says_so() -> None:
    inbox = Inbox(pending_s=0.005)
    await inbox.ask()
    assert inbox.approvals.deny(inbox.added[0]) is True
    assert inbox.approvals.deny(inbox.added[0]) is False
    assert inbox.approvals.allow(inbox.added[0]) is False
    assert inbox.settled == [("a1", "denied")]


async def test_nobody_waits_for_a_question_any_more_once_the_call_has_ended() -> None:
    inbox = Inbox(pending_s=0.005)
    await inbox.ask()
    assert inbox.added[0].waiting == 0
    asking = inbox.begin(TERMINAL)
    await next_round()
    assert inbox.added[1].waiting == 1
    await tasks.end(asking)
    assert inbox.added[1].waiting == 0


async def test_what_was_asked_for_by_a_client_that_went_is_denied_to_whoever_waits() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    inbox.approvals.withdraw(AGENT)
    assert await asking == "DENIED: connect_tab was taken back before a person decided"


@pytest.mark.parametrize("is_denied", [True, False])
async def test_what_nobody_came_for_is_forgotten_in_the_end(is_denied: bool) -> None:
    inbox = Inbox(pending_s=0.005, expiry_s=600.0)
    await inbox.ask()
    if is_denied:
        inbox.approvals.deny(inbox.added[0])
    for _ in range(1 if is_denied else 2):
        assert inbox.approvals._asks
        loop_clock.put_on(600.0)
        await next_round()
    assert (inbox.approvals._asks, inbox.approvals._timers) == ({}, {})
    assert (await inbox.ask()).startswith("APPROVAL_PENDING"), "nobody has decided about this one"


async def test_the_words_of_an_expired_question_name_the_time() -> None:
    inbox = Inbox(expiry_s=0.01)

    def name_another(_ask: Ask) -> None:
        inbox.approvals.expiry_s = 7200.0

    inbox.approvals.added.connect(name_another)
    assert "within 120 min" in await inbox.ask()


async def test_an_answered_question_does_not_expire() -> None:
    inbox = Inbox(expiry_s=600.0)
    inbox.approvals.added.connect(inbox.approvals.allow)
    assert await inbox.ask() == "allowed"
    loop_clock.put_on(600.0)
    await next_round()
    assert inbox.added[0].state == "allowed"


async def test_the_same_call_joins_whatever_the_order_of_its_parameters() -> None:
    approvals = Approvals(pending_s=0.005)
    approvals.attend()
    added: list[Ask] = []
    approvals.added.connect(added.append)
    for params in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        with pytest.raises(KaptureError, match="connect_tab and has not decided yet"):
            await approvals.ask(AGENT, CATALOGUE.get("connect_tab"), params, site="", where="", timeout_s=1)
    assert len(added) == 1


async def test_without_a_reason_the_refusal_has_none() -> None:
    with pytest.raises(KaptureError, match="connect_tab needs a person's yes, and this panel has no window"):
        await Approvals().ask(AGENT, CATALOGUE.get("connect_tab"), {}, site="", where="", timeout_s=1)


async def test_a_question_is_about_one_call_and_has_no_reason_unless_the_person_says_more() -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    (ask,) = inbox.added
    assert (ask.scope, ask.reason, ask.scene.is_managed) == ("once", "", True)
    inbox.approvals.allow(ask)
    await asking
    assert (ask.scope, ask.reason) == ("once", "")
