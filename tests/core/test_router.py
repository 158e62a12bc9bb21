"""The one way of every command: validate, policy, row, executor, settled row, answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import export
from kapture_panel.core import router
from kapture_panel.core.answer import Answer, Picture
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.wire.protocol import EVERYTHING, NOTHING, Response
from tests.support.core.fakes import CATALOGUE, COMMANDS, World, failed, minimal, ok, picture, refused

CANARY = "kanari3nvogel"


def running(world: World, command: str, **params: Any) -> asyncio.Task[Answer]:
    return tasks.spawn(world.run(command, **params), command)


@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_goes_the_same_way(world: World, name: str) -> None:
    world.tab()
    command = CATALOGUE.get(name)
    if command.result == "image":
        world.executor.answers[name] = picture()
    # Files are another story: the policy asks where they are, and its own tests tell it.
    world.router.gates.policy.allow_dirs = (Path("/"),)
    answer = await world.run(name, **minimal(command))
    assert answer.command is command
    row = world.row()
    assert (row.command, row.state, row.client, row.kind, row.id) == (name, "ok", "claude", "agent", answer.row_id)
    if command.scope == "panel":
        assert world.executor.sent == []
        assert answer.result == {"tabs": [{"tabId": "t1"}]}
    else:
        (sent,) = world.executor.sent
        assert sent.command == name
        assert sent.tab_id == ("t1" if command.scope == "tab" else "")
        assert sent.timeout_ms == 30_000
        expected = command.validate(minimal(command))
        assert sent.params == {key: value for key, value in expected.items() if key not in ("timeout", "tabId")}
        assert sent.grant == (NOTHING if command.asks else EVERYTHING)


async def test_an_answer_carries_all_the_extension_said(world: World) -> None:
    world.tab()
    world.executor.answers["click"] = ok(
        {"clicked": "button"}, effects={"changed": True}, lateEffects={"requests": 2}, snapshot="- button", ms=3.0
    )
    answer = await world.run("click", ref="e1", timeout=77)
    assert (answer.result, answer.effects, answer.late_effects) == (
        {"clicked": "button"}, {"changed": True}, {"requests": 2},
    )  # fmt: skip
    assert (answer.snapshot, answer.tab_id) == ("- button", "t1")
    assert answer.ms > 0
    assert world.executor.sent[0].timeout_ms == 77
    assert world.tabs.get("t1").last_ms == 3.0
    assert world.row().summary == "page changed"
    assert world.row().effects == {"changed": True}


async def test_the_row_of_an_action_is_on_disk_before_it_is_sent(world: World) -> None:
    world.tab()
    seen: list[tuple[str, str]] = []

    async def look(_params: dict[str, Any]) -> Response:
        with contextlib.closing(sqlite3.connect(world.folder / "history.sqlite3")) as other:
            seen.extend(other.execute("SELECT command, state FROM commands"))
        return ok()

    world.executor.answers["click"] = look
    await world.run("click", ref="e1")
    assert seen == [("click", "running")]


async def test_without_a_row_nothing_is_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.tab()

    def full(_row: object, *, durable: bool) -> None:
        raise KaptureError("INTERNAL", "the history cannot be written")

    monkeypatch.setattr(world.history, "begin", full)
    assert (await refused(world, "click", ref="e1")).code == "INTERNAL"
    assert world.executor.sent == []
    assert world.agent.running == 0


@pytest.mark.parametrize(
    ("command", "params", "code"),
    [
        ("clik", {}, "INVALID_PARAMS"),
        ("click", {"ref": "e1", "button": "fourth"}, "INVALID_PARAMS"),
        ("click", {"ref": "e1", "tabId": "t9"}, "TAB_NOT_FOUND"),
        ("navigate", {"url": "javascript:1"}, "DENIED"),
    ],
)
async def test_what_is_refused_at_the_door_leaves_no_trace(
    world: World, command: str, params: dict[str, Any], code: str
) -> None:
    world.tab()
    assert (await refused(world, command, **params)).code == code
    assert world.executor.sent == []
    assert len(world.history) == 0
    assert (world.agent.calls, world.agent.running) == (0, 0)


async def test_the_policy_is_for_agents_and_not_for_the_person(tmp_path: Path) -> None:
    world = World(tmp_path, Policy("read-only"))
    world.tab()
    assert (await refused(world, "click", ref="e1")).code == "DENIED"
    await world.run("logs")
    await world.router.run(world.person, "click", {"ref": "e1"})
    assert [row.command for row in world.history.rows()] == ["click", "logs"]
    world.history.close()


async def test_typed_text_is_nowhere_on_disk(world: World) -> None:
    world.tab(url=f"https://me:{CANARY}@a.example/?token={CANARY}")
    address = f"https://u:{CANARY}@a.example/?code={CANARY}"
    world.executor.answers |= {
        "click": ok(effects={"url": f"https://a.example/done?token={CANARY}", "newTabs": [{"url": address}]}),
        "reload": failed("NAVIGATION_FAILED", f"{address} could not be loaded"),
        "logs": ok(f"see {address}"),
    }
    await world.run("fill", ref="e1", value=CANARY)
    await world.run("type", text=CANARY)
    await world.run("handle_dialog", accept=True, promptText=CANARY)
    await world.run("navigate", url=address)
    await world.run("navigate", url=f"/login?token={CANARY}")
    await world.run("click", ref="e1")
    await world.run("logs")
    await refused(world, "reload")
    assert world.executor.sent[0].params["value"] == CANARY
    for key, (_, suffix, _) in export.FORMATS.items():
        export.write(world.folder / f"{key}{suffix}", key, world.history.rows()[::-1], world.folder)
    world.history.flush()
    for path in world.folder.rglob("*"):
        assert path.is_dir() or CANARY.encode() not in path.read_bytes(), path.name


async def test_commands_reach_the_executor_in_the_order_they_were_given(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    given = [running(world, "press_key", key=str(number)) for number in range(20)]
    arrived = [await world.executor.arrived.get() for _ in given]
    assert [sent.params["key"] for sent in arrived] == [str(number) for number in range(20)]
    world.executor.open.set()
    await asyncio.gather(*given)


class TestWhichTab:
    async def test_the_only_tab_needs_no_name(self, world: World) -> None:
        world.tab()
        assert (await world.run("reload")).tab_id == "t1"

    async def test_of_several_tabs_one_must_be_named(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        error = await refused(world, "reload")
        assert error.code == "TAB_NOT_FOUND"
        assert error.message == "name a tabId: connected are t1 (shop.example), t2 (shop.example)"
        assert (await world.run("reload", tabId="t2")).tab_id == "t2"

    async def test_the_tab_used_last_is_meant_until_another_is_named(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        await world.run("reload", tabId="t2")
        assert (await world.run("reload")).tab_id == "t2"
        await world.run("logs", tabId="t1")
        assert (await world.run("reload")).tab_id == "t1"

    async def test_each_client_has_its_own_current_tab(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        other = Client("cursor", "agent")
        await world.run("reload", tabId="t1")
        await world.router.run(other, "reload", {"tabId": "t2"})
        assert (await world.run("reload")).tab_id == "t1"

    async def test_a_failed_command_does_not_change_the_current_tab(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        await world.run("reload", tabId="t1")
        world.executor.answers["click"] = failed("STALE_REF")
        await refused(world, "click", ref="e1", tabId="t2")
        assert world.agent.current_tab == "t1"

    async def test_a_vanished_tab_is_told_once_and_then_forgotten(self, world: World) -> None:
        gone = world.tab("t1")
        world.tab("t2")
        await world.run("reload", tabId="t1")
        world.tabs.remove(gone)
        error = await refused(world, "reload")
        assert error.code == "TAB_DISCONNECTED"
        assert error.message == (
            "the tab 't1' you used last is closed or disconnected; connected are t2 (shop.example)"
        )
        assert (await world.run("reload")).tab_id == "t2"

    async def test_without_a_tab_most_commands_say_how_to_get_one(self, world: World) -> None:
        error = await refused(world, "reload")
        assert error.code == "TAB_NOT_FOUND"
        assert "start a browser with kapturemcp_navigate" in error.message
        assert world.executor.opened_browsers == 0

    async def test_without_a_tab_navigate_opens_a_browser(self, world: World) -> None:
        answer = await world.run("navigate", url="https://a.example/")
        assert (answer.tab_id, world.executor.opened_browsers) == ("managed1", 1)
        assert world.agent.current_tab == world.row().tab_id == "managed1"
        await world.run("navigate", url="https://b.example/")
        assert world.executor.opened_browsers == 1

    async def test_when_the_last_tab_is_gone_navigate_opens_a_browser_again(self, world: World) -> None:
        tab = world.tab()
        await world.run("reload")
        world.tabs.remove(tab)
        assert (await world.run("navigate", url="https://a.example/")).tab_id == "managed1"

    async def test_a_new_tab_becomes_the_current_one(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        world.executor.answers["new_tab"] = ok({"tabId": "t2", "url": "about:blank"})
        assert (await world.run("new_tab")).tab_id == "t2"
        assert world.executor.opened_browsers == 0
        assert (await world.run("reload")).tab_id == "t2"

    async def test_a_clients_rule_for_dialogs_goes_with_its_commands_and_their_answers_come_back(
        self, world: World
    ) -> None:
        world.tab("t1")
        world.agent.dialogs = "dismiss"
        shown = [{"type": "alert", "message": "Hi", "accepted": False}]
        world.executor.answers["reload"] = ok({}, dialogs=shown)
        world.executor.answers["new_tab"] = ok({"tabId": "t1"}, dialogs=shown)
        world.executor.answers["click"] = Response(
            id="c1", success=False, error={"code": "COMMAND_TIMEOUT", "message": "late"}, dialogs=shown
        )
        assert (await world.run("reload")).dialogs == shown
        assert (await world.run("new_tab")).dialogs == shown
        assert (await refused(world, "click", selector="#a")).details == {"dialogs": shown}
        assert {sent.dialogs for sent in world.executor.sent} == {"dismiss"}
        await world.router.run(world.person, "reload", {"tabId": "t1"})
        assert world.executor.sent[-1].dialogs == ""

    async def test_a_new_tab_without_any_browser_opens_one(self, world: World) -> None:
        await world.run("new_tab")
        assert world.executor.opened_browsers == 1
        assert world.executor.sent[0].tab_id == ""

    async def test_listing_what_is_open_starts_no_browser(self, world: World) -> None:
        world.executor.answers["list_browser_tabs"] = ok({"tabs": [{"browserTabId": 7}]})
        assert (await world.run("list_browser_tabs")).result == {"tabs": [{"browserTabId": 7}]}
        assert world.executor.opened_browsers == 0
        world.agent.isolate()
        await world.run("list_browser_tabs")
        assert world.executor.opened_browsers == 1

    async def test_a_conversation_with_its_own_browser_gets_one_with_any_first_call(self, world: World) -> None:
        world.tab("shared")
        world.agent.isolate()
        await world.run("evaluate", code="1")
        assert world.executor.opened_browsers == 1
        assert [sent.tab_id for sent in world.executor.sent] == ["managed1"]
        assert world.tabs.get("managed1").session == world.agent.session

    async def test_tabs_of_another_conversation_are_neither_found_nor_told(self, world: World) -> None:
        other = world.tab("others")
        other.session = "somebody"
        error = await refused(world, "evaluate", code="1", tabId="others")
        assert (error.code, error.message.partition(";")[2]) == ("TAB_NOT_FOUND", " " + Tabs().listing())
        assert (await refused(world, "evaluate", code="1")).code == "TAB_NOT_FOUND"
        assert (await world.router.run(world.person, "evaluate", {"code": "1"})).tab_id == "others"

    async def test_a_person_gets_a_shared_browser_beside_a_conversations_own(self, world: World) -> None:
        world.tab("others").session = "somebody"
        await world.router.run(world.person, "new_tab", {})
        assert world.executor.opened_browsers == 1

    async def test_a_session_whose_browser_ended_says_so_once(self, world: World) -> None:
        world.agent.isolate()
        await world.run("evaluate", code="1")
        world.tabs.remove(world.tabs.get("managed1"))
        error = await refused(world, "evaluate", code="1")
        assert error.code == "TAB_DISCONNECTED"
        assert error.message.endswith("the next call starts a new browser")
        assert (await world.run("evaluate", code="1")).tab_id == "managed2"

    async def test_a_picture_belongs_to_the_session_it_shows(self, world: World) -> None:
        world.executor.answers["screenshot"] = picture()
        world.agent.isolate()
        answer = await world.run("screenshot", name="a")
        assert answer.shot is not None
        assert answer.shot.session == world.agent.session

    async def test_a_browser_that_does_not_start_is_an_error_of_the_command(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(_session: str) -> None:
            raise KaptureError("FILE_NOT_FOUND", "no browser was found")

        monkeypatch.setattr(world.executor, "open_browser", fail)
        assert (await refused(world, "navigate", url="https://a.example/")).code == "FILE_NOT_FOUND"
        assert (world.row().state, world.row().code) == ("error", "FILE_NOT_FOUND")


async def test_a_tab_that_a_command_opened_is_its_clients(world: World) -> None:
    world.tab()
    popup, other = world.tab("popup"), world.tab("other")
    other.driver = "somebody"
    opened = [{"tabId": tab_id} for tab_id in ("popup", "other", "gone")]
    world.executor.answers["click"] = ok({}, effects={"newTabs": opened})
    await world.run("click", tabId="t1", selector="#a")
    assert (popup.driver, other.driver) == ("claude", "somebody")


async def test_while_a_command_runs_its_tab_says_so_and_by_whom(world: World) -> None:
    tab = world.tab()
    world.executor.open.clear()
    call = running(world, "reload")
    await world.executor.arrived.get()
    assert (tab.state, tab.driver) == ("executing", "claude")
    assert world.agent.running == 1
    world.executor.open.set()
    await call
    assert (tab.state, world.agent.running, world.agent.calls) == ("connected", 0, 1)


async def test_a_tab_is_driven_as_long_as_any_command_runs_in_it(world: World) -> None:
    tab = world.tab()
    states: list[str] = []
    world.tabs.changed.connect(lambda changed: states.append(changed.state))
    first, second = asyncio.Event(), asyncio.Event()

    def until(done: asyncio.Event) -> Callable[[dict[str, Any]], Awaitable[Response]]:
        async def answer(_params: dict[str, Any]) -> Response:
            await done.wait()
            return ok()

        return answer

    world.executor.answers |= {"click": until(first), "handle_dialog": until(second)}
    world.tabs.show_dialog(tab, is_open=True)
    calls = [running(world, "click", selector="#a"), running(world, "handle_dialog", accept=True)]
    for _ in calls:
        await world.executor.arrived.get()
    first.set()
    await calls[0]
    assert tab.state == "executing"
    world.tabs.show_dialog(tab, is_open=False)
    second.set()
    await calls[1]
    assert (states[0], states[-1], set(states[1:-1])) == ("dialog", "connected", {"executing"})


async def test_a_command_that_met_an_open_dialog_leaves_it_shown(world: World) -> None:
    tab = world.tab()
    world.tabs.show_dialog(tab, is_open=True)
    world.executor.answers["click"] = failed("DIALOG_OPEN", "call kapturemcp_handle_dialog")
    await refused(world, "click", ref="e1")
    assert tab.state == "dialog"


async def test_a_dialog_that_opened_meanwhile_stays_shown(world: World) -> None:
    tab = world.tab()

    async def with_dialog(_params: dict[str, Any]) -> Response:
        world.tabs.show_dialog(tab, is_open=True)
        return failed("DIALOG_OPEN", "call kapturemcp_handle_dialog")

    world.executor.answers["click"] = with_dialog
    await refused(world, "click", ref="e1")
    assert tab.state == "dialog"


async def test_an_error_of_the_extension_settles_the_row(world: World) -> None:
    world.tab()
    world.executor.answers["click"] = failed("STALE_REF", "e1 is gone; take a new snapshot", ref="e1")
    error = await refused(world, "click", ref="e1")
    assert (error.code, error.message, error.details) == (
        "STALE_REF", "e1 is gone; take a new snapshot", {"ref": "e1"},
    )  # fmt: skip
    row = world.row()
    assert (row.state, row.code, row.summary) == ("error", "STALE_REF", "e1 is gone; take a new snapshot")
    assert row.ms is not None
    assert (world.agent.errors, world.agent.running) == (1, 0)


async def test_a_broken_connection_leaves_an_unknown_outcome(world: World) -> None:
    world.tab()
    settled: list[str] = []
    world.history.settled.connect(lambda row: settled.append(row.state))
    world.executor.answers["click"] = KaptureError("OUTCOME_UNKNOWN", "look at the page before trying again")
    assert (await refused(world, "click", ref="e1")).code == "OUTCOME_UNKNOWN"
    assert settled == ["unknown"]
    assert world.row().state == "unknown"


async def test_a_defect_settles_the_row_too(world: World) -> None:
    world.tab()

    async def broken(_params: dict[str, Any]) -> Response:
        raise ZeroDivisionError("division by zero")

    world.executor.answers["click"] = broken
    with pytest.raises(ZeroDivisionError):
        await world.run("click", ref="e1")
    assert (world.row().state, world.row().code) == ("error", "INTERNAL")
    assert (world.agent.errors, world.agent.running) == (1, 0)


async def test_a_caller_that_gives_up_cancels_the_command_and_settles_the_row(world: World) -> None:
    tab = world.tab()
    world.executor.open.clear()
    call = running(world, "click", ref="e1")
    await world.executor.arrived.get()
    await tasks.end(call)
    assert call.cancelled()
    assert world.executor.cancelled == ["click"]
    assert (world.row().state, world.row().summary) == ("cancelled", "cancelled by its caller")
    assert (tab.state, world.agent.running, world.agent.errors) == ("connected", 0, 0)


async def test_a_tab_that_does_not_answer_is_given_up_after_its_timeout(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "GRACE_S", 0.0)
    world.tab()
    world.executor.open.clear()
    error = await refused(world, "click", ref="e1", timeout=1)
    assert error.code == "COMMAND_TIMEOUT"
    assert error.message.startswith("click did not answer within 1 ms;")
    assert world.executor.cancelled == ["click"]
    assert (world.row().state, world.row().code) == ("error", "COMMAND_TIMEOUT")


async def test_the_extension_has_a_grace_to_tell_of_its_own_timeout(world: World) -> None:
    assert router.GRACE_S > 0
    world.tab()
    world.executor.answers["click"] = failed("COMMAND_TIMEOUT", "the element did not come to rest")
    assert "come to rest" in (await refused(world, "click", ref="e1", timeout=1)).message


async def test_one_client_has_so_many_commands_under_way_and_no_more(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    calls = [running(world, "reload") for _ in range(router.MAX_RUNNING)]
    for _ in calls:
        await world.executor.arrived.get()
    error = await refused(world, "reload")
    assert error.code == "BUSY"
    assert "64 commands of this client are under way" in error.message
    other = tasks.spawn(world.router.run(Client("cursor", "agent"), "snapshot", {}), "another client")
    await world.executor.arrived.get()
    world.executor.open.set()
    await asyncio.gather(*calls, other)
    assert len(world.history) == router.MAX_RUNNING + 1
    await world.run("reload")


async def test_a_picture_is_stored_and_answered_with_its_bytes(world: World) -> None:
    world.tab()
    world.executor.answers["screenshot"] = picture(b"the picture", scale=0.5, x=3, y=4)
    answer = await world.run("screenshot", name="cart")
    assert answer.image == b"the picture"
    assert answer.shot is not None
    assert answer.shot.path.read_bytes() == b"the picture"
    assert answer.shot.name == "cart"
    assert answer.result == {
        "format": "png", "width": 20, "height": 10, "scale": 0.5, "x": 3, "y": 4, "path": str(answer.shot.path),
    }  # fmt: skip
    assert world.row().shot == answer.shot.path.name
    assert world.row().summary == "20 × 10 png"


async def test_every_answer_is_announced_and_no_error(world: World) -> None:
    world.tab()
    heard: list[tuple[str, str]] = []
    world.router.answered.connect(lambda client, answer: heard.append((client.name, answer.command.short_name)))
    await world.run("reload")
    world.executor.answers["click"] = failed("STALE_REF")
    await refused(world, "click", ref="e1")
    assert heard == [("claude", "reload")]


async def test_the_row_holds_what_was_given_and_not_the_defaults(world: World) -> None:
    world.tab()
    await world.run("click", selector="#buy")
    row = world.row()
    assert row.params == {"selector": "#buy"}
    assert (row.tab_id, row.site, row.url) == ("t1", "shop.example", "https://shop.example/cart")
    json.dumps(row.params)


async def test_an_error_that_repeats_what_was_typed_is_kept_without_it(world: World) -> None:
    world.tab()
    world.executor.answers["fill"] = KaptureError("INVALID_PARAMS", 'the field takes a number, not "my canary"')
    with pytest.raises(KaptureError, match="my canary"):
        await world.run("fill", selector="#a", value="my canary")
    assert "canary" not in repr(world.row())


def needs_approval(site: str) -> Response:
    """What the extension answers as long as nobody granted the tab's origin."""
    more = {"site": site, "origin": f"https://{site}", "url": f"https://{site}/?q=1", "title": "Inbox"}
    return failed("NEEDS_APPROVAL", "a person is asked first", **more)


class Asking:
    """An extension whose tab is at `site`, and a person who answers each ask with `decide`."""

    def __init__(self, world: World, decide: Callable[[Ask], object]) -> None:
        self.site = "mail.example"
        self.asks: list[Ask] = []
        self.grants: list[list[str] | str] = []
        self._world = world
        self._decide = decide
        world.executor.answers["connect_tab"] = self._answer
        world.router.gates.approvals.attend()
        world.router.gates.approvals.added.connect(self._on_added)

    async def _answer(self, _params: dict[str, Any]) -> Response:
        origins = self._world.executor.sent[-1].grant.origins
        self.grants.append(origins)
        if origins == "*" or f"https://{self.site}" in origins:
            return ok({"tabId": "t9", "url": "https://mail.example/", "title": "Inbox"})
        return needs_approval(self.site)

    def _on_added(self, ask: Ask) -> None:
        self.asks.append(ask)
        asyncio.get_running_loop().call_soon(self._decide, ask)


async def test_a_command_that_asks_is_sent_again_with_what_the_person_granted(world: World) -> None:
    asking = Asking(world, world.router.gates.approvals.allow)
    answer = await world.run("connect_tab", browserTabId=7)
    assert answer.result["tabId"] == world.agent.current_tab == "t9"
    assert asking.grants == [[], ["https://mail.example"]]
    (ask,) = asking.asks
    assert (ask.client, ask.params, ask.site) == (world.agent, {"browserTabId": 7}, "mail.example")
    assert (ask.why, ask.scopes) == ("shares a tab that is not connected", ("once",))
    assert ask.where == "Inbox – https://mail.example/?q=1"
    assert world.executor.opened_browsers == 0


async def test_a_refused_command_is_not_sent_again_and_tells_only_the_host(world: World) -> None:
    asking = Asking(world, lambda ask: world.router.gates.approvals.deny(ask, "private"))
    with pytest.raises(KaptureError) as denied:
        await world.run("connect_tab", browserTabId=7)
    assert denied.value.as_wire() == {
        "code": "DENIED", "message": "a person refused connect_tab on mail.example: private",
    }  # fmt: skip
    assert asking.grants == [[]]
    assert (world.row().state, world.row().code) == ("error", "DENIED")
    assert world.agent.current_tab == ""


async def test_a_tab_that_went_elsewhere_while_the_person_thought_is_asked_about_anew(world: World) -> None:
    def decide(ask: Ask) -> None:
        asking.site = "bank.example"
        world.router.gates.approvals.allow(ask)

    asking = Asking(world, decide)
    await world.run("connect_tab", browserTabId=7)
    assert asking.grants == [[], ["https://mail.example"], ["https://mail.example", "https://bank.example"]]
    assert [ask.site for ask in asking.asks] == ["mail.example", "bank.example"]


async def test_the_person_is_not_asked(world: World) -> None:
    asking = Asking(world, world.router.gates.approvals.deny)
    await world.router.run(world.person, "connect_tab", {"browserTabId": 7})
    assert (asking.grants, asking.asks) == (["*"], [])


async def test_a_client_that_leaves_takes_its_asks_with_it(world: World) -> None:
    asking = Asking(world, lambda _ask: world.clients.remove(world.agent))
    with pytest.raises(KaptureError, match="taken back"):
        await world.run("connect_tab", browserTabId=7)
    assert asking.asks[0].state == "withdrawn"
    assert asking.grants == [[]]


async def test_a_panel_command_answers_a_picture_that_is_no_screenshot(world: World) -> None:
    async def read(_client: Client, _params: dict[str, Any]) -> Picture:
        return Picture(
            b"bytes", {"text": "Image from /a.png", "format": "png", "width": 3, "height": 2, "path": "/a.png"}
        )

    world.router = world.made(Policy(), read)
    answer = await world.router.run(world.person, "read_image", {"path": "/a.png"})
    assert (answer.image, answer.shot, len(world.shots)) == (b"bytes", None, 0)
    assert world.row().summary == "3 × 2 of /a.png"


async def test_the_row_of_a_script_keeps_its_address_and_its_hash(world: World) -> None:
    world.tab()
    world.executor.answers["inject_script"] = ok(
        {"sha256": "ab" * 32, "bytes": 3, "value": 1}, effects={"changed": False}
    )
    await world.run("inject_script", url="https://a.example/a.js?token=s3cret")
    row = world.row()
    assert row.params == {"url": "https://a.example/a.js?token=***"}
    assert row.summary == f"sha256 {'ab' * 32} · no observable effect"


class Preparing:
    """Stands around a command's sending: says when it began, then waits to be let on."""

    def __init__(self) -> None:
        self.began, self.on = asyncio.Event(), asyncio.Event()

    async def __call__(self, _tab: Tab, params: dict[str, Any], send: router.Send) -> Response:
        self.began.set()
        await self.on.wait()
        return await send(params)


def prepared(world: World) -> Preparing:
    preparing = Preparing()
    world.router = world.made(Policy(), world._list_tabs, {"kapturemcp_click": preparing})
    return preparing


async def test_what_is_done_before_sending_keeps_the_timeout(world: World) -> None:
    world.tab()
    prepared(world)
    error = await refused(world, "click", selector="#a", timeout=30)
    assert error.code == "COMMAND_TIMEOUT"
    assert error.message == "click did not answer within 30 ms; nothing was done: try a longer timeout"
    assert world.executor.sent == []


async def test_what_is_done_before_sending_ends_with_the_tab_and_with_no_other(world: World) -> None:
    tab, other = world.tab(), world.tab("t2")
    preparing = prepared(world)
    click = running(world, "click", selector="#a", tabId="t1")
    await preparing.began.wait()
    world.tabs.remove(other)
    await asyncio.sleep(0)
    assert not click.done()
    world.tabs.remove(tab)
    with pytest.raises(KaptureError, match="the tab t1 was closed or disconnected; nothing was done") as raised:
        await click
    assert raised.value.code == "TAB_DISCONNECTED"
    assert world.executor.sent == []


async def test_once_it_is_sent_the_extension_has_what_is_left_of_the_time_and_the_last_word(world: World) -> None:
    tab = world.tab()
    preparing = prepared(world)
    world.executor.open.clear()
    world.executor.answers["click"] = failed("TAB_CRASHED", "its own words")
    click = running(world, "click", selector="#a", timeout=60_000)
    await preparing.began.wait()
    await asyncio.sleep(0.01)  # takes this much of the time
    preparing.on.set()
    sent = await world.executor.arrived.get()
    assert 0 < sent.timeout_ms <= 59_990
    world.tabs.remove(tab)
    world.executor.open.set()
    with pytest.raises(KaptureError, match="its own words"):
        await click


async def test_a_command_of_the_panel_ends_at_its_timeout(world: World) -> None:
    async def never(_client: Client, _params: dict[str, Any]) -> Any:
        await asyncio.Event().wait()

    world.router = world.made(Policy(), never)
    error = await refused(world, "list_tabs", timeout=20)
    assert error.code == "COMMAND_TIMEOUT"
    assert error.message == "list_tabs did not answer within 20 ms; try a longer timeout"


async def test_paused_agents_are_refused_before_anything_is_written(world: World) -> None:
    world.tab()
    world.router.gates.pause.hold()
    assert (await refused(world, "click", selector="#a")).code == "PAUSED"
    assert (len(world.history), world.executor.sent) == (0, [])
    await world.router.run(world.person, "click", {"selector": "#a"})


async def test_an_action_cut_by_a_pause_is_unknown_in_its_row_and_taken_back_over_there(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    going = running(world, "reload")
    await world.executor.arrived.get()
    world.router.gates.pause.hold()
    with pytest.raises(KaptureError) as error:
        await going
    assert (error.value.code, world.row().state) == ("OUTCOME_UNKNOWN", "unknown")
    assert world.executor.cancelled == ["reload"]


async def test_a_tab_is_held_by_who_acts_in_it_and_an_action_that_was_not_sent_holds_nothing(world: World) -> None:
    world.tab()
    other = Client("cursor", "agent")
    await world.run("snapshot")
    world.executor.answers["click"] = failed("NEEDS_APPROVAL", origin="https://x.example", site="x.example", url="")
    world.router.gates.policy.preset = "read-only"
    world.router.gates.policy.rules.put(Rule("trusting", site="shop.example"))
    assert (await refused(world, "click", selector="#a")).code == "DENIED"
    assert world.router.gates.leases.holder("t1") is None
    world.executor.answers.clear()
    await world.run("click", selector="#a")
    with pytest.raises(KaptureError) as error:
        await world.router.run(other, "click", {"selector": "#a"})
    assert (error.value.code, error.value.details) == ("TAB_LEASED", {"holder": "claude"})
    await world.router.run(other, "snapshot", {})


@pytest.mark.parametrize(
    ("code", "is_held"),
    [("NOT_SENT", False), ("TAB_DISCONNECTED", False), ("PAUSED", False), ("OUTCOME_UNKNOWN", True)],
)
async def test_a_command_that_never_left_gives_its_tab_back(world: World, code: str, is_held: bool) -> None:
    world.tab()
    world.executor.answers["click"] = KaptureError(code, "the connection is closed")
    assert (await refused(world, "click", selector="#a")).code == code
    assert (world.router.gates.leases.holder("t1") is world.agent) == is_held
    # What was held before stays held.
    world.executor.answers.pop("click")
    await world.run("click", selector="#a")
    world.executor.answers["click"] = KaptureError(code, "the connection is closed")
    await refused(world, "click", selector="#a")
    assert world.router.gates.leases.holder("t1") is world.agent


async def test_a_tab_that_a_command_closed_is_held_by_nobody(world: World) -> None:
    tab, gone = world.tab(), world.tab("t2")

    async def closing(_params: dict[str, Any]) -> Response:
        world.tabs.remove(tab)
        world.tabs.remove(gone)
        return ok({}, effects={"newTabs": [{"tabId": "t2"}]})

    world.executor.answers["close_tab"] = closing
    await world.run("close_tab", tabId="t1")
    world.tab()
    world.tab("t2")
    assert [world.router.gates.leases.holder(tab_id) for tab_id in ("t1", "t2")] == [None, None]


async def test_who_is_too_fast_is_told_when_to_try_again(world: World) -> None:
    world.tab()
    world.router.gates.policy.rules.set_rate(Rate(per_s=1, burst=2))
    for _ in range(2):
        await world.run("snapshot")
    error = await refused(world, "snapshot")
    assert error.code == "RATE_LIMITED"
    assert 0 < error.details["retryAfterMs"] <= 1000
    await world.router.run(world.person, "snapshot", {})
