"""Which tab a command goes to, and what its tab says meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import World, failed, ok, picture, refused
from tests.support.core.router import running


class TestWhichTab:
    async def test_the_only_tab_needs_no_name(self, world: World) -> None:
        world.tab()
        assert (await world.run("reload")).tab_id == "t1"

    async def test_of_several_tabs_one_must_be_named(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        error = await refused(world, "reload")
        assert error.code == "TAB_NOT_FOUND"
        assert error.message == "no tab is named; connected are t1 (shop.example), t2 (shop.example)"
        assert (await world.run("reload", tabId="t2")).tab_id == "t2"

    async def test_who_goes_somewhere_first_gets_a_tab_of_its_own(self, world: World) -> None:
        world.tab("t1")
        world.tab("t2")
        assert (await world.run("navigate", url="https://shop.example/")).tab_id == "managed1"
        assert world.agent.opened == {"managed1"}
        assert (await world.run("reload")).tab_id == "managed1"
        assert (await world.run("navigate", url="https://shop.example/cart")).tab_id == "managed1"

    @pytest.mark.parametrize("code", ["APPROVAL_PENDING", "NAVIGATION_FAILED"])
    async def test_who_makes_the_same_call_again_means_the_tab_it_was_given(self, world: World, code: str) -> None:
        world.tab("t1")
        world.tab("t2")
        world.executor.answers["navigate"] = KaptureError(code, "not yet", "make the same call again")
        await refused(world, "navigate", url="https://shop.example/")
        del world.executor.answers["navigate"]
        assert (await world.run("navigate", url="https://shop.example/")).tab_id == "managed1"
        assert world.executor.opened_browsers == 1

    async def test_who_goes_somewhere_is_not_led_into_the_only_tab_if_somebody_else_holds_it(
        self, world: World
    ) -> None:
        world.tab("t1")
        await world.run("click", selector="#a")
        other = Client("cursor", "agent")
        url = "https://shop.example/"
        assert (await world.router.run(other, "navigate", {"url": url})).tab_id == "managed1"
        assert (await world.run("navigate", url=url)).tab_id == "t1"

    async def test_after_ones_tab_was_closed_the_error_names_what_is_left(self, world: World) -> None:
        world.tab("t1")
        gone = world.tab("t2")
        world.tab("t3")
        await world.run("reload", tabId="t2")
        world.tabs.remove(gone)
        error = await refused(world, "click", selector="#a")
        assert error.code == "TAB_DISCONNECTED"
        assert "'t2' you used last is closed" in error.message
        assert "connected are t1 (shop.example), t3 (shop.example)" in error.message
        assert (await world.run("navigate", url="https://shop.example/")).tab_id == "managed1"

    async def test_who_closed_its_own_tab_begins_anew(self, world: World) -> None:
        world.tab("t1")
        gone = world.tab("t2")
        world.tab("t3")
        await world.run("reload", tabId="t2")
        await world.run("close_tab", tabId="t1")
        assert world.agent.current_tab == "t2"
        await world.run("close_tab")
        world.tabs.remove(gone)
        assert (await world.run("navigate", url="https://shop.example/")).tab_id == "managed1"
        await world.run("close_tab")
        managed = world.tabs.find("managed1")
        assert managed is not None
        world.tabs.remove(managed)
        error = await refused(world, "click", selector="#a")
        assert (error.code, error.next_step) == (
            "TAB_DISCONNECTED",
            "connected are t1 (shop.example), t3 (shop.example)",
        )

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

    async def test_a_new_tab_whose_page_did_not_load_is_its_clients_too(self, world: World) -> None:
        world.tab("t1")
        opened = world.tab("t2")
        world.executor.answers["new_tab"] = failed("NAVIGATION_FAILED", "(the tab t2 is open)", tabId="t2")
        assert (await refused(world, "new_tab", url="https://none.example/")).code == "NAVIGATION_FAILED"
        assert (world.agent.opened, world.agent.current_tab) == ({"t2"}, "t2")
        assert world.router.gates.leases.holder("t2") is world.agent
        assert (opened.driver, world.row().tab_id) == ("claude", "t2")
        assert (await world.run("reload")).tab_id == "t2"

    async def test_a_clients_rule_for_dialogs_goes_with_its_commands_and_their_answers_come_back(
        self, world: World
    ) -> None:
        world.tab("t1")
        world.agent.dialogs = "dismiss"
        told = {"type": "alert", "message": "Hi", "accepted": False}
        shown = [msgspec.convert(told, AnsweredDialog)]
        world.executor.answers["reload"] = ok({}, dialogs=shown)
        world.executor.answers["new_tab"] = ok({"tabId": "t1"}, dialogs=shown)
        world.executor.answers["click"] = Response(
            id="c1", success=False, error=Failure(code="COMMAND_TIMEOUT", message="late"), dialogs=shown
        )
        assert (await world.run("reload")).dialogs == shown
        assert (await world.run("new_tab")).dialogs == shown
        assert (await refused(world, "click", selector="#a")).details == {"dialogs": [told]}
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


async def test_who_reads_a_tab_does_not_drive_it(world: World) -> None:
    tab = world.tab()
    await world.run("snapshot", tabId="t1")
    assert tab.driver == ""
    await world.run("click", tabId="t1", selector="#a")
    await world.router.run(Client("reader", "agent"), "snapshot", {"tabId": "t1"})
    assert tab.driver == "claude"


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
