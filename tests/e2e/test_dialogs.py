"""Dialogs of a real page: what answering one does is told as what any action does, and nothing hangs behind one."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab, dialog_shown
from tests.support.patience import PATIENCE_MS
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVING: list[tuple[str, dict[str, Any], str]] = [
    ("navigate", {"url": "dialogs.html?next"}, "?next"),
    ("reload", {}, ""),
    ("click", {"selector": "#link"}, "?link"),
    ("click", {"selector": "#reload"}, ""),
    ("go_back", {}, "?first"),
]


async def guarded(agent: Agent, pages: str) -> None:
    """A page with one before it that asks before it is left."""
    await agent.call("navigate", url=f"{pages}/dialogs.html?first")
    await agent.call("navigate", url=f"{pages}/dialogs.html")
    await agent.call("click", selector="#arm")


async def leave(agent: Agent, pages: str, command: str, params: dict[str, Any]) -> None:
    """Do what the guarded page asks about: a click is done by then, a command that goes elsewhere is not."""
    if command == "click":
        answer = await agent.call(command, **params)
        assert answer["clicked"]
        assert answer["effects"] == {"dialogs": [opened("beforeunload", "")], "changed": True}
        return
    params = {**params, **({"url": f"{pages}/{params['url']}"} if "url" in params else {})}
    assert (await agent.fails(command, **params)).startswith("DIALOG_OPEN: the page shows a beforeunload dialog")


def opened(kind: str, message: str, **more: str) -> dict[str, Any]:
    """A dialog as what led to it tells it."""
    how = {"open": True, "next": "answer it with kapturemcp_handle_dialog"}
    return {"type": kind, "message": message, **more, **how}


async def test_a_page_that_asks_before_it_is_left_stays_or_is_left(visitor: Visit, pages: str, panel: Panel) -> None:
    """Dismissed, the page goes on working; accepted, the answer comes when the next page is there."""
    witness = panel.witness(pages)
    async with visitor(f"{pages}/blank.html") as a:
        for command, params, search in LEAVING:
            with naming(command, params, "dismissed"):
                await guarded(a, pages)
                await leave(a, pages, command, params)
                answer = await a.call("handle_dialog", accept=False)
                assert (answer["handled"], answer["accepted"]) == ("beforeunload", False)
                assert "url" not in answer["effects"]
                assert "lateEffects" not in answer
                clicked = await a.call("click", selector="#count", timeout=PATIENCE_MS)
                assert clicked["effects"]["changed"] is True
                assert await witness.see("counted", "/dialogs.html") == 1
            with naming(command, params, "accepted"):
                await leave(a, pages, command, params)
                said = await a.text("handle_dialog", accept=True, snapshot="full")
                assert f'"url":"{pages}/dialogs.html{search}","title":"Dialogs"' in said
                assert '"changed":true' in said
                assert f"# Dialogs — {pages}/dialogs.html{search}" in said
                assert "lateEffects" not in said
                assert await witness.see("armed", "/dialogs.html") is False
                assert (await a.call("click", selector="#count", timeout=PATIENCE_MS))["effects"]["changed"] is True


async def test_a_tab_that_asks_before_it_is_closed(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent() as a:
        tab = await current_tab(a)
        await guarded(a, pages)
        assert (await a.fails("close_tab")).startswith("DIALOG_OPEN: the page shows a beforeunload dialog")
        answer = await a.call("handle_dialog", accept=False)
        assert answer["accepted"] is False
        assert "closed" not in answer
        assert (await a.call("click", selector="#count", timeout=PATIENCE_MS))["effects"]["changed"] is True
        assert (await a.fails("close_tab")).startswith("DIALOG_OPEN")
        answer = await a.call("handle_dialog", accept=True)
        assert (answer["handled"], answer["closed"]) == ("beforeunload", tab)
        assert tab not in {known["tabId"] for known in (await a.call("list_tabs"))["tabs"]}


async def test_what_handling_a_dialog_led_to_is_its_effect(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        answer = await a.call("click", selector="#quiet")
        assert answer["clicked"].startswith("<button")
        assert answer["effects"] == {"dialogs": [opened("alert", "Quiet")], "changed": True}
        assert await a.call("handle_dialog", accept=True) == {
            "handled": "alert", "accepted": True, "message": "Quiet", "outcome": "confirmed",
            "effects": {"changed": False},
        }  # fmt: skip
        await a.call("click", selector="#alert")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"] == {"changed": True}
        assert "lateEffects" not in answer
        await a.call("click", selector="#go")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["url"] == f"{pages}/dialogs.html?gone"
        assert answer["effects"]["title"] == "Dialogs"
        assert answer["effects"]["changed"] is True


@pytest.mark.parametrize(
    ("command", "params", "result"),
    [
        ("press_key", {"selector": "#field", "key": "Enter"}, {"pressed": "Enter", "count": 1}),
        ("type", {"selector": "#field", "text": "ab!"}, {"typed": 3}),
        ("fill", {"selector": "#shout", "value": "loud"}, {"note": "a dialog opened before it could be read back"}),
        ("select", {"selector": "#list", "value": "b"}, {"note": "a dialog opened before it could be read back"}),
        ("fill", {"selector": "#box", "value": "true"}, {"note": "a dialog opened before it could be read back"}),
        ("click", {"selector": "#later"}, {"clicked": '<button id="later">'}),
        ("evaluate", {"code": "confirm('Sure?'); 1"}, {}),
    ],
)  # fmt: skip
async def test_whatever_opened_a_dialog_says_so_and_what_was_done(
    visitor: Visit, pages: str, command: str, params: dict[str, Any], result: dict[str, Any]
) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        answer = await a.call(command, **params)
        said = await a.fails("snapshot")
        await a.call("handle_dialog", accept=True)
        assert [dialog["open"] for dialog in answer["effects"]["dialogs"]] == [True], answer
        assert {name: answer.get(name) for name in result} == result
        assert said.startswith("DIALOG_OPEN: ")


async def test_a_command_that_is_half_done_when_a_dialog_opens_says_how_far_it_came(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        fields = [{"selector": one, "value": "loud"} for one in ("#field", "#shout", "#out2")]
        said = await a.fails("fill_form", fields=fields)
        await a.call("handle_dialog", accept=True)
        assert said.startswith("DIALOG_OPEN: ")
        assert said.endswith("; answer it with kapturemcp_handle_dialog; 1 of 3 fields were filled before it")
        values = "[field.value, shout.value, out2.value]"
        assert await panel.witness(pages).see(values, "/dialogs.html") == ["loud", "loud", ""]


async def test_a_prompt_that_is_accepted_without_a_text_gets_its_default(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        for given, got in (({}, "Bo"), ({"promptText": ""}, ""), ({"promptText": "Al"}, "Al")):
            (dialog,) = (await a.call("click", selector="#name"))["effects"]["dialogs"]
            assert dialog["default"] == "Bo"
            await a.call("handle_dialog", accept=True, **given)
            assert await panel.witness(pages).see("told", "/dialogs.html") == got


async def test_a_dialog_that_nobodys_command_opened_is_handled_with_its_effects(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        for after, changed in [("1", False), ("out.textContent = 'after'", True)]:
            await a.call("evaluate", code=f"setTimeout(() => {{ alert('late'); {after} }}, 20); 1")
            await dialog_shown(panel, f"{pages}/dialogs.html")
            assert await a.call("handle_dialog", accept=True) == {
                "handled": "alert", "accepted": True, "message": "late", "outcome": "confirmed",
                "effects": {"changed": changed},
            }  # fmt: skip


async def test_a_dialog_behind_a_dialog_is_told_and_handled_in_its_turn(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        await a.call("click", selector="#twice")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["dialogs"] == [opened("alert", "two")]
        assert (await a.fails("snapshot")).startswith('DIALOG_OPEN: the page shows an alert dialog: "two"')
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"] == {"changed": True}
        assert await panel.witness(pages).see("out.textContent", "/dialogs.html") == "after both"


async def test_a_dialog_while_a_page_loads_does_not_hide_that_it_was_loaded(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        page = f"{pages}/dialogs.html?greeting"
        gone = await a.call("navigate", url=page)
        answer = await a.call("handle_dialog", accept=True)
        assert gone["url"] == page
        assert gone["effects"] == {"dialogs": [opened("alert", "Welcome")], "requests": 1, "changed": True}
        assert answer["effects"]["url"] == f"{pages}/dialogs.html?greeting"
        assert answer["effects"]["changed"] is True


async def test_a_dialog_goes_by_the_rule_of_the_client_whose_command_runs(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    page = f"{pages}/dialogs.html"
    async with agent(page) as a, connect(panel.data.root, "ruled", "all", "--profile", "unibrowse") as ruled:
        tab = await current_tab(a)

        async def clicks(selector: str) -> list[str]:
            panel.hub.core.router.gates.leases.release(tab)  # the person lets both have their turn
            result = await ruled.call_tool("browser_click", {"selector": selector})
            panel.hub.core.router.gates.leases.release(tab)
            assert not result.is_error
            return [block.text for block in result.content if isinstance(block, types.TextContent)][1:]

        # The same dialog is the one's to answer and no obstacle to the other.
        assert await clicks("#ask") == [
            'the page showed a dialog, confirm "Sure?"; it was dismissed\n'
            'the page showed a dialog, prompt "Name?"; it was dismissed'
        ]
        await a.call("click", selector="#ask")
        answer = await a.call("handle_dialog", accept=True)
        assert answer["effects"]["dialogs"] == [opened("prompt", "Name?", default="Bo")]
        # Left open, it is answered before the other's next command, and whoever comes too late hears of it.
        assert await clicks("#count") == ['the page showed a dialog, prompt "Name?"; it was dismissed']
        assert await panel.witness(pages).see("[told, counted]", "/dialogs.html") == [[True, None], 1]
        said = await a.fails("handle_dialog", accept=True)
        assert said.startswith(
            'INVALID_PARAMS: no dialog is open in this tab; the last one, a prompt dialog: "Name?", was dismissed'
        )


ANEW: list[tuple[str, dict[str, Any]]] = [
    ("click", {"selector": "#self"}), ("click", {"selector": "#reload"}), ("reload", {}),
    ("navigate", {"url": "./dialogs.html"}), ("evaluate", {"code": "location.reload()"}),
]  # fmt: skip


async def test_the_same_address_loaded_anew_is_a_change(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        for command, params in ANEW:
            with naming(command, params):
                await panel.witness(pages).see("window.mark = 1", "/dialogs.html")
                answer = await a.call(command, **params)
                told = {**answer, **answer["effects"]}
                assert {name: told[name] for name in ("url", "title", "reloaded", "changed")} == {
                    "url": f"{pages}/dialogs.html", "title": "Dialogs", "reloaded": True, "changed": True,
                }  # fmt: skip
                assert await panel.witness(pages).see("typeof mark", "/dialogs.html") == "undefined"
                assert (await a.call("click", selector="#nothing"))["effects"] == {"changed": False}


async def test_a_form_sent_to_its_own_address_is_a_change(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/dialogs.html?") as a:
        effects = (await a.call("click", selector="#submit"))["effects"]
        assert (effects["url"], effects["reloaded"]) == (f"{pages}/dialogs.html?", True)


async def test_a_new_tab_tells_what_it_shows(agent: OpenAgent, pages: str) -> None:
    async with agent() as a:
        answer = await a.call("new_tab", url=f"{pages}/dialogs.html")
        assert (answer["url"], answer["title"]) == (f"{pages}/dialogs.html", "Dialogs")
        assert answer["effects"]["changed"] is True
        assert "reloaded" not in answer["effects"]
        await a.call("close_tab")
        text = await a.text("new_tab", url=f"{pages}/dialogs.html", snapshot="full")
        assert f"# Dialogs — {pages}/dialogs.html\n" in text
        assert 'button "Guard the page" [ref=e1]' in text
        await a.call("close_tab")
        opened = await a.call("new_tab")
        assert (opened["url"], opened["effects"]) == ("about:blank", {"title": "", "changed": True})
        await a.call("close_tab")
        assert "# untitled — about:blank" in await a.text("new_tab", snapshot="full")
        await a.call("close_tab")


async def test_while_a_dialog_is_open_in_one_tab_another_answers_and_acts(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/dialogs.html") as a:
        held = await current_tab(a)
        other = (await a.call("new_tab", url=f"{pages}/dialogs.html?other"))["tabId"]
        assert (await a.call("click", selector="#alert", tabId=held))["effects"]["dialogs"] == [opened("alert", "Hi")]
        assert (await a.call("evaluate", code="document.title = 'works'", tabId=other))["value"] == "works"
        assert "Alert" in await a.text("snapshot", tabId=other)
        assert (await a.call("click", selector="#quiet", tabId=other))["effects"]["dialogs"][0]["message"] == "Quiet"
        assert (await a.call("handle_dialog", accept=True, tabId=other))["message"] == "Quiet"
        assert (await a.fails("snapshot", tabId=held)).startswith('DIALOG_OPEN: the page shows an alert dialog: "Hi"')
        assert (await a.call("handle_dialog", accept=True, tabId=held))["message"] == "Hi"
        await a.call("close_tab", tabId=other)
