"""A command has the person's yes before it is sent, and for what the extension finds there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates import close_look, consent
from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.gates.consent import Consent
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.wire.protocol import Grant, Response
from tests.support.core.fakes import World, call_of, failed, ok, picture, refused
from tests.support.core.guarded import Guarded


@pytest.fixture
def careful(world: World) -> World:
    """A person who says yes to everything, for the session where that is offered."""
    world.router.gates.policy = Policy("careful")
    approvals = world.router.gates.approvals
    approvals.attend()
    approvals.added.connect(lambda ask: asyncio.get_running_loop().call_soon(approvals.allow, ask, ask.scopes[-1]))
    world.tab()
    return world


@pytest.fixture
def asked(careful: World) -> list[Ask]:
    """What the person was asked."""
    asked: list[Ask] = []
    careful.router.gates.approvals.added.connect(asked.append)
    return asked


async def test_a_secret_field_is_asked_about_and_the_same_command_sent_with_the_grant(
    careful: World, asked: list[Ask]
) -> None:
    extension = Guarded(careful, "https://shop.example", "card")
    careful.executor.answers["screenshot"] = picture(b"element")
    await careful.run("fill", selector="#a", value="4111")
    assert extension.grants == [
        Grant(["https://shop.example"]),
        Grant(["https://shop.example"], secret=["https://shop.example"]),
    ]
    (ask,) = asked
    assert (ask.why, ask.site, ask.permission) == ("touches a card field", "shop.example", "secret")
    assert not ask.scene.is_plain_field
    assert ask.params == {"selector": "#a", "value": "4111", "snapshot": "none"}
    assert ask.where == "Cart – https://shop.example/cart\nThere – https://shop.example/x"
    assert ask.picture == b"element"
    clip = next(sent.params["clip"] for sent in careful.executor.sent if sent.command == "screenshot")
    assert clip == {"x": 0.0, "y": 0.0, "width": 51, "height": 52}
    await careful.run("fill", selector="#a", value="4111")
    assert (extension.done, len(extension.grants)) == (2, 3)
    assert [row.command for row in careful.history.rows()] == ["fill", "fill"]


async def test_without_a_picture_the_person_is_asked_all_the_same(careful: World, asked: list[Ask]) -> None:
    Guarded(careful, "https://shop.example", "card")
    for broken in (failed("TAB_CRASHED"), KaptureError("NOT_SENT", "gone")):
        careful.executor.answers["screenshot"] = broken
        careful.agent.granted.clear()
        await careful.run("fill", selector="#a", value="4111")
    assert [ask.picture for ask in asked] == [None, None]


async def test_a_question_that_is_known_before_comes_before_anything_is_sent(careful: World) -> None:
    careful.router.gates.approvals.leave()
    assert (await refused(careful, "evaluate", code="1")).code == "DENIED"
    assert careful.executor.sent == []


async def test_a_page_that_left_for_a_closed_site_is_denied(careful: World) -> None:
    careful.router.gates.policy.rules.put(Rule("read-only", site="bank.example"))
    extension = Guarded(careful, "https://bank.example")
    error = await refused(careful, "fill", selector="#a", value="1")
    assert (error.code, extension.done) == ("DENIED", 0)
    assert "'read-only' for bank.example" in error.message
    assert (careful.row().state, careful.row().code) == ("error", "DENIED")


async def test_what_is_blocked_says_why_and_how_a_person_would_allow_it(careful: World) -> None:
    way_out = "a person can start the panel with --policy trusting"
    careful.router.gates.policy.rules.put(Rule("read-only", site="bank.example"))
    Guarded(careful, "https://bank.example")
    found = await refused(careful, "fill", selector="#a", value="1")
    assert (careful.row().summary, careful.row().next_step) == (found.what, way_out)
    careful.router.gates.policy = Policy("read-only")
    known = await refused(careful, "fill", selector="#a", value="1")
    assert [error.next_step for error in (found, known)] == [way_out, way_out]
    assert found.message == f"the policy 'read-only' for bank.example does not allow fill (interact); {way_out}"
    assert (careful.row().summary, careful.row().next_step) == (known.what, way_out)


async def test_a_page_that_is_always_somewhere_else_is_given_up(careful: World) -> None:
    extension = Guarded(careful, "https://a1.example")

    async def move(_params: dict[str, Any]) -> Response:
        extension.origin = f"https://a{len(extension.grants)}.example"
        return await extension._answer(_params)

    careful.executor.answers["fill"] = move
    error = await refused(careful, "fill", selector="#a", value="1")
    assert (error.code, len(extension.grants)) == ("DENIED", consent.MAX_DECISIONS)
    assert "already changed" in error.message


async def test_what_it_opened_is_the_clients_and_another_browser_is_another_site(careful: World) -> None:
    careful.executor.answers["new_tab"] = ok({"tabId": "t7", "url": "about:blank"})
    await careful.run("new_tab")
    assert careful.agent.opened == {"t7"}
    assert careful.executor.sent[-1].grant == Grant(["https://shop.example"])
    careful.executor.managed = False
    await careful.run("new_tab")
    assert careful.executor.sent[-1].grant == Grant()


LOOK = {
    "name": "ask", "fullPage": False, "format": "jpeg", "quality": 80,
    "clip": {"x": 0.0, "y": 0.0, "width": 51, "height": 52},
}  # fmt: skip


async def test_the_picture_is_of_the_element_alone_and_small(careful: World) -> None:
    Guarded(careful, "https://shop.example", "card")
    careful.executor.answers["screenshot"] = picture(b"element")
    await careful.run("fill", selector="#a", value="4111")
    (look,) = [sent for sent in careful.executor.sent if sent.command == "screenshot"]
    assert (look.params, look.timeout_ms, look.dialogs) == (LOOK, close_look.LOOK_MS, "")


async def test_what_the_extension_found_in_a_scrolled_page_is_shown_where_it_said(careful: World) -> None:
    Guarded(careful, "https://shop.example", "card")
    careful.executor.answers["get_page_metadata"] = ok({"scroll": {"x": 300, "y": 900}})
    careful.executor.answers["screenshot"] = picture(b"element")
    await careful.run("fill", selector="#a", value="4111")
    (look,) = [sent for sent in careful.executor.sent if sent.command == "screenshot"]
    assert look.params == LOOK


async def test_a_picture_that_takes_too_long_is_done_without(
    careful: World, asked: list[Ask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(close_look, "LOOK_MS", 1)
    Guarded(careful, "https://shop.example", "card")

    async def never(_params: dict[str, Any]) -> Response:
        await asyncio.Event().wait()
        raise AssertionError

    careful.executor.answers["screenshot"] = never
    await careful.run("fill", selector="#a", value="4111")
    assert [ask.picture for ask in asked] == [None]


async def test_a_document_without_a_title_is_shown_by_its_address(careful: World, asked: list[Ask]) -> None:
    async def elsewhere(_params: dict[str, Any]) -> Response:
        if "https://bank.example" in careful.executor.sent[-1].grant.origins:
            return ok({})
        return failed("NEEDS_APPROVAL", "", origin="https://bank.example", url="https://bank.example/y")

    careful.executor.answers["fill"] = elsewhere
    await careful.run("fill", selector="#a", value="1")
    assert asked[0].where == "Cart – https://shop.example/cart\nhttps://bank.example/y"
    assert asked[0].permission == "interact"


async def test_the_same_document_is_shown_once(careful: World, asked: list[Ask]) -> None:
    async def secret(_params: dict[str, Any]) -> Response:
        if careful.executor.sent[-1].grant.secret:
            return ok({})
        url = "https://shop.example/cart"
        return failed("NEEDS_APPROVAL", "", origin="https://shop.example", url=url, title="Cart", fieldKind="card")

    careful.executor.answers["fill"] = secret
    await careful.run("fill", selector="#a", value="1")
    assert asked[0].where == "Cart – https://shop.example/cart"


async def test_what_a_rule_allows_where_it_leads_needs_no_question(careful: World, asked: list[Ask]) -> None:
    careful.router.gates.policy.rules.put(Rule("trusting", site="bank.example"))
    extension = Guarded(careful, "https://bank.example")
    await careful.run("fill", selector="#a", value="1")
    assert (extension.done, asked) == (1, [])


async def test_a_call_waits_for_the_person_as_long_as_its_own_timeout(careful: World) -> None:
    careful.router.gates.approvals = approvals = Approvals(pending_s=30)
    approvals.attend()
    asking = Consent(lambda: careful.router.gates.policy, approvals, careful.executor)
    call = call_of(careful.agent, "evaluate", code="1", timeout=1)
    call.page = "https://shop.example"
    with pytest.raises(KaptureError) as pending:
        await asking.get(call)
    assert pending.value.code == "APPROVAL_PENDING"
    (ask,) = approvals
    assert (ask.where, ask.params) == ("", {"code": "1"})


@pytest.fixture
def waiting(world: World) -> World:
    """A person who takes their time."""
    world.router.gates.policy = Policy("careful")
    world.router.gates.approvals.attend()
    world.tab()
    return world


async def test_what_the_person_decides_after_the_call_had_ended_stands_in_its_row(waiting: World) -> None:
    approvals = waiting.router.gates.approvals
    assert (await refused(waiting, "evaluate", code="1", timeout=1)).code == "APPROVAL_PENDING"
    assert (await refused(waiting, "evaluate", code="1", timeout=1)).code == "APPROVAL_PENDING"
    assert (await refused(waiting, "evaluate", code="2", timeout=1)).code == "APPROVAL_PENDING"
    one, two = approvals
    approvals.deny(one, "no code, please")
    approvals.allow(two)
    second, *firsts = waiting.history.rows()
    said = "a person refused it after the call had ended: no code, please"
    learns = "the agent is told that when it makes the same call again"
    assert [(row.code, row.summary, row.next_step) for row in firsts] == 2 * [("DENIED", said, learns)]
    said = "a person allowed it after the call had ended"
    assert (second.code, second.summary) == ("APPROVAL_PENDING", said)
    assert second.next_step == "the agent may do it if it makes the same call again in time, on the same page"
    assert waiting.agent.errors == 0, "what a gate stops is not broken"


@pytest.mark.parametrize("end", ["withdrawn", "the window has gone"])
async def test_a_question_nobody_answered_leaves_the_row_as_it_is(waiting: World, end: str) -> None:
    approvals = waiting.router.gates.approvals
    await refused(waiting, "evaluate", code="1", timeout=1)
    before = waiting.row().summary
    if end == "withdrawn":
        approvals.withdraw(waiting.agent)
    else:
        approvals.leave()
    assert (waiting.row().code, waiting.row().summary) == ("APPROVAL_PENDING", before)


async def test_a_command_counts_as_sent_only_while_the_extension_has_it(careful: World, asked: list[Ask]) -> None:
    approvals = careful.router.gates.approvals
    asking = Consent(lambda: careful.router.gates.policy, approvals, careful.executor)
    call = call_of(careful.agent, "fill")
    call.page, call.grant = "https://shop.example", Grant(["https://shop.example"])
    found: list[tuple[str, bool]] = []
    approvals.added.connect(lambda _ask: found.append(("asked", call.is_sent)))

    async def sending() -> Response:
        found.append(("sending", call.is_sent))
        needed = failed("NEEDS_APPROVAL", "", origin="https://bank.example", url="https://bank.example/")
        return ok({}) if "https://bank.example" in call.grant.origins else needed

    await asking.send(call, sending)
    assert found == [("sending", True), ("asked", False), ("sending", True)]
    assert call.is_sent


@pytest.mark.parametrize(
    ("code", "is_sent"),
    [("NOT_SENT", False), ("TAB_DISCONNECTED", False), ("PAUSED", False), ("TAB_LEASED", False),
     ("OUTCOME_UNKNOWN", True)],
)  # fmt: skip
async def test_what_ended_before_it_was_sent_is_known_by_its_error(careful: World, code: str, is_sent: bool) -> None:
    asking = Consent(lambda: careful.router.gates.policy, careful.router.gates.approvals, careful.executor)
    call = call_of(careful.agent, "fill")

    async def sending() -> Response:
        raise KaptureError(code, "it ended")

    with pytest.raises(KaptureError, match="it ended"):
        await asking.send(call, sending)
    assert call.is_sent is is_sent


async def test_how_long_the_person_took_is_added_up(careful: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([100.0, 102.5, 200.0, 200.25])
    monkeypatch.setattr(consent, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    asking = Consent(lambda: careful.router.gates.policy, careful.router.gates.approvals, careful.executor)
    call = call_of(careful.agent, "evaluate", code="1")
    for site in ("https://shop.example", "https://bank.example"):
        call.page = site
        await asking.get(call)
    assert call.waited_ms == 2750


async def test_no_picture_is_taken_for_nobody(careful: World) -> None:
    careful.router.gates.approvals.leave()
    extension = Guarded(careful, "https://shop.example", "card")
    assert (await refused(careful, "fill", selector="#a", value="4111")).code == "DENIED"
    assert [sent.command for sent in careful.executor.sent] == ["fill"]
    assert extension.done == 0


async def test_nobody_is_asked_about_a_picture_that_is_not_there(world: World, tmp_path: Path) -> None:
    world.router.gates.policy = Policy("trusting")
    error = await refused(world, "read_image", path=str(tmp_path / "b.png"))
    assert (error.code, error.what) == ("FILE_NOT_FOUND", f"there is no file {tmp_path}/b.png")
    (tmp_path / "a.png").touch()
    assert (await refused(world, "read_image", path=str(tmp_path / "a.png"))).code == "FILE_NOT_ALLOWED"


async def test_only_a_picture_with_a_whole_path_is_looked_for_before_the_person_is_asked(
    world: World, tmp_path: Path
) -> None:
    world.tab()
    for command, given in (
        ("read_image", {"path": "b.png"}),
        ("upload_file", {"selector": "#f", "paths": [str(tmp_path / "b.png")]}),
    ):
        assert (await refused(world, command, **given)).code == "FILE_NOT_ALLOWED"
